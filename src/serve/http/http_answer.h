// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "serve/http/http.h"

namespace crivello::serve {

// Makes a handler's answer ready for the wire; what the handler set itself stays:
//   - header fields that keep browsers from doing what no page of ours needs (kContentSecurityPolicy and
//   others);
//   - an ETag of the body for a 200, and 304 in its place if the client has that body already;
//   - gzip, where it is accepted and the body has kMinGzipBytes or more and is not compressed by its type.
// Costs a pass over the body, and some 10 ns a byte if it is compressed.  Thread-safe.
void FinishAnswer(const HttpRequest& request, HttpResponse* answer);

inline constexpr size_t kMinGzipBytes = 1024;
inline constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'";

// Whether an Accept-Encoding (RFC 9110, 12.5.3) takes gzip.
bool AcceptsGzip(std::string_view accept_encoding);
// Whether one of an If-None-Match's tags is `tag`, compared weakly.
bool MatchesTag(std::string_view if_none_match, std::string_view tag);

// The status line and the header fields, with the empty line; bytes that would end a line early are left out.
struct HeadOptions {
  bool keep_alive = true;
  int64_t time_seconds = 0;  // for Date
};
std::string HeadOf(const HttpResponse& answer, const HeadOptions& options);

}  // namespace crivello::serve
