// SPDX-License-Identifier: Apache-2.0
#include "store/warc_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace crivello::store {
namespace {

constexpr size_t kMaxHeadBytes = 1 << 18;
constexpr size_t kMaxArcLine = 1 << 16;
constexpr size_t kLookAhead = 1 << 10;  // behind a block, for blank lines and the next record
constexpr size_t kSearchBytes = 1 << 20;

// The first place at or after `from` where a line starts with "WARC/" and a digit, or npos.
size_t FindRecord(std::string_view text, size_t from) {
  for (size_t at = text.find("WARC/", from); at != std::string_view::npos; at = text.find("WARC/", at + 1)) {
    const bool line_start = at == 0 || text[at - 1] == '\n';
    if (line_start && at + 5 < text.size() && text[at + 5] >= '0' && text[at + 5] <= '9') return at;
  }
  return std::string_view::npos;
}

// The version line of a record, which some writers put in lower case.
bool StartsRecord(std::string_view text) { return text.starts_with("WARC/") || text.starts_with("warc/"); }

bool IsBlank(char c) { return c == '\r' || c == '\n'; }

std::string_view FirstLine(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view WithoutBrackets(std::string_view uri) {
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>') return uri.substr(1, uri.size() - 2);
  return uri;
}

std::string FieldOr(const web::HttpFields& fields, std::string_view name) {
  return std::string(fields.Find(name).value_or(""));
}

}  // namespace

void WarcReader::Note(uint64_t offset, std::string what) {
  damages_++;
  if (damage_.size() < options_.max_damages) damage_.push_back({offset, std::move(what)});
}

void WarcReader::SeekTo(uint64_t offset) {
  source_.reset();
  pending_ = 0;
  next_ = offset;
  if (dictionary_ != nullptr || ContainerOf(file_) != Container::kZstdDictionary) return;
  next_ = 0;
  OpenSource();
  source_.reset();
  next_ = offset;
}

// Opens what lies at next_; false at the end of the file.
bool WarcReader::OpenSource() {
  while (next_ < file_.size()) {
    const std::string_view rest = file_.substr(next_);
    source_offset_ = next_;
    plain_ = false;
    records_in_source_ = 0;
    switch (ContainerOf(rest)) {
      case Container::kGzip:
        compressed_ = true;
        source_ = GzipSource(rest);
        return true;
      case Container::kZstd:
        compressed_ = true;
        source_ = ZstdSource(rest, dictionary_);
        return true;
      case Container::kZstdDictionary: {
        // The dictionary may itself be a zstd frame.
        const std::string_view payload = SkippablePayload(rest);
        if (ContainerOf(payload) == Container::kZstd) {
          const auto inner = ZstdSource(payload, nullptr);
          dictionary_ = MakeZstdDictionary(inner->Peek(kSearchBytes * 16));
        } else {
          dictionary_ = MakeZstdDictionary(payload);
        }
        compressed_ = true;
        next_ += StoredLength(rest).value_or(rest.size());
        continue;
      }
      case Container::kZstdSkippable:
        next_ += StoredLength(rest).value_or(rest.size());
        continue;
      case Container::kLz4:
        Note(next_, "an LZ4 frame: such archives are not read");
        next_ = file_.size();
        return false;
      case Container::kPlain:
        break;
    }
    // A file in which no line starts a record may be a compressed one whose first bytes are damaged.
    const bool text =
        rest.starts_with("filedesc:") || FindRecord(rest, 0) != std::string_view::npos || StartsRecord(rest);
    if (!compressed_ && text) {
      plain_ = true;
      source_ = PlainSource(rest);
      return true;
    }
    if (!SkipToMember()) return false;
  }
  return false;
}

// In a compressed file, from bytes that are no member to the next that may be one.
bool WarcReader::SkipToMember() {
  const uint64_t from = next_;
  for (uint64_t at = from + 1; at + 4 <= file_.size(); at++) {
    const size_t gzip = file_.find(std::string_view("\x1f\x8b\x08", 3), at);
    const size_t zstd = file_.find(std::string_view("\x28\xb5\x2f\xfd", 4), at);
    at = std::min(gzip, zstd);
    if (at == std::string_view::npos) break;
    const std::string_view rest = file_.substr(at);
    // Three bytes occur by chance; a member that begins like a record does not.
    const auto source =
        ContainerOf(rest) == Container::kGzip ? GzipSource(rest) : ZstdSource(rest, dictionary_);
    const std::string_view start = source->Peek(5);
    if (StartsRecord(start) || (arc_ && start.size() == 5)) {
      Note(from, fmt::format("{} bytes that are no record", at - from));
      next_ = at;
      return true;
    }
  }
  Note(from, fmt::format("{} bytes at the end that are no record", file_.size() - from));
  next_ = file_.size();
  return false;
}

void WarcReader::CloseSource() {
  const bool damaged = source_->damaged();
  const uint64_t stored = source_->stored_bytes().value_or(0);
  source_.reset();
  if (!damaged) {
    next_ = source_offset_ + std::max<uint64_t>(stored, 1);
    return;
  }
  Note(source_offset_, "a damaged or cut compressed record");
  next_ = source_offset_;
  SkipToMember();
}

std::optional<WarcRecord> WarcReader::Next() {
  for (;;) {
    if (source_ == nullptr && !OpenSource()) return std::nullopt;
    if (auto record = ReadRecord()) return record;
    CloseSource();
  }
}

bool WarcReader::Skip() {
  if (source_ == nullptr && next_ < file_.size()) {
    const std::string_view rest = file_.substr(next_);
    const Container container = ContainerOf(rest);
    if (container == Container::kGzip || container == Container::kZstd) {
      if (const auto length = StoredLength(rest)) {
        compressed_ = true;
        next_ += *length;
        return true;
      }
    }
  }
  return Next().has_value();
}

// Consumes what the last record took and the blank lines after it; false at the end of the source.
bool WarcReader::SkipBlankLines() {
  while (pending_ > 0) {
    const std::string_view text = source_->Peek(std::min<uint64_t>(pending_, kSearchBytes));
    const uint64_t n = std::min<uint64_t>(pending_, text.size());
    if (n == 0) return false;
    source_->Consume(n);
    pending_ -= n;
  }
  for (;;) {
    const std::string_view text = source_->Peek(kLookAhead);
    size_t blank = 0;
    while (blank < text.size() && IsBlank(text[blank])) blank++;
    const bool more = blank < text.size();
    source_->Consume(blank);
    if (more) return true;
    if (blank == 0) return false;
  }
}

std::optional<WarcReader::Head> WarcReader::ParseWarcHead(std::string_view text, WarcRecord* record) {
  const size_t line_end = text.find('\n');
  if (line_end == std::string_view::npos) return std::nullopt;
  record->version = FirstLine(text);
  web::HttpFieldBlock block =
      web::ParseHttpFields(text.substr(line_end + 1), {.max_head_bytes = kMaxHeadBytes});
  if (!block.complete) return std::nullopt;
  record->fields = std::move(block.fields);
  record->type_name = FieldOr(record->fields, "WARC-Type");
  record->type = WarcTypeOf(record->type_name);
  record->target_uri = WithoutBrackets(record->fields.Find("WARC-Target-URI").value_or(""));
  record->date = FieldOr(record->fields, "WARC-Date");
  record->ip = FieldOr(record->fields, "WARC-IP-Address");
  record->content_type = FieldOr(record->fields, "Content-Type");
  Head head = {.bytes = line_end + 1 + block.bytes, .length = {}};
  if (const auto value = record->fields.Find("Content-Length")) {
    uint64_t length = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), length);
    if (error == std::errc() && end == value->data() + value->size()) head.length = length;
  }
  return head;
}

std::optional<WarcReader::Head> WarcReader::ParseArcHead(std::string_view text, WarcRecord* record) {
  const size_t line_end = std::min(text.substr(0, kMaxArcLine).find('\n'), text.size());
  if (line_end == text.size()) return std::nullopt;
  const auto line = ParseArcLine(FirstLine(text));
  if (!line) return std::nullopt;
  record->target_uri = line->url;
  record->ip = line->ip;
  record->date = line->date;
  record->content_type = line->content_type;
  // A length that is no number says nothing: the record is taken to be empty, and the next line tried.
  Head head = {.bytes = line_end + 1, .length = line->length.value_or(0)};
  if (line->url.starts_with("filedesc:")) {
    // Two lines of format, and an empty one, belong to the header; what may follow them is its block.
    arc_ = true;
    record->type = WarcType::kArcHeader;
    arc_version_ = text.substr(head.bytes).starts_with("2") ? 2 : 1;
    size_t format_end = head.bytes;
    for (int lines = 0; lines < 2; lines++) {
      const size_t end = text.find('\n', format_end);
      if (end == std::string_view::npos) break;
      format_end = end + 1;
    }
    while (format_end < text.size() && IsBlank(text[format_end])) format_end++;
    const uint64_t consumed = format_end - head.bytes;
    head.length = *head.length > consumed ? *head.length - consumed : 0;
    head.bytes = format_end;
  } else {
    record->type = WarcType::kResponse;
  }
  record->type_name = WarcTypeName(record->type);
  record->version = arc_version_ == 2 ? "ARC/2" : "ARC/1";
  return head;
}

std::optional<WarcReader::Head> WarcReader::ParseHead(std::string_view text, WarcRecord* record) {
  if (StartsRecord(text)) return ParseWarcHead(text, record);
  if (arc_ || text.starts_with("filedesc:")) return ParseArcHead(text, record);
  return std::nullopt;
}

// From something that is no record to the next line that starts one, in this source.
bool WarcReader::Resynchronise() {
  const uint64_t from = Here();
  uint64_t skipped = 0;
  for (;;) {
    const std::string_view text = source_->Peek(kSearchBytes);
    const size_t at = FindRecord(text, skipped == 0 ? 1 : 0);
    if (at != std::string_view::npos) {
      source_->Consume(at);
      Note(from, fmt::format("{} bytes that are no record", skipped + at));
      return true;
    }
    // The last few bytes may be the start of one.
    constexpr size_t kKeep = 6;
    if (text.size() <= kKeep || text.size() < kSearchBytes || plain_) {
      Note(from, fmt::format("{} bytes that are no record", skipped + text.size()));
      source_->Consume(text.size());
      return false;
    }
    source_->Consume(text.size() - kKeep);
    skipped += text.size() - kKeep;
  }
}

std::optional<WarcRecord> WarcReader::ReadRecord() {
  for (;;) {
    if (!SkipBlankLines()) return std::nullopt;
    WarcRecord record;
    std::string_view text = source_->Peek(kMaxHeadBytes);
    std::optional<Head> head = ParseHead(text, &record);
    if (!head) {
      if (!Resynchronise()) return std::nullopt;
      continue;
    }
    const uint64_t offset = Here();
    const bool fits = head->length.value_or(0) <= options_.max_block_bytes;
    const uint64_t wanted = fits ? head->length.value_or(options_.max_block_bytes) : options_.max_block_bytes;
    const std::string_view longer = source_->Peek(head->bytes + wanted + kLookAhead);
    if (longer.data() != text.data()) ParseHead(longer, &record);  // the views must follow the buffer
    text = longer;

    uint64_t length = std::min<uint64_t>(wanted, text.size() - head->bytes);
    record.whole = fits && head->length && length == *head->length;
    if (!fits)
      Note(offset, fmt::format("a block of {} bytes, cut at {}", *head->length, options_.max_block_bytes));

    // Where the block ends, nothing, blank lines or a record must follow; if not, or if no length was given,
    // the next record tells.
    const std::string_view after = text.substr(head->bytes + length);
    const size_t next = after.find_first_not_of("\r\n");
    const bool leads_on =
        record.whole && (record.version.starts_with("ARC") || next == std::string_view::npos ||
                         StartsRecord(after.substr(next)));
    pending_ = head->bytes + (fits ? length : *head->length);
    if (fits && !leads_on) {
      const size_t found = FindRecord(text, head->bytes);
      if (found != std::string_view::npos && found < head->bytes + length) {
        pending_ = found;
        length = found - head->bytes;
        for (int i = 0; i < 4 && length > 0 && IsBlank(text[head->bytes + length - 1]); i++) length--;
        Note(offset, head->length
                         ? fmt::format("a length of {} where the block has {}", *head->length, length)
                         : "a record without Content-Length");
        record.whole = true;
      } else if (!head->length) {
        while (length > 0 && IsBlank(text[head->bytes + length - 1])) length--;
        Note(offset, "a record without Content-Length");
        record.whole = true;
      } else if (!record.whole) {
        Note(offset, fmt::format("cut: {} of {} bytes", length, *head->length));
      }
    }
    record.block = text.substr(head->bytes, length);
    record.offset = offset;
    if (plain_) {
      record.stored_bytes = head->bytes + length;
    } else if (records_in_source_ == 0) {
      record.stored_bytes = source_->stored_bytes().value_or(0);
    }
    records_in_source_++;
    return record;
  }
}

}  // namespace crivello::store
