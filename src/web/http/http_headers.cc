// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_headers.h"

#include <algorithm>

#include "charset/encoding_decode.h"
#include "charset/utf8.h"
#include "web/http/http_date.h"
#include "web/http/http_syntax.h"
#include "web/url/percent.h"

namespace crivello::web {

using internal::FieldReader;
using internal::TrimHttpSpace;

namespace {

std::string WithoutFolders(std::string name) {
  const size_t slash = name.find_last_of("/\\");
  if (slash != std::string::npos) name.erase(0, slash + 1);
  name.erase(std::remove_if(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }),
             name.end());
  if (name == "." || name == "..") name.clear();
  return name;
}

int64_t Seconds(std::string_view text) {
  const auto value = internal::ParseDigits(text);
  // Capped as in RFC 9111: more than 2^31 means forever.
  return value ? static_cast<int64_t>(std::min<uint64_t>(*value, uint64_t{1} << 31)) : 0;
}

}  // namespace

bool MediaType::IsHtml() const {
  return (type == "text" && subtype == "html") || (type == "application" && subtype == "xhtml+xml");
}

bool MediaType::IsXml() const {
  return ((type == "text" || type == "application") && subtype == "xml") ||
         (subtype.size() > 4 && subtype.substr(subtype.size() - 4) == "+xml");
}

MediaType ParseMediaType(std::string_view value) {
  MediaType media;
  FieldReader reader(value);
  // Several types in one value come from joined fields: use the first.
  const std::string_view essence = TrimHttpSpace(reader.TakeUntil(";,"));
  const size_t slash = essence.find('/');
  if (slash != std::string_view::npos && slash > 0 && slash + 1 < essence.size()) {
    media.type = ToAsciiLower(TrimHttpSpace(essence.substr(0, slash)));
    media.subtype = ToAsciiLower(TrimHttpSpace(essence.substr(slash + 1)));
  }
  while (reader.Take(';')) {
    const std::string_view name = TrimHttpSpace(reader.TakeUntil("=;,"));
    if (!reader.Take('=')) continue;
    std::string parameter = reader.TakeValue(";,");
    if (EqualsIgnoringCase(name, "charset") && media.charset.empty()) {
      // Wrong quotes are common, and browsers accept them.
      if (parameter.size() >= 2 && parameter.front() == '\'' && parameter.back() == '\'') {
        parameter = parameter.substr(1, parameter.size() - 2);
      }
      media.charset = std::move(parameter);
    } else if (EqualsIgnoringCase(name, "boundary") && media.boundary.empty()) {
      media.boundary = std::move(parameter);
    }
  }
  return media;
}

std::optional<std::string> DecodeExtendedValue(std::string_view value) {
  const size_t first = value.find('\'');
  if (first == std::string_view::npos) return std::nullopt;
  const size_t second = value.find('\'', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto encoding = charset::EncodingForLabel(value.substr(0, first));
  if (!encoding) return std::nullopt;
  std::string bytes;
  AppendPercentDecoded(value.substr(second + 1), &bytes);
  return std::string(charset::DecodeToUtf8(bytes, *encoding).text());
}

ContentDisposition ParseContentDisposition(std::string_view value) {
  ContentDisposition disposition;
  FieldReader reader(value);
  disposition.type = ToAsciiLower(TrimHttpSpace(reader.TakeUntil(";")));
  if (disposition.type.find('=') != std::string::npos) {  // only "filename=x"
    disposition.type.clear();
    reader = FieldReader(value);
  }
  std::optional<std::string> plain;
  std::optional<std::string> extended;
  do {
    const std::string_view name = TrimHttpSpace(reader.TakeUntil("=;"));
    if (!reader.Take('=')) continue;
    const std::string parameter = reader.TakeValue(";");
    if (EqualsIgnoringCase(name, "filename*") && !extended) {
      extended = DecodeExtendedValue(parameter);
    } else if (EqualsIgnoringCase(name, "filename") && !plain) {
      const bool utf8 = charset::IsValidUtf8(parameter);
      plain =
          charset::DecodeToUtf8(parameter, utf8 ? charset::Encoding::kUtf8 : charset::Encoding::kWindows1252)
              .text();
    }
  } while (reader.Take(';'));
  disposition.filename = WithoutFolders(extended ? *extended : plain.value_or(""));
  return disposition;
}

CacheControl ParseCacheControl(std::string_view value) {
  CacheControl control;
  FieldReader reader(value);
  do {
    const std::string_view name = TrimHttpSpace(reader.TakeUntil("=,"));
    std::string argument;
    if (reader.Take('=')) argument = reader.TakeValue(",");
    const auto is = [&](std::string_view directive) { return EqualsIgnoringCase(name, directive); };
    const auto first = [&](std::optional<int64_t>& age) {
      if (!age) age = Seconds(argument);
    };
    if (is("no-store")) {
      control.no_store = true;
    } else if (is("no-cache")) {
      // With field names, only those fields must be revalidated.
      control.no_cache = control.no_cache || argument.empty();
    } else if (is("private")) {
      control.is_private = true;
    } else if (is("public")) {
      control.is_public = true;
    } else if (is("must-revalidate")) {
      control.must_revalidate = true;
    } else if (is("no-transform")) {
      control.no_transform = true;
    } else if (is("immutable")) {
      control.immutable = true;
    } else if (is("max-age")) {
      first(control.max_age);
    } else if (is("s-maxage")) {
      first(control.s_maxage);
    } else if (is("stale-while-revalidate")) {
      first(control.stale_while_revalidate);
    } else if (is("stale-if-error")) {
      first(control.stale_if_error);
    }
  } while (reader.Take(','));
  return control;
}

std::optional<int64_t> FreshSeconds(const HttpFields& fields, int64_t now) {
  const CacheControl control = ParseCacheControl(fields.Joined("cache-control"));
  if (control.no_store || control.no_cache) return 0;
  const auto expires = fields.Find("expires");
  if (!control.max_age && !expires) return std::nullopt;
  int64_t fresh = control.max_age.value_or(0);
  if (!control.max_age) {
    const int64_t sent = ParseHttpDate(fields.Find("date").value_or(""), now).value_or(now);
    // A value that is not a date means the past ("Expires: 0").
    fresh = ParseHttpDate(*expires, now).value_or(sent) - sent;
  }
  const int64_t age = Seconds(TrimHttpSpace(fields.Find("age").value_or("")));
  return std::max<int64_t>(0, fresh - age);
}

std::optional<int64_t> ParseRetryAfter(std::string_view value, int64_t now) {
  value = TrimHttpSpace(value);
  if (internal::ParseDigits(value)) return Seconds(value);
  const auto date = ParseHttpDate(value, now);
  if (!date) return std::nullopt;
  return std::max<int64_t>(0, *date - now);
}

std::optional<EntityTag> ParseEntityTag(std::string_view value) {
  value = TrimHttpSpace(value);
  EntityTag tag;
  if (value.substr(0, 2) == "W/" || value.substr(0, 2) == "w/") {
    tag.weak = true;
    value.remove_prefix(2);
  }
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  if (value.empty() || value.find('"') != std::string_view::npos) return std::nullopt;
  tag.opaque = value;
  return tag;
}

bool WeaklyEqual(const EntityTag& a, const EntityTag& b) { return a.opaque == b.opaque; }

bool StronglyEqual(const EntityTag& a, const EntityTag& b) {
  return !a.weak && !b.weak && a.opaque == b.opaque;
}

Validators FindValidators(const HttpFields& fields, int64_t now) {
  Validators validators;
  const auto etag = fields.Find("ETag");
  if (etag && ParseEntityTag(*etag)) validators.etag = *etag;
  if (const auto modified = fields.Find("Last-Modified")) {
    validators.last_modified = ParseHttpDate(*modified, now);
    if (validators.last_modified > now) validators.last_modified.reset();
  }
  return validators;
}

std::optional<uint64_t> FindContentLength(const HttpFields& fields) {
  std::optional<uint64_t> length;
  bool bad = false;
  fields.ForEach("Content-Length", [&](std::string_view value) {
    FieldReader reader(value);
    do {  // "42, 42" comes from two joined fields
      const auto one = internal::ParseDigits(TrimHttpSpace(reader.TakeUntil(",")));
      bad = bad || !one || (length && *length != *one);
      length = one;
    } while (reader.Take(','));
  });
  if (bad) return std::nullopt;
  return length;
}

}  // namespace crivello::web
