// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "search/searcher.h"
#include "serve/pages/html_writer.h"
#include "serve/pages/search_form.h"

namespace crivello::serve {

struct ResultItems {
  const std::vector<search::SearchResult>& results;
  // The query that found them, for the link "why this result"; "more from this site" uses the form.  If they
  // did not come from a query, no words are marked and sites are not grouped.
  std::string query = {};
  const SearchForm* form = nullptr;
  bool cached_copies = true;
};

// Writes results as a list.  Each is an article with its heading, its address, a passage, what is known about
// it, its copies folded away, and a menu.
void WriteResults(HtmlWriter& html, const ResultItems& items);

}  // namespace crivello::serve
