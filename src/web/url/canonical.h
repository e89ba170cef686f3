// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "web/url/url.h"

namespace crivello::web {

struct CanonicalOptions {
  // Sorts the parameters of the query by name, those of one name staying in order.  Off: servers exist for
  // which the order counts, and a URL that was never linked to would be fetched.
  bool sort_query = false;
};

// The canonical form of a URL is the one under which the crawler knows a page.  Two URLs that every server
// must take for the same have the same form; URLs that only most servers take for the same stay apart
// (duplicates are found by content).  On top of what parsing does to any URL (lower case of scheme and host,
// IDNA, default port dropped, dot segments resolved, an empty path becomes "/"):
//
//   - only http and https: nothing else is fetched;
//   - no fragment: it is never sent;
//   - no user name and password: they do not name the page, and must not get into an index;
//   - a final dot of the host is dropped: DNS takes both for the same name.  A host that DNS cannot carry (an
//     empty label, over 253 bytes) has no canonical form;
//   - in path and query, escapes of unreserved characters (letters, digits, "-._~") are decoded and all
//   others
//     are in upper case (RFC 3986 §6.2.2).  Nothing else is encoded or decoded: "%2F" and "/" differ;
//   - an empty query ("/?") is dropped; other queries stay as they are, unless options.sort_query.
//
// Kept apart on purpose: "//" in paths, "/index.html", "www.", letter case of paths, session parameters.
//
// Idempotent: the canonical form of a canonical form is itself.  Linear time.
//
// Makes `*canonical` the canonical form of `url`; false, with `*canonical` empty, if it has none.  Reuses the
// memory of `*canonical`.  REQUIRES: canonical != &url.
[[nodiscard]] bool Canonicalize(const Url& url, Url* canonical, const CanonicalOptions& options = {});

// The canonical form of `input`, relative to `base` if there is one, or an error that tells the input.
Result<Url> CanonicalUrl(std::string_view input, const Url* base = nullptr,
                         const CanonicalOptions& options = {});

}  // namespace crivello::web
