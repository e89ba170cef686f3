// SPDX-License-Identifier: Apache-2.0
#include "serve/http/http.h"

#include "base/ascii.h"
#include "web/url/percent.h"

namespace crivello::serve {
namespace {

// A '%' that does not begin an escape is kept as is.
std::string Decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexValue(text[i + 1]) >= 0 && HexValue(text[i + 2]) >= 0) {
      out += static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

void AppendEncoded(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (IsAsciiAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      *out += c;
    } else {
      web::AppendEscape(static_cast<uint8_t>(c), out);
    }
  }
}

std::optional<std::string_view> FindField(const HttpFields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key == name) return value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> HttpRequest::Parameter(std::string_view name) const {
  return FindField(parameters, name);
}

std::optional<std::string_view> HttpRequest::Header(std::string_view name) const {
  return FindField(headers, name);
}

void ParseTarget(std::string_view target, HttpRequest* request) {
  const size_t question = target.find('?');
  request->path = Decode(target.substr(0, question), /*plus_is_space=*/false);
  if (request->path.empty() || request->path.front() != '/') request->path.insert(0, 1, '/');
  request->parameters.clear();
  if (question == std::string_view::npos) return;
  std::string_view rest = target.substr(question + 1);
  rest = rest.substr(0, rest.find('#'));
  while (!rest.empty()) {
    const size_t end = rest.find('&');
    const std::string_view one = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (one.empty()) continue;
    const size_t equals = one.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : one.substr(equals + 1);
    request->parameters.emplace_back(Decode(one.substr(0, equals), true), Decode(value, true));
  }
}

std::string QueryString(const HttpFields& parameters) {
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) out += '&';
    AppendEncoded(name, &out);
    out += '=';
    AppendEncoded(value, &out);
  }
  return out;
}

}  // namespace crivello::serve
