// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "web/url/url.h"

namespace crivello::web {

// The row key of a page is its URL with the host reversed, with scheme and port:
//
//   https://di.unimi.it/path?query  <->  it,unimi,di)https:443/path?query
//
// Keys compare as bytes, so the pages of a host are neighbours, and so are the hosts of a domain. Labels are
// joined by "," and the host ends with ")". Within labels, the bytes from ")" to "," (that is ) * + and ,)
// are escaped as %29 %2A %2B %2C, so that "it,unimi)" and "it,unimi,..." form one range that contains no
// other domain. IP literals are not reversed. A host cannot contain "%", so the mapping is reversible.
//
// All functions are pure and linear.

// Appends the key of a URL. InvalidArgument if the URL is not http or https, or has credentials or a
// fragment, which keys do not store; a canonical URL (canonical.h) has neither.
Status AppendRowKey(const Url& url, std::string* key);
Result<std::string> RowKey(const Url& url);

// The URL of a key.  Corruption if it is not, byte by byte, the key of a URL.
Result<Url> UrlOfRowKey(std::string_view key);

// The keys k with begin <= k < end; an empty end means no upper bound.
struct RowKeyRange {
  std::string begin;
  std::string end;
  bool Contains(std::string_view key) const { return key >= begin && (end.empty() || key < end); }
};

// Every key that starts with `prefix`.
RowKeyRange RowKeysWithPrefix(std::string_view prefix);
// The keys of a host, for every scheme and port; `host` as returned by Url::hostname().
RowKeyRange RowKeysOfHost(std::string_view host);
// The keys of a domain and all its subdomains (of just the host if it is an IP literal).
RowKeyRange RowKeysOfDomain(std::string_view domain);

}  // namespace crivello::web
