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
  // Show archived pages; whoever has no right to them switches that off.
  bool cached_copies = true;
  size_t results_per_page = 10;
  size_t results_per_site = 2;  // more follow under a link; 0: as many as there are
  search::RankingOptions ranking = {};
  Duration timeout = kSearchTimeout;
  // A ranking profile by its name; empty: there are none.
  std::function<Result<search::RankingOptions>(std::string_view name)> profiles = {};
  // Why queued pages are not being fetched; empty if they are, or there is nobody to ask.
  std::function<std::string()> standstill = {};
};

// The pages that people search with, rendered here; docs/search-page.md shows them.
//
//   /                the first page; /?q= results (site, lang, date, type, page); /search leads here
//   /facets?q=       sites, languages, types and years of the results: a part of that page, loaded after it
//   /cached?url=     a copy; /cached/content?url= the document in its frame
//   /similar?url=    pages like one
//   /explain?q=&url= why a result has its place
//   /why?url=        what was decided about a URL
//   /assets/…        style, scripts and pictures, kept by browsers for good
//
// Answers 404 for other paths.  The pages link to /opensearch.xml and call /api/v1, which are the Service's.
// Thread-safe; what it is given must outlive it.
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
  // The text of a document that was imported and so has no record, of which `record` is the status.
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
