// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "search/searcher.h"
#include "serve/api/page_source.h"
#include "serve/http/http.h"
#include "serve/pages/facets.h"
#include "serve/pages/search_form.h"
#include "serve/search_timeout.h"

namespace crivello::serve {

struct SearchSiteOptions {
  // Show archived pages; switch this off if you have no right to show them.
  bool cached_copies = true;
  size_t results_per_page = 10;
  size_t results_per_site = 2;  // more follow under a link; 0: no limit
  search::RankingOptions ranking = {};
  Duration timeout = kSearchTimeout;
  // Returns the ranking profile of this name; empty: there are no profiles.
  std::function<Result<search::RankingOptions>(std::string_view name)> profiles = {};
  // Why queued pages are not being fetched; empty if they are, or if this is not known.
  std::function<std::string()> standstill = {};
};

// The search pages, rendered on the server; docs/search-page.md shows them.
//
//   /                the home page; /?q= results (site, lang, date, type, page); /search redirects here
//   /facets?q=       sites, languages, types and years of the results: part of that page, loaded later
//   /cached?url=     a copy; /cached/content?url= the document in its frame
//   /similar?url=    pages like one
//   /explain?q=&url= why a result is at its position
//   /why?url=        every decision about a URL
//   /assets/…        style, scripts and pictures, which browsers cache forever
//
// Answers 404 for other paths.  The pages link to /opensearch.xml and call /api/v1, which Service provides.
// Thread-safe; everything passed to it must outlive it.
class SearchSite final : public HttpHandler {
 public:
  SearchSite(search::Searcher& searcher, PageSource& pages, SearchSiteOptions options = {},
             const Clock& clock = SystemClock());

  HttpResponse Handle(const HttpRequest& request) override;
  bool ReadsRows(const HttpRequest& request) const override;

 private:
  HttpResponse Search(const HttpRequest& request);
  HttpResponse FacetsOf(const HttpRequest& request);
  Result<search::SearchRequest> RequestOf(const HttpRequest& request, const SearchForm& form,
                                          int64_t now) const;
  HttpResponse Cached(const std::string& url);
  HttpResponse CachedContent(const std::string& url);
  // The text of a document that was imported and so has no record; `record` is the status of looking for it.
  std::optional<PageVersion> KeptText(const std::string& url, const Status& record);
  HttpResponse Similar(const std::string& url);
  HttpResponse Explain(const std::string& query, const std::string& url);
  HttpResponse Why(const std::string& url);
  CollectionStats Stats();
  std::string Standstill() const { return options_.standstill ? options_.standstill() : ""; }

  search::Searcher& searcher_;
  PageSource& pages_;
  const SearchSiteOptions options_;
  const Clock& clock_;
  Facets facets_;
};

}  // namespace crivello::serve
