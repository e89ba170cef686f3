// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "search/query/doc_iterator.h"
#include "search/query/query_plan.h"
#include "search/searcher.h"

namespace crivello::search {

// What facets there are: "site", "lang", "type", "year".
std::span<const std::string_view> FacetNames();
// InvalidArgument names the first that is none.
Status CheckFacets(std::span<const std::string> names);

// Counts the values that the pages found by a query have: up to kMaxFacetPages of them exactly.  Of more it
// looks at the beginnings of windows that cover all segments evenly, and scales what it finds: `about`.
//
// `documents` gives the documents that the query finds in a segment, without those that are deleted.  Each
// facet has its kMaxFacetValues most frequent values, the most frequent first.
constexpr uint64_t kMaxFacetPages = 100'000;
constexpr size_t kMaxFacetValues = 20;
std::vector<Facet> CountFacets(std::span<const std::string> names, std::span<const SearchedSegment> segments,
                               const std::function<std::unique_ptr<DocIterator>(size_t segment)>& documents,
                               uint64_t max_pages, Stopper& stopper);

}  // namespace crivello::search
