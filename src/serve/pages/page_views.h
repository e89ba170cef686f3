// SPDX-License-Identifier: Apache-2.0
// Pages about a single page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collection/why.h"
#include "search/searcher.h"
#include "serve/api/page_source.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The banner of a copy, and the frame that shows it.
struct CachedView {
  std::string url;
  int64_t time_seconds = 0;
  bool text_only = false;
};
HttpResponse CachedPage(const CachedView& view);

// A page that links to another, and the texts of its links.
struct Inlink {
  std::string url;
  std::string title;
  std::vector<std::string> texts;
};

// How a result got its score.
struct ExplainView {
  std::string query;
  std::string url;
  search::SearchResult result;  // with its explanation
  std::optional<size_t> place;  // among all results, from 1; nullopt if it is far down
  uint64_t inlink_count = 0;
  std::vector<Inlink> inlinks = {};  // some of them
  bool cached_copies = true;
};
HttpResponse ExplainPage(const ExplainView& view);

// Every decision made about a URL.
HttpResponse WhyPage(const std::string& url, const std::vector<collection::Reason>& reasons);

}  // namespace crivello::serve
