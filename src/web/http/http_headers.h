// SPDX-License-Identifier: Apache-2.0
// The values of the header fields that a crawler acts on.  All functions take a field's value as it came
// (folded or not), read what they can and skip what they cannot; none fails, allocates more than the value's
// size, or takes more than linear time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "web/http/http_message.h"

namespace crivello::web {

// Content-Type: text/html; charset="utf-8".  Empty type and subtype if there is no "type/subtype" in front.
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
// If a parameter is there twice, the first counts.
MediaType ParseMediaType(std::string_view value);

// Content-Disposition (RFC 6266): the name is in UTF-8, from filename* if it can be read, else from filename;
// its folders, of either system, are cut off, so that it names no place.
struct ContentDisposition {
  std::string type;  // lower case: "inline", "attachment"
  std::string filename;
};
ContentDisposition ParseContentDisposition(std::string_view value);

// An extended parameter (RFC 8187), charset'language'percent-encoded, in UTF-8; nothing if it is none.
std::optional<std::string> DecodeExtendedValue(std::string_view value);

// Cache-Control (RFC 9111).  Times in seconds; an unreadable time is 0, which means: stale now.
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

// For how many seconds from `now` an answer may be used without asking again, as its Cache-Control, Age,
// Expires and Date say (RFC 9111, section 4.2; a cache of one user, so s-maxage is not for it): 0 if it may
// not, nothing if they do not say.
std::optional<int64_t> FreshSeconds(const HttpFields& fields, int64_t now);

// Retry-After: seconds from `now`, never negative; nothing if it is neither a number nor a date.
std::optional<int64_t> ParseRetryAfter(std::string_view value, int64_t now);

// ETag: "opaque" or W/"opaque"; quotes that a server forgot are none of the tag.
struct EntityTag {
  std::string_view opaque;
  bool weak = false;
};
std::optional<EntityTag> ParseEntityTag(std::string_view value);
// The same content, byte for byte only if neither is weak (RFC 9110, section 8.8.3.2).
bool WeaklyEqual(const EntityTag& a, const EntityTag& b);
bool StronglyEqual(const EntityTag& a, const EntityTag& b);

// What to send back in If-None-Match and If-Modified-Since.
struct Validators {
  std::string_view etag;                 // the whole field value, as it must be sent; may be empty
  std::optional<int64_t> last_modified;  // never after `now`: a server's clock does not make a page newer
};
Validators FindValidators(const HttpFields& fields, int64_t now);

// Content-Length: the number, if all fields of that name state the same one.
std::optional<uint64_t> FindContentLength(const HttpFields& fields);

}  // namespace crivello::web
