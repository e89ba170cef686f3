// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "demo/built_in_web.h"

namespace crivello::demo {

// The expected result of a polite crawl of the built-in web from its Seeds(): the ground truth for tests of
// the crawler.  All URLs are canonical and sorted; none is in the endless calendar, and none is a robots.txt
// or a sitemap, which are not pages.
struct Census {
  // To be archived with 200, once each.  The same whether a crawl follows links from one host to another or
  // only redirects.
  std::vector<std::string> reachable;
  std::vector<std::string> only_in_sitemaps;  // of the reachable: no link leads to these
  std::vector<std::string> redirects;         // answer with a redirect
  std::vector<std::string> dead;              // linked to, answer 404
  std::vector<std::string> disallowed;        // linked to, but must never be requested: robots.txt
  std::vector<std::string> unfollowed;        // linked to only by links that must not be followed
};

// A crawl by the rules, from the data and without a network: queue, set, robots.txt, links, sitemaps.
Census TakeCensus(const BuiltInWeb& web, std::string_view agent = "crivello");

// Its `reachable`.
std::vector<std::string> ReachablePages(const BuiltInWeb& web);

}  // namespace crivello::demo
