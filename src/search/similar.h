// SPDX-License-Identifier: Apache-2.0
// A page as a query: what finds others like it.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "index/segments/snapshot.h"
#include "search/query/query.h"
#include "search/query/query_plan.h"

namespace crivello::search {

// Where the page of a URL is: by the URL as it is given, else by its canonical form, else by that of
// https://URL and of http://URL.  NotFound if the index has no current version of it.  Looks at the key of
// every document.
Result<Hit> FindPage(const index::Snapshot& snapshot, std::string_view url);

// The words of a page that tell it from others: those of most weight
//   t / (t + 1) · idf,  t = how often it occurs, in the title twice
// up to kTellingWords of them, as a query of optional words, each boosted by its t / (t + 1).  (The query
// brings the idf.)  Words that no other page has find nothing and are left out.
//
// Reads the first kTellingBytes of the page, and looks the words up that are most frequent there.
constexpr size_t kTellingWords = 25;
constexpr size_t kTellingBytes = 1 << 20;
Query TellingWords(const index::StoredDocument& page, std::string_view language,
                   std::span<const SearchedSegment> segments, const CollectionStatistics& statistics,
                   text::Analyser& analyser);

}  // namespace crivello::search
