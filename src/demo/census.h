// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "demo/built_in_web.h"

namespace crivello::demo {

// What a polite crawl of the built-in web from its Seeds() must come to: the truth for tests of the crawler.
// All URLs are canonical and sorted; none is of the calendar without end, and none is a robots.txt or a
// sitemap, which are no pages.
struct Census {
  // To be archived with 200, each once.  The same whether a crawl follows links from one host to another or
  // only redirects.
  std::vector<std::string> reachable;
  std::vector<std::string> only_in_sitemaps;  // of the reachable: found through no link
  std::vector<std::string> redirects;         // answer with a redirect
  std::vector<std::string> dead;              // linked to, answer 404
  std::vector<std::string> disallowed;        // linked to, and never to be asked for: robots.txt
  std::vector<std::string> unfollowed;        // linked to only by links that are not to be followed
};

// A crawl by the book, from the data and without a network: queue, set, robots.txt, links, sitemaps.
Census TakeCensus(const BuiltInWeb& web, std::string_view agent = "crivello");

// Its `reachable`.
std::vector<std::string> ReachablePages(const BuiltInWeb& web);

}  // namespace crivello::demo
