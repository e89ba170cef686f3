// SPDX-License-Identifier: Apache-2.0
#include "sieve/line_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/file_header.h"
#include "base/line_reader.h"
#include "base/mapped_file.h"
#include "sieve/merge_sorted.h"
#include "sieve/sieve_lines.h"
#include "sieve/signature_order.h"
#include "sieve/z_stream.h"

namespace crivello::sieve {
namespace {

// Collects lines and prints many of them at a time.
class LinePrinter {
 public:
  explicit LinePrinter(const PrintLines& print) : print_(print) {}

  Status Print(const SieveLine& line) {
    AppendSieveLine(line, &buffer_);
    return buffer_.size() < kBufferBytes ? Status::Ok() : Write();
  }
  // When it returns Ok, all lines have left the program.
  Status Finish() { return Write(); }

 private:
  static constexpr size_t kBufferBytes = 1 << 16;

  Status Write() {
    CRV_TRY(print_(buffer_));
    buffer_.clear();
    return Status::Ok();
  }

  const PrintLines& print_;
  std::string buffer_;
};

ExternalSortOptions SortOptions(const LineFilterOptions& options) {
  std::string folder = options.temporary;
  if (folder.empty()) {
    const char* set = std::getenv("TMPDIR");
    folder = set != nullptr && *set != '\0' ? set : "/tmp";
  }
  return {.folder = std::move(folder), .memory_bytes = std::max(options.memory_bytes, kMinSortMemoryBytes)};
}

// Reads sorted sieve lines, the first of each signature, for MergeSorted.
class SortedLines {
 public:
  explicit SortedLines(LineReader reader) : reader_(std::move(reader)) {}

  bool Next() {
    while (status_.ok() && reader_.Next()) {
      const bool first = reader_.number() == 1;
      const auto parsed = ParseSieveLine(reader_.line());
      if (!parsed.ok()) {
        status_ = reader_.AtLine(parsed.status());
        return false;
      }
      const SieveLine last = std::exchange(line_, *parsed);
      if (first || line_.signature > last.signature) return true;
      if (line_.signature == last.signature && line_.ordinal >= last.ordinal) continue;
      status_ = reader_.AtLine(Status::Corruption(
          "the lines are not sorted: this line sorts before the previous one; sort the input with LC_ALL=C"));
    }
    if (status_.ok()) status_ = reader_.status();
    return false;
  }
  uint64_t signature() const { return line_.signature; }
  const SieveLine& line() const { return line_; }
  const Status& status() const { return status_; }

 private:
  LineReader reader_;
  SieveLine line_;
  Status status_;
};

// Reads Z as signature lines.
class SeenLines {
 public:
  explicit SeenLines(LineReader reader) : reader_(std::move(reader)) {}

  bool Next() {
    if (!status_.ok()) return false;
    if (!reader_.Next()) {
      status_ = reader_.status();
      return false;
    }
    const auto parsed = ParseSignatureLine(reader_.line());
    if (!parsed.ok()) {
      status_ = reader_.AtLine(parsed.status());
    } else if (reader_.number() > 1 && *parsed <= signature_) {
      status_ = reader_.AtLine(
          Status::Corruption("signatures must increase, but this one is not greater than the previous one"));
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
    AppendSignatureLine(signature, &line_);
    return file_.Append(AsBytes(line_));
  }
  Status Finish() { return file_.Finish(); }

 private:
  explicit SeenLinesWriter(AtomicFile file) : file_(std::move(file)) {}
  AtomicFile file_;
  std::string line_;
};

template <typename Seen, typename NewSeen>
Status MergeSeen(const MergeLinesOptions& options, const PrintLines& print, Seen seen, NewSeen new_seen) {
  CRV_ASSIGN(LineReader input, LineReader::Open(options.input));
  SortedLines batch(std::move(input));
  LinePrinter printer(print);
  SignatureSorter arrivals(SortOptions(options));
  const auto write = [&](uint64_t signature) { return new_seen.Append(signature); };
  const auto discover = [&]() -> Status {
    const SieveLine& line = batch.line();
    if (!options.by_arrival) return printer.Print(line);
    return arrivals.Add({.major = line.ordinal, .minor = line.signature, .bytes = line.url});
  };
  CRV_TRY(MergeSorted(seen, batch, write, discover));
  CRV_TRY(arrivals.Sort());
  while (arrivals.Next()) {
    const SortRecord record = arrivals.record();
    CRV_TRY(printer.Print({.signature = record.minor, .ordinal = record.major, .url = record.bytes}));
  }
  CRV_TRY(arrivals.status());
  // In this order: if it is interrupted in between, running it again repeats lines but loses none.
  CRV_TRY(printer.Finish());
  return new_seen.Finish();
}

// Whether it is one of our files, of any kind.
Result<bool> IsOurs(const std::string& path) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path));
  return DecodeFileHeader(path, file.bytes()).ok();
}

}  // namespace

Result<SortLinesSummary> SortLines(const SortLinesOptions& options, const SignUrl& sign,
                                   const PrintLines& print) {
  CRV_ASSIGN(LineReader input, LineReader::Open(options.input));
  FirstOfSignatureSorter sorter(SortOptions(options));
  LinePrinter printer(print);
  SortLinesSummary summary;
  while (input.Next()) {
    const auto line = ParseUrlLine(input.line());
    if (!line.ok()) return input.AtLine(line.status());
    const auto url = sign(line->url);
    if (!url.ok()) return input.AtLine(url.status());
    const uint64_t ordinal = line->ordinal.value_or(input.number());
    if (!*url) {
      summary.skipped++;
    } else if (options.unsorted) {
      CRV_TRY(printer.Print({.signature = (*url)->signature, .ordinal = ordinal, .url = (*url)->url}));
    } else {
      CRV_TRY(sorter.Add({.major = (*url)->signature, .minor = ordinal, .bytes = (*url)->url}));
    }
  }
  CRV_TRY(input.status());
  CRV_TRY(sorter.Sort());
  while (sorter.Next()) {
    const SortRecord record = sorter.record();
    CRV_TRY(printer.Print({.signature = record.major, .ordinal = record.minor, .url = record.bytes}));
  }
  CRV_TRY(sorter.status());
  CRV_TRY(printer.Finish());
  summary.lines = input.number();
  return summary;
}

Status MergeLines(const MergeLinesOptions& options, const PrintLines& print) {
  const std::string& to = options.to.empty() ? options.seen : options.to;
  const auto ours = IsOurs(options.seen);
  if (ours.status().code() == StatusCode::kNotFound) {
    return Status::NotFound(ours.status().message() + "; create an empty file to start with an empty Z");
  }
  CRV_TRY(ours);
  if (*ours) {
    CRV_ASSIGN(auto seen, ZSource::Open(options.seen));
    CRV_ASSIGN(auto new_seen, ZSink::Create(to));
    return MergeSeen(options, print, std::move(seen), std::move(new_seen));
  }
  CRV_ASSIGN(LineReader lines, LineReader::Open(options.seen));
  CRV_ASSIGN(auto new_seen, SeenLinesWriter::Create(to));
  return MergeSeen(options, print, SeenLines(std::move(lines)), std::move(new_seen));
}

}  // namespace crivello::sieve
