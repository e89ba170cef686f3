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

// The first page: a box, what there is to search, and how to ask.
// `standstill`: why the queued pages are not being fetched; empty if they are.
HttpResponse HomePage(const Facets::Values& facets, const CollectionStats& counts,
                      const std::string& standstill);

struct ResultsView {
  const SearchForm& form;
  const search::SearchAnswer& answer;
  const Facets::Values& facets;
  const CollectionStats& counts;
  std::string standstill;  // as above
  std::string query;       // of the form, as one
  std::string meant;       // words that would find more; empty if none would
  size_t per_page = 10;
  bool cached_copies = true;
  int64_t milliseconds = 0;  // it took
};
HttpResponse ResultsPage(const ResultsView& view);

// How many of the pages found have each value of each facet, as links that narrow the search; a part of the
// page of results.
HttpResponse FacetsFragment(const SearchForm& form, const std::vector<search::Facet>& facets);

struct SimilarView {
  std::string url;
  const search::SearchAnswer& answer;
  bool cached_copies = true;
};
HttpResponse SimilarPage(const SimilarView& view);

}  // namespace crivello::serve
