// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "search/searcher.h"
#include "serve/api/page_source.h"
#include "serve/http/http.h"
#include "serve/pages/facets.h"
#include "serve/pages/search_form.h"

namespace crivello::serve {

// The home page: a search box, how much can be searched, and how to ask.
// `standstill`: why the queued pages are not being fetched; empty if they are.
HttpResponse HomePage(const Facets::Values& facets, const CollectionStats& counts,
                      const std::string& standstill);

struct ResultsView {
  const SearchForm& form;
  const search::SearchAnswer& answer;
  const Facets::Values& facets;
  const CollectionStats& counts;
  std::string standstill;  // as above
  std::string query;       // the whole form as one query
  std::string meant;       // a spelling that would find more; empty if none would
  size_t per_page = 10;
  bool cached_copies = true;
  int64_t milliseconds = 0;  // how long the search took
};
HttpResponse ResultsPage(const ResultsView& view);

// How many of the found pages have each value of each facet, as links that narrow the search.  A part of the
// results page.
HttpResponse FacetsFragment(const SearchForm& form, const std::vector<search::Facet>& facets);

struct SimilarView {
  std::string url;
  const search::SearchAnswer& answer;
  bool cached_copies = true;
};
HttpResponse SimilarPage(const SimilarView& view);

}  // namespace crivello::serve
