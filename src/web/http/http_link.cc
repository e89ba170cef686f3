// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_link.h"

#include <algorithm>

#include "web/http/http_headers.h"
#include "web/http/http_syntax.h"

namespace crivello::web {
namespace {

using internal::FieldReader;

void SetParameter(std::string_view name, std::string value, HttpLink& link) {
  const auto set_first = [&](std::string& field) {
    if (field.empty()) field = std::move(value);
  };
  if (EqualsIgnoringCase(name, "rel")) {
    set_first(link.rel);
  } else if (EqualsIgnoringCase(name, "type")) {
    set_first(link.type);
  } else if (EqualsIgnoringCase(name, "media")) {
    set_first(link.media);
  } else if (EqualsIgnoringCase(name, "anchor")) {
    set_first(link.anchor);
  } else if (EqualsIgnoringCase(name, "title")) {
    set_first(link.title);
  } else if (EqualsIgnoringCase(name, "title*")) {
    if (auto text = DecodeExtendedValue(value)) link.title = std::move(*text);
  } else if (EqualsIgnoringCase(name, "hreflang")) {
    link.hreflang.push_back(std::move(value));
  }
}

}  // namespace

bool HttpLink::HasRel(std::string_view word) const {
  for (std::string_view rest = rel; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find_first_of(" \t\r\n"));
    if (one == word) return true;
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return false;
}

std::vector<HttpLink> ParseLinks(std::string_view value, size_t max) {
  std::vector<HttpLink> links;
  FieldReader reader(value);
  while (!reader.AtEnd() && links.size() < max) {
    reader.SkipSpace();
    if (reader.Take(',')) continue;
    if (!reader.Take('<')) {
      reader.TakeUntil(",");
      continue;
    }
    HttpLink link;
    link.target = internal::TrimHttpSpace(reader.TakeUntil(">"));
    if (!reader.Take('>')) break;  // without its end this is not a link, and neither is the rest
    reader.SkipSpace();
    while (reader.Take(';')) {
      const std::string_view name = internal::TrimHttpSpace(reader.TakeUntil("=;,"));
      if (reader.Take('=')) SetParameter(name, reader.TakeValue(";,"), link);
    }
    reader.TakeUntil(",");
    link.rel = ToAsciiLower(link.rel);
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace crivello::web
