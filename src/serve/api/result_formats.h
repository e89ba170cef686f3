// SPDX-License-Identifier: Apache-2.0
// Results for spreadsheets and feed readers.  Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "search/searcher.h"

namespace crivello::serve {

// RFC 4180, with a header line.  A cell that a spreadsheet would run as a formula is prefixed with an
// apostrophe, because the text comes from pages that anyone can write.
std::string ResultsCsv(const search::SearchAnswer& answer, size_t offset);

struct FeedLinks {
  std::string base;  // "http://127.0.0.1:8765/"
  std::string self;  // the address of the feed
};
// RSS 2.0 with the elements of OpenSearch.
std::string ResultsRss(const search::SearchAnswer& answer, size_t offset, const FeedLinks& links);

// The description with which browsers add a search engine (OpenSearch 1.1); `base` as above.
std::string OpenSearchDescription(const std::string& base);

}  // namespace crivello::serve
