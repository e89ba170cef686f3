// SPDX-License-Identifier: Apache-2.0
// The values of the header fields that a crawler acts on. All functions take a field's value as received
// (folded or not), read what they can and skip what they cannot. None fails, allocates more than the value's
// size, or takes more than linear time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "web/http/http_message.h"

namespace crivello::web {

// Content-Type: text/html; charset="utf-8". Type and subtype are empty without a leading "type/subtype".
struct MediaType {
  std::string type;     // lower case
  std::string subtype;  // lower case
  std::string charset;  // as sent: a label for EncodingForLabel
  std::string boundary;

  // "text/html"
  std::string Essence() const { return type.empty() ? "" : type + "/" + subtype; }
  bool IsHtml() const;
  bool IsXml() const;
  bool IsText() const { return type == "text"; }
};
// If a parameter is repeated, the first one counts.
MediaType ParseMediaType(std::string_view value);

// Content-Disposition (RFC 6266). The name is in UTF-8, from filename* if that is readable, else from
// filename. Its folders, with either system's separators, are removed, so that it cannot name a path.
struct ContentDisposition {
  std::string type;  // lower case: "inline", "attachment"
  std::string filename;
};
ContentDisposition ParseContentDisposition(std::string_view value);

// Decodes an extended parameter (RFC 8187), charset'language'percent-encoded, to UTF-8; nullopt if invalid.
std::optional<std::string> DecodeExtendedValue(std::string_view value);

// Cache-Control (RFC 9111). Times in seconds; an unreadable time counts as 0, that is, stale immediately.
struct CacheControl {
  bool no_store = false;
  bool no_cache = false;
  bool is_private = false;
  bool is_public = false;
  bool must_revalidate = false;
  bool no_transform = false;
  bool immutable = false;
  std::optional<int64_t> max_age;
  std::optional<int64_t> s_maxage;
  std::optional<int64_t> stale_while_revalidate;
  std::optional<int64_t> stale_if_error;
};
CacheControl ParseCacheControl(std::string_view value);

// For how many seconds from `now` a response may be reused without asking again, according to its
// Cache-Control, Age, Expires and Date (RFC 9111, section 4.2; as a private cache, so it ignores s-maxage): 0
// if it may not be reused, nullopt if they do not say.
std::optional<int64_t> FreshSeconds(const HttpFields& fields, int64_t now);

// Retry-After: seconds from `now`, never negative; nullopt if it is neither a number nor a date.
std::optional<int64_t> ParseRetryAfter(std::string_view value, int64_t now);

// ETag: "opaque" or W/"opaque". Missing quotes are tolerated.
struct EntityTag {
  std::string_view opaque;
  bool weak = false;
};
std::optional<EntityTag> ParseEntityTag(std::string_view value);
// Whether both denote the same content; byte for byte only if neither is weak (RFC 9110, section 8.8.3.2).
bool WeaklyEqual(const EntityTag& a, const EntityTag& b);
bool StronglyEqual(const EntityTag& a, const EntityTag& b);

// What to send in If-None-Match and If-Modified-Since.
struct Validators {
  std::string_view etag;                 // the whole field value, as it must be sent; may be empty
  std::optional<int64_t> last_modified;  // never after `now`: a wrong server clock does not make a page newer
};
Validators FindValidators(const HttpFields& fields, int64_t now);

// Content-Length: the number, if all fields of that name agree.
std::optional<uint64_t> FindContentLength(const HttpFields& fields);

}  // namespace crivello::web
