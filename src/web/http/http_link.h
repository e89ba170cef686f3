// SPDX-License-Identifier: Apache-2.0
// Link header fields (RFC 8288): Link: </feed>; rel="alternate"; type="application/rss+xml", <...>; ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

struct HttpLink {
  std::string target;  // between < and >, not resolved
  std::string rel;     // lower case, words separated by spaces
  std::string type;
  std::vector<std::string> hreflang;  // in order; a link may have several
  std::string title;                  // UTF-8: from title* if present
  std::string media;
  std::string anchor;  // if not empty, the link is from this URL instead of the page

  // Whether `word` (lower case) is among the words of rel.
  bool HasRel(std::string_view word) const;
};

// The links of a value, at most `max`; malformed parts are skipped up to the next comma. Linear.
std::vector<HttpLink> ParseLinks(std::string_view value, size_t max = 256);

}  // namespace crivello::web
