// SPDX-License-Identifier: Apache-2.0
#include "cli/lab/sieve_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/atomic_file.h"
#include "base/file_header.h"
#include "base/line_reader.h"
#include "base/mapped_file.h"
#include "cli/output.h"
#include "sieve/merge_sorted.h"
#include "sieve/signature_order.h"
#include "sieve/sieve_lines.h"
#include "sieve/z_stream.h"
#include "web/url/canonical.h"
#include "web/url/signature.h"

namespace crivello::cli {
namespace {

// Lines to standard output.
class LinePrinter {
 public:
  explicit LinePrinter(std::FILE* out) : out_(out) {}

  Status Print(const sieve::SieveLine& line) {
    sieve::AppendSieveLine(line, &buffer_);
    return buffer_.size() < kBufferBytes ? Status::Ok() : Write();
  }
  // All lines have left the program.
  Status Finish() {
    CRV_TRY(Write());
    return std::fflush(out_) == 0 ? Status::Ok() : Status::FromErrno("write", "standard output", errno);
  }

 private:
  static constexpr size_t kBufferBytes = 1 << 16;

  Status Write() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), out_) != buffer_.size()) {
      return Status::FromErrno("write", "standard output", errno);
    }
    buffer_.clear();
    return Status::Ok();
  }

  std::FILE* const out_;
  std::string buffer_;
};

ExternalSortOptions SortOptions(const SieveFilterOptions& options) {
  std::string folder = options.temporary;
  if (folder.empty()) {
    const char* set = std::getenv("TMPDIR");
    folder = set != nullptr && *set != '\0' ? set : "/tmp";
  }
  return {.folder = std::move(folder),
          .memory_bytes = std::max(options.memory_bytes, sieve::kMinSortMemoryBytes)};
}

// The sieve line of a URL line; nothing if it names no page of the web.
Result<std::optional<sieve::SieveLine>> Sign(std::string_view text, uint64_t number, web::Url* url,
                                             web::Url* canonical) {
  CRV_ASSIGN(const sieve::UrlLine line, sieve::ParseUrlLine(text));
  if (!url->Parse(line.url)) {
    return Status::Corruption(fmt::format("'{}' is no URL", Printable(line.url.substr(0, 200))));
  }
  if (!web::Canonicalize(*url, canonical)) return std::optional<sieve::SieveLine>();
  return std::optional<sieve::SieveLine>({.signature = web::UrlSignature(*canonical),
                                          .ordinal = line.ordinal.value_or(number),
                                          .url = canonical->href()});
}

// Sorted sieve lines, the first of each signature, as MergeSorted reads them.
class SortedLines {
 public:
  explicit SortedLines(LineReader reader) : reader_(std::move(reader)) {}

  bool Next() {
    while (status_.ok() && reader_.Next()) {
      const bool first = reader_.number() == 1;
      const auto parsed = sieve::ParseSieveLine(reader_.line());
      if (!parsed.ok()) {
        status_ = reader_.AtLine(parsed.status());
        return false;
      }
      const sieve::SieveLine last = std::exchange(line_, *parsed);
      if (first || line_.signature > last.signature) return true;
      if (line_.signature == last.signature && line_.ordinal >= last.ordinal) continue;
      status_ =
          reader_.AtLine(Status::Corruption("it belongs before the line above: sort them with LC_ALL=C"));
    }
    if (status_.ok()) status_ = reader_.status();
    return false;
  }
  uint64_t signature() const { return line_.signature; }
  const sieve::SieveLine& line() const { return line_; }
  const Status& status() const { return status_; }

 private:
  LineReader reader_;
  sieve::SieveLine line_;
  Status status_;
};

// Z as signature lines.
class SeenLines {
 public:
  explicit SeenLines(LineReader reader) : reader_(std::move(reader)) {}

  bool Next() {
    if (!status_.ok()) return false;
    if (!reader_.Next()) {
      status_ = reader_.status();
      return false;
    }
    const auto parsed = sieve::ParseSignatureLine(reader_.line());
    if (!parsed.ok()) {
      status_ = reader_.AtLine(parsed.status());
    } else if (reader_.number() > 1 && *parsed <= signature_) {
      status_ = reader_.AtLine(Status::Corruption("it is not above the line before"));
    } else {
      signature_ = *parsed;
    }
    return status_.ok();
  }
  uint64_t signature() const { return signature_; }
  const Status& status() const { return status_; }

 private:
  LineReader reader_;
  uint64_t signature_ = 0;
  Status status_;
};

class SeenLinesWriter {
 public:
  static Result<SeenLinesWriter> Create(const std::string& path) {
    CRV_ASSIGN(AtomicFile file, AtomicFile::Create(path));
    return SeenLinesWriter(std::move(file));
  }
  Status Append(uint64_t signature) {
    line_.clear();
    sieve::AppendSignatureLine(signature, &line_);
    return file_.Append(AsBytes(line_));
  }
  Status Finish() { return file_.Finish(); }

 private:
  explicit SeenLinesWriter(AtomicFile file) : file_(std::move(file)) {}
  AtomicFile file_;
  std::string line_;
};

template <typename Seen, typename NewSeen>
Status MergeSeen(const Session& session, const SieveMergeOptions& options, Seen seen, NewSeen new_seen) {
  CRV_ASSIGN(LineReader input, LineReader::Open(options.input));
  SortedLines batch(std::move(input));
  LinePrinter printer(session.out);
  sieve::SignatureSorter arrivals(SortOptions(options));
  const auto write = [&](uint64_t signature) { return new_seen.Append(signature); };
  const auto discover = [&]() -> Status {
    const sieve::SieveLine& line = batch.line();
    if (!options.by_arrival) return printer.Print(line);
    return arrivals.Add({.major = line.ordinal, .minor = line.signature, .bytes = line.url});
  };
  CRV_TRY(sieve::MergeSorted(seen, batch, write, discover));
  CRV_TRY(arrivals.Sort());
  while (arrivals.Next()) {
    const sieve::SortRecord record = arrivals.record();
    CRV_TRY(printer.Print({.signature = record.minor, .ordinal = record.major, .url = record.bytes}));
  }
  CRV_TRY(arrivals.status());
  // In this order: what is interrupted between them repeats lines when it is run again, and loses none.
  CRV_TRY(printer.Finish());
  return new_seen.Finish();
}

// Whether it is a file of ours, whatever it holds.
Result<bool> IsOurs(const std::string& path) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path));
  return DecodeFileHeader(path, file.bytes()).ok();
}

}  // namespace

Result<int> SieveSort(const Session& session, const SieveSortOptions& options) {
  CRV_ASSIGN(LineReader input, LineReader::Open(options.input));
  sieve::FirstOfSignatureSorter sorter(SortOptions(options));
  LinePrinter printer(session.out);
  web::Url url, canonical;
  uint64_t skipped = 0;
  while (input.Next()) {
    const auto line = Sign(input.line(), input.number(), &url, &canonical);
    if (!line.ok()) return input.AtLine(line.status());
    if (!*line) {
      skipped++;
    } else if (options.unsorted) {
      CRV_TRY(printer.Print(**line));
    } else {
      CRV_TRY(sorter.Add({.major = (*line)->signature, .minor = (*line)->ordinal, .bytes = (*line)->url}));
    }
  }
  CRV_TRY(input.status());
  CRV_TRY(sorter.Sort());
  while (sorter.Next()) {
    const sieve::SortRecord record = sorter.record();
    CRV_TRY(printer.Print({.signature = record.major, .ordinal = record.minor, .url = record.bytes}));
  }
  CRV_TRY(sorter.status());
  CRV_TRY(printer.Finish());
  if (skipped > 0) {
    session.log->Write(LogLevel::kWarning, "lines.skipped",
                       fmt::format("skipped {} of {} lines: no http or https URL of a host", Grouped(skipped),
                                   Grouped(input.number())),
                       {{"skipped", uint64_t{skipped}}});
  }
  return kDone;
}

Result<int> SieveMerge(const Session& session, const SieveMergeOptions& options) {
  const std::string& to = options.to.empty() ? options.seen : options.to;
  const auto ours = IsOurs(options.seen);
  if (ours.status().code() == StatusCode::kNotFound) {
    return Status::NotFound(ours.status().message() + ": an empty file is a Z with nothing in it");
  }
  CRV_TRY(ours);
  if (*ours) {
    CRV_ASSIGN(auto seen, sieve::ZSource::Open(options.seen));
    CRV_ASSIGN(auto new_seen, sieve::ZSink::Create(to));
    CRV_TRY(MergeSeen(session, options, std::move(seen), std::move(new_seen)));
  } else {
    CRV_ASSIGN(LineReader lines, LineReader::Open(options.seen));
    CRV_ASSIGN(auto new_seen, SeenLinesWriter::Create(to));
    CRV_TRY(MergeSeen(session, options, SeenLines(std::move(lines)), std::move(new_seen)));
  }
  return kDone;
}

}  // namespace crivello::cli
