// SPDX-License-Identifier: Apache-2.0
#include "store/cdxj.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/digest.h"
#include "charset/utf8.h"
#include "store/surt.h"

namespace crivello::store {
namespace {

constexpr size_t kTimestampDigits = 14;

void AppendJsonString(std::string_view text, std::string* out) {
  *out += '"';
  for (size_t at = 0; at < text.size();) {
    const auto code = static_cast<uint32_t>(charset::TakeCodePoint(text, &at));
    if (code == '"' || code == '\\') {
      *out += '\\';
      *out += static_cast<char>(code);
    } else if (code >= 0x20 && code < 0x7f) {
      *out += static_cast<char>(code);
    } else if (code < 0x10000) {
      *out += fmt::format("\\u{:04x}", code);
    } else {
      *out += fmt::format("\\u{:04x}\\u{:04x}", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
    }
  }
  *out += '"';
}

Result<uint64_t> ToNumber(std::string_view name, std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return Status::Corruption(fmt::format("cdxj: \"{}\" must be a number, but is \"{:.40}\"", name, text));
}

Status SetField(std::string_view name, std::string value, CdxjEntry* entry) {
  const std::pair<std::string_view, std::string*> texts[] = {{"url", &entry->url},
                                                             {"mime", &entry->mime},
                                                             {"status", &entry->status},
                                                             {"digest", &entry->digest},
                                                             {"filename", &entry->filename}};
  for (const auto& [known, field] : texts) {
    if (name != known) continue;
    *field = std::move(value);
    return Status::Ok();
  }
  const std::pair<std::string_view, std::optional<uint64_t>*> numbers[] = {{"length", &entry->length},
                                                                           {"offset", &entry->offset}};
  for (const auto& [known, field] : numbers) {
    if (name != known) continue;
    if (value.empty() || value == "-") return Status::Ok();  // some writers use "-" for unknown values
    CRV_ASSIGN(*field, ToNumber(name, value));
    return Status::Ok();
  }
  entry->more.emplace_back(name, std::move(value));
  return Status::Ok();
}

}  // namespace

std::string CdxjMime(std::string_view content_type) {
  const size_t start = std::min(content_type.find_first_not_of(" \t\r\n"), content_type.size());
  content_type.remove_prefix(start);
  return std::string(content_type.substr(0, content_type.find_first_of("; \t\r\n")));
}

bool IsCdxjHeader(std::string_view line) { return line.starts_with('!') || line.starts_with(" CDX"); }

std::string FormatCdxj(const CdxjEntry& entry) {
  std::string line = entry.key + " " + entry.timestamp + " {";
  bool first = true;
  const auto add = [&](std::string_view name, std::string_view value) {
    line += first ? "" : ", ";
    first = false;
    AppendJsonString(name, &line);
    line += ": ";
    AppendJsonString(value, &line);
  };
  const auto add_known = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) add(name, value);
  };
  const auto number = [](std::optional<uint64_t> value) { return value ? std::to_string(*value) : ""; };
  add_known("url", entry.url);
  add_known("mime", entry.mime);
  add_known("status", entry.status);
  add_known("digest", entry.digest);
  add_known("length", number(entry.length));
  add_known("offset", number(entry.offset));
  add_known("filename", entry.filename);
  for (const auto& [name, value] : entry.more) add(name, value);
  return line + "}";
}

Result<CdxjEntry> ParseCdxj(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > kMaxCdxjBytes) return Status::Corruption("cdxj: line longer than 1 MiB");
  const size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0) return Status::Corruption("cdxj: missing key");
  CdxjEntry entry;
  entry.key = line.substr(0, space);
  line.remove_prefix(space + 1);
  const std::string_view timestamp = line.substr(0, line.find(' '));
  if (timestamp.size() != kTimestampDigits || !AllAsciiDigits(timestamp)) {
    return Status::Corruption(
        fmt::format("cdxj: expected a timestamp of 14 digits, found \"{:.40}\"", timestamp));
  }
  entry.timestamp = timestamp;
  line.remove_prefix(timestamp.size());

  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (const auto error = parser.parse(line.data(), line.size()).get(object); error != simdjson::SUCCESS) {
    return Status::Corruption(
        fmt::format("cdxj: expected a JSON object: {}", simdjson::error_message(error)));
  }
  for (const auto& [name, value] : object) {
    std::string_view text;
    CRV_TRY(SetField(name, value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value),
                     &entry));
  }
  return entry;
}

std::optional<CdxjEntry> MakeCdxjEntry(const WarcRecord& record, std::string_view filename) {
  const bool revisit = record.type == WarcType::kRevisit;
  if (record.type != WarcType::kResponse && record.type != WarcType::kResource && !revisit)
    return std::nullopt;
  const auto date = ParseWarcDate(record.date);
  if (record.target_uri.empty() || !date) return std::nullopt;

  CdxjEntry entry;
  entry.key = SurtKey(record.target_uri);
  entry.timestamp = FormatTimestamp14(*date);
  entry.url = record.target_uri;
  std::string_view payload = record.block;
  entry.mime = CdxjMime(record.content_type);
  if (record.type == WarcType::kResource && entry.mime == "application/warc-fields") return std::nullopt;
  if (record.type != WarcType::kResource && record.block.starts_with("HTTP/")) {
    const web::HttpResponse response = web::ParseHttpResponse(record.block);
    if (response.status > 0) entry.status = std::to_string(response.status);
    entry.mime = CdxjMime(response.fields.Find("Content-Type").value_or(""));
    payload = response.body;
  }
  if (revisit) entry.mime = "warc/revisit";
  entry.digest = record.fields.Find("WARC-Payload-Digest").value_or("");
  if (entry.digest.empty() && !revisit) entry.digest = Sha1Digest(payload);
  if (record.stored_bytes > 0) entry.length = record.stored_bytes;
  entry.offset = record.offset;
  entry.filename = filename;
  return entry;
}

}  // namespace crivello::store
