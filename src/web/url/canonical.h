// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "web/url/url.h"

namespace crivello::web {

struct CanonicalOptions {
  // Sorts the parameters of the query by name, keeping the order of those with equal names. Off by default:
  // on some servers the order matters, and then a URL would be fetched that nobody linked to.
  bool sort_query = false;
};

// The crawler identifies a page by its URL's canonical form. Two URLs that every server must treat as equal
// have the same form; URLs that only most servers treat as equal stay distinct (duplicates are found by
// content). In addition to what parsing does to any URL (lower-case scheme and host, IDNA, default port
// dropped, dot segments resolved, empty path becomes "/"):
//
//   - only http and https: nothing else is fetched;
//   - no fragment: it is never sent;
//   - no user name and password: they do not identify the page, and must not get into an index;
//   - a final dot of the host is dropped: DNS treats both names as equal.  A host that DNS cannot carry (an
//     empty label, over 253 bytes) has no canonical form;
//   - in path and query, escapes of unreserved characters (letters, digits, "-._~") are decoded and all
//     others are converted to upper case (RFC 3986 §6.2.2).  Nothing else is encoded or decoded: "%2F" and
//     "/" differ;
//   - an empty query ("/?") is dropped; other queries stay as they are, unless options.sort_query.
//
// Kept distinct on purpose: "//" in paths, "/index.html", "www.", letter case of paths, session parameters.
//
// Idempotent: the canonical form of a canonical form is itself.  Linear time.
//
// Sets `*canonical` to the canonical form of `url`; returns false, with `*canonical` empty, if it has none.
// Reuses the memory of `*canonical`. REQUIRES: canonical != &url.
[[nodiscard]] bool Canonicalize(const Url& url, Url* canonical, const CanonicalOptions& options = {});

// The canonical form of `input`, relative to `base` if given, or an error that quotes the input.
Result<Url> CanonicalUrl(std::string_view input, const Url* base = nullptr,
                         const CanonicalOptions& options = {});

}  // namespace crivello::web
