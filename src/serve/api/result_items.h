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
  // What someone asked to find them: "why this result" is asked of the query, and "more from this site" of
  // the form.  Where nobody did, no words are marked and sites are not grouped.
  std::string query = {};
  const SearchForm* form = nullptr;
  bool cached_copies = true;
};

// Results as a list: each an article with its heading, where it is, a passage, what is known of it, its
// copies folded away, and a menu.
void WriteResults(HtmlWriter& html, const ResultItems& items);

}  // namespace crivello::serve
