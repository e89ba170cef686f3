// SPDX-License-Identifier: Apache-2.0
#include "store/warc_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace crivello::store {
namespace {

constexpr size_t kMaxHeadBytes = 1 << 18;
constexpr size_t kMaxArcLine = 1 << 16;
constexpr size_t kLookAhead = 1 << 10;  // after a block, for blank lines and the next record
constexpr size_t kSearchBytes = 1 << 20;
constexpr uint64_t kMaxDictionaryBytes = 16 << 20;
constexpr uint64_t kMaxWaste = 4;  // times the file

// Whether "WARC/" and a digit are at text[at].
bool VersionAt(std::string_view text, size_t at) {
  return text.substr(at).starts_with("WARC/") && at + 5 < text.size() && text[at + 5] >= '0' &&
         text[at + 5] <= '9';
}

// The first place at or after `from` where a line starts with "WARC/" and a digit, or npos.
size_t FindRecord(std::string_view text, size_t from) {
  for (size_t at = text.find("WARC/", from); at != std::string_view::npos; at = text.find("WARC/", at + 1)) {
    if ((at == 0 || text[at - 1] == '\n') && VersionAt(text, at)) return at;
  }
  return std::string_view::npos;
}

// Like FindRecord(text, 1), but also finds a line that may be the head of an ARC record, whichever comes
// first. Stricter than parsing such a head, because text has many lines with five words.
size_t FindAnyRecord(std::string_view text) {
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) {
    if (VersionAt(text, end + 1)) return end + 1;
    std::string_view line = text.substr(end + 1, kMaxArcLine);
    const size_t line_end = line.find('\n');
    if (line_end == std::string_view::npos) continue;
    line = line.substr(0, line_end - (line_end > 0 && line[line_end - 1] == '\r' ? 1 : 0));
    const auto arc = ParseArcLine(line);
    if (arc && arc->length && arc->date.size() == 14 && arc->url.find(' ') == std::string_view::npos)
      return end + 1;
  }
  return std::string_view::npos;
}

// Where the head that starts here ends, after its empty line; npos if there is none before the next line that
// starts a record. The search for a record resumes there, so no line is examined twice.
size_t HeadEnd(std::string_view text) {
  text = text.substr(0, kMaxHeadBytes);
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
    if (at > 0 && (end == at || (end == at + 1 && text[at] == '\r'))) return end + 1;
    if (at > 0 && VersionAt(text, at)) break;
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
  next_ = std::min<uint64_t>(offset, file_.size());
  gzip_at_ = zstd_at_ = 0;
  // The start of the file determines how all its records are read.
  if (dictionary_ == nullptr && ContainerOf(file_) == Container::kZstdDictionary) ReadDictionary(file_);
  constexpr std::string_view kArc = "filedesc:";
  const bool gzip = ContainerOf(file_) == Container::kGzip;
  if (!arc_ && (gzip ? GzipStart(file_, kArc.size()) == kArc : file_.starts_with(kArc))) {
    WarcReader first(file_, options_);
    first.Next();
    arc_ = first.arc_;
    arc_version_ = first.arc_version_;
  }
}

// Reads it from the skippable frame at the start of `rest`; the frame may hold it as a zstd frame.
void WarcReader::ReadDictionary(std::string_view rest) {
  compressed_ = true;
  std::string_view bytes = SkippablePayload(rest);
  if (ContainerOf(bytes) == Container::kZstd) {
    const auto inner = ZstdSource(bytes, nullptr, memory_.get());
    bytes = inner->Peek(kMaxDictionaryBytes + 1);
  }
  if (bytes.size() > kMaxDictionaryBytes) {
    Note(static_cast<uint64_t>(rest.data() - file_.data()),
         fmt::format("ignored a dictionary of more than {} bytes", kMaxDictionaryBytes));
    return;
  }
  dictionary_ = MakeZstdDictionary(bytes);
}

// Opens the source at next_; false at the end of the file.
bool WarcReader::OpenSource() {
  while (next_ < file_.size()) {
    const std::string_view rest = file_.substr(next_);
    source_offset_ = next_;
    plain_ = false;
    records_in_source_ = 0;
    switch (ContainerOf(rest)) {
      case Container::kGzip:
        compressed_ = true;
        source_ = GzipSource(rest, memory_.get());
        return true;
      case Container::kZstd:
        compressed_ = true;
        source_ = ZstdSource(rest, dictionary_, memory_.get());
        return true;
      case Container::kZstdDictionary:
        ReadDictionary(rest);
        next_ += StoredLength(rest).value_or(rest.size());
        continue;
      case Container::kZstdSkippable:
        next_ += StoredLength(rest).value_or(rest.size());
        continue;
      case Container::kLz4:
        Note(next_, "found an LZ4 frame: LZ4 archives are not supported");
        next_ = file_.size();
        return false;
      case Container::kPlain:
        break;
    }
    // If no line of a file starts a record, it may be a compressed file whose first bytes are damaged.
    if (!compressed_ && (rest.starts_with("filedesc:") || StartsRecord(rest) || arc_ ||
                         FindRecord(rest, 0) != std::string_view::npos)) {
      plain_ = true;
      source_ = PlainSource(rest);
      return true;
    }
    if (!SkipToMember(next_)) return false;
  }
  return false;
}

// The first position at or after `at` with the magic number of a member; the file's size if there is none.
uint64_t WarcReader::FindMember(uint64_t at) {
  const auto advance = [&](uint64_t* known, std::string_view magic) {
    if (*known < at) *known = std::min<uint64_t>(file_.find(magic, at), file_.size());
  };
  advance(&gzip_at_, std::string_view("\x1f\x8b\x08", 3));
  advance(&zstd_at_, std::string_view("\x28\xb5\x2f\xfd", 4));
  return std::min(gzip_at_, zstd_at_);
}

// In a compressed file, skips bytes that are not a member, to the next possible member after `from`.
bool WarcReader::SkipToMember(uint64_t from) {
  const uint64_t start = next_;
  for (uint64_t at = FindMember(from + 1); at < file_.size(); at = FindMember(at + 1)) {
    // The three bytes of gzip occur by chance; a member whose content begins like a record does not.
    const std::string_view rest = file_.substr(at);
    if (ContainerOf(rest) == Container::kGzip) {
      constexpr size_t kLook = 5;
      const std::string text = GzipStart(rest, kLook);
      if (!StartsRecord(text) && !(arc_ && text.size() == kLook)) continue;
    }
    Note(start, fmt::format("{} bytes that are not a record", at - start));
    next_ = at;
    return true;
  }
  Note(start, fmt::format("{} bytes at the end that are not a record", file_.size() - start));
  next_ = file_.size();
  return false;
}

void WarcReader::CloseSource() {
  const bool damaged = source_->damaged();
  const uint64_t stored = std::max<uint64_t>(source_->stored_bytes().value_or(0), 1);
  source_.reset();
  pending_ = 0;
  next_ = source_offset_ + stored;
  if (!damaged) return;
  Note(source_offset_, "corrupt or truncated compressed record");
  next_ = source_offset_;
  wasted_ += stored;
  SkipToMember(wasted_ / kMaxWaste < file_.size() ? source_offset_ : source_offset_ + stored - 1);
}

std::optional<WarcRecord> WarcReader::Next() {
  for (;;) {
    if (source_ == nullptr && !OpenSource()) return std::nullopt;
    if (auto record = ReadRecord()) return record;
    CloseSource();
  }
}

bool WarcReader::Skip() {
  if (source_ != nullptr && !SkipBlankLines()) CloseSource();
  if (source_ == nullptr && next_ < file_.size() && !many_in_source_) {
    const std::string_view rest = file_.substr(next_);
    const Container container = ContainerOf(rest);
    if (container == Container::kGzip || container == Container::kZstd) {
      if (const auto length = StoredLength(rest); length && *length < file_.size()) {
        compressed_ = true;
        next_ += *length;
        return true;
      }
    }
  }
  return Next().has_value();
}

// Consumes the last record and the blank lines after it; false at the end of the source.
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
  const size_t head_end = HeadEnd(text);
  if (head_end == std::string_view::npos) return std::nullopt;
  web::HttpFieldBlock block = web::ParseHttpFields(text.substr(line_end + 1, head_end - line_end - 1),
                                                   {.max_head_bytes = kMaxHeadBytes});
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
  // The length is not a number: assume that the record is empty, and try the next line.
  Head head = {.bytes = line_end + 1, .length = line->length.value_or(0)};
  if (line->url.starts_with("filedesc:")) {
    // Two lines of format, and an empty one, belong to the header; any further lines are its block.
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

// Skips from something that is not a record to the next line of this source that starts one.
bool WarcReader::Resynchronise() {
  const uint64_t from = Here();
  uint64_t skipped = 0;
  for (;;) {
    const std::string_view text = source_->Peek(kSearchBytes);
    const size_t at = arc_ ? FindAnyRecord(text) : FindRecord(text, 1);
    if (at != std::string_view::npos) {
      source_->Consume(at);
      Note(from, fmt::format("{} bytes that are not a record", skipped + at));
      return true;
    }
    if (text.size() < kSearchBytes || plain_) {
      Note(from, fmt::format("{} bytes that are not a record", skipped + text.size()));
      source_->Consume(text.size());
      return false;
    }
    // The last bytes may be the start of a record; text[0] never is.
    const size_t keep = arc_ ? kMaxArcLine : 6;
    source_->Consume(text.size() - keep);
    skipped += text.size() - keep;
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
    bool fits = head->length.value_or(0) <= options_.max_block_bytes;
    const uint64_t wanted = fits ? head->length.value_or(options_.max_block_bytes) : options_.max_block_bytes;
    const std::string_view longer = source_->Peek(head->bytes + wanted + kLookAhead);
    if (longer.data() != text.data()) ParseHead(longer, &record);  // the views must point into the new buffer
    text = longer;

    uint64_t length = std::min<uint64_t>(wanted, text.size() - head->bytes);
    if (!fits && (plain_ || length < wanted) && *head->length > text.size() - head->bytes) {
      // Larger than the file: the length is wrong, or the record is truncated.
      fits = true;
    }
    record.whole = fits && head->length && length == *head->length;
    if (!fits)
      Note(offset,
           fmt::format("a block of {} bytes, truncated at {}", *head->length, options_.max_block_bytes));

    // After the block there must be nothing, blank lines or a record. If not, or if no length was given, find
    // the end by looking for the next record.
    const std::string_view after = text.substr(head->bytes + length);
    const size_t next = after.find_first_not_of("\r\n");
    const bool leads_on =
        record.whole && (record.version.starts_with("ARC") || next == std::string_view::npos ||
                         StartsRecord(after.substr(next)));
    pending_ = head->bytes + (fits ? length : std::min(*head->length, UINT64_MAX - head->bytes));
    if (fits && !leads_on) {
      constexpr size_t kVersion = 6;
      const size_t found = FindRecord(text.substr(0, head->bytes + length + kVersion), head->bytes);
      if (found != std::string_view::npos && found < head->bytes + length) {
        pending_ = found;
        length = found - head->bytes;
        for (int i = 0; i < 4 && length > 0 && IsBlank(text[head->bytes + length - 1]); i++) length--;
        Note(offset, head->length ? fmt::format("Content-Length is {}, but the block has {} bytes",
                                                *head->length, length)
                                  : "a record without Content-Length");
        record.whole = true;
      } else if (!head->length) {
        while (length > 0 && IsBlank(text[head->bytes + length - 1])) length--;
        Note(offset, "a record without Content-Length");
        record.whole = head->bytes + wanted >= text.size();
      } else if (!record.whole) {
        Note(offset, fmt::format("truncated: found {} of {} bytes", length, *head->length));
      }
    }
    record.block = text.substr(head->bytes, length);
    record.offset = offset;
    if (plain_) {
      record.stored_bytes = head->bytes + length;
    } else if (records_in_source_ == 0) {
      record.stored_bytes = source_->stored_bytes().value_or(0);
    }
    many_in_source_ = many_in_source_ || (!plain_ && records_in_source_ > 0);
    records_in_source_++;
    return record;
  }
}

}  // namespace crivello::store
