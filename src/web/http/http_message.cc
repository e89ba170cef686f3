// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_message.h"

#include <algorithm>

#include "web/http/http_syntax.h"

namespace crivello::web {

using internal::TrimHttpSpace;

namespace {

// The line at `at`, without its line break; moves `at` past it.
std::string_view NextLine(std::string_view bytes, size_t& at) {
  const size_t end = bytes.find('\n', at);
  std::string_view line = bytes.substr(at, end - at);
  at = end == std::string_view::npos ? bytes.size() : end + 1;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string_view NextWord(std::string_view& line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

// "HTTP/1.1", "HTTP/2", "http/1.0"; also a bare "HTTP" and the "ICY" of streaming servers, both as 1.0.
std::optional<HttpVersion> ParseVersion(std::string_view word) {
  if (EqualsIgnoringCase(word, "HTTP") || word == "ICY") return HttpVersion{1, 0};
  if (word.size() < 6 || !EqualsIgnoringCase(word.substr(0, 5), "HTTP/") || !IsAsciiDigit(word[5]))
    return std::nullopt;
  HttpVersion version = {word[5] - '0', 0};
  if (word.size() == 6) return version;
  if (word.size() != 8 || word[6] != '.' || !IsAsciiDigit(word[7])) return std::nullopt;
  version.minor = word[7] - '0';
  return version;
}

int ParseStatus(std::string_view word) {
  if (word.size() != 3) return 0;
  const auto status = internal::ParseDigits(word);
  return status && *status >= 100 ? static_cast<int>(*status) : 0;
}

}  // namespace

class HttpFieldsParser {
 public:
  static HttpFieldBlock Parse(std::string_view bytes, const HttpLimits& limits) {
    bytes = bytes.substr(0, limits.max_head_bytes);
    HttpFieldBlock block;
    HttpFields& fields = block.fields;
    fields.fields_.reserve(16);
    for (size_t at = 0; at < bytes.size();) {
      const std::string_view line = NextLine(bytes, at);
      block.bytes = at;
      if (line.empty()) {
        block.complete = true;
        break;
      }
      if (line.front() == ' ' || line.front() == '\t') {
        Continue(fields, line);
        continue;
      }
      if (fields.fields_.size() >= limits.max_fields) {
        fields.cut_ = true;
        continue;
      }
      const size_t colon = line.find(':');
      HttpField& field = fields.fields_.emplace_back();
      if (colon == std::string_view::npos) {
        fields.malformed_++;
        field.value = TrimHttpSpace(line);
      } else {
        field.name = TrimHttpSpace(line.substr(0, colon));
        field.value = line.substr(colon + 1);
        Trim(field.value);
      }
    }
    return block;
  }

 private:
  // Like TrimHttpSpace, but an empty value keeps its position, for a continuation line.
  static void Trim(std::string_view& value) {
    const std::string_view trimmed = TrimHttpSpace(value);
    value = trimmed.empty() ? value.substr(value.size()) : trimmed;
  }

  static void Continue(HttpFields& fields, std::string_view line) {
    if (fields.fields_.empty() || fields.cut_) {
      fields.malformed_++;
      return;
    }
    // The lines are adjacent in the input, so the value is still a single view.
    std::string_view& value = fields.fields_.back().value;
    value = std::string_view(value.data(), static_cast<size_t>(line.data() + line.size() - value.data()));
    Trim(value);
    fields.fields_.back().folded = true;
  }
};

std::string HttpField::Unfolded() const {
  if (!folded) return std::string(value);
  std::string text;
  for (size_t at = 0; at < value.size();) {
    const std::string_view part = TrimHttpSpace(NextLine(value, at));
    if (!text.empty() && !part.empty()) text.push_back(' ');
    text.append(part);
  }
  return text;
}

bool HttpFields::SameName(std::string_view a, std::string_view b) { return EqualsIgnoringCase(a, b); }

std::optional<std::string_view> HttpFields::Find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const HttpField& field) { return SameName(field.name, name); });
  if (found == fields_.end()) return std::nullopt;
  return found->value;
}

size_t HttpFields::Count(std::string_view name) const {
  return static_cast<size_t>(std::count_if(
      fields_.begin(), fields_.end(), [&](const HttpField& field) { return SameName(field.name, name); }));
}

std::string HttpFields::Joined(std::string_view name) const {
  std::string joined;
  for (const HttpField& field : fields_) {
    if (!SameName(field.name, name)) continue;
    if (!joined.empty()) joined += ", ";
    joined += field.Unfolded();
  }
  return joined;
}

HttpFieldBlock ParseHttpFields(std::string_view bytes, const HttpLimits& limits) {
  return HttpFieldsParser::Parse(bytes, limits);
}

HttpResponse ParseHttpResponse(std::string_view bytes, const HttpLimits& limits) {
  HttpResponse response;
  size_t at = 0;
  std::string_view line = NextLine(bytes, at);
  const auto version = ParseVersion(NextWord(line));
  if (!version) {
    response.version = {0, 9};
    response.body = bytes;
    return response;
  }
  response.version = *version;
  const std::string_view before_status = line;
  response.status = ParseStatus(NextWord(line));
  response.reason = TrimHttpSpace(response.status == 0 ? before_status : line);
  HttpFieldBlock block = ParseHttpFields(bytes.substr(at), limits);
  response.fields = std::move(block.fields);
  response.head_bytes = at + block.bytes;
  response.complete_head = block.complete;
  response.body = bytes.substr(response.head_bytes);
  return response;
}

HttpRequest ParseHttpRequest(std::string_view bytes, const HttpLimits& limits) {
  HttpRequest request;
  size_t at = 0;
  std::string_view line = NextLine(bytes, at);
  request.method = NextWord(line);
  // A target that contains spaces, as sent by careless clients, extends to the version.
  const size_t last = line.find_last_of(" \t");
  const auto version =
      last == std::string_view::npos ? std::nullopt : ParseVersion(TrimHttpSpace(line.substr(last + 1)));
  request.version = version.value_or(HttpVersion{0, 9});
  request.target = TrimHttpSpace(version ? line.substr(0, last) : line);
  HttpFieldBlock block = ParseHttpFields(bytes.substr(at), limits);
  request.fields = std::move(block.fields);
  request.head_bytes = at + block.bytes;
  request.complete_head = block.complete;
  request.body = bytes.substr(request.head_bytes);
  return request;
}

}  // namespace crivello::web
