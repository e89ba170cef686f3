// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/search_site.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "search/facets.h"
#include "search/query/query_filter.h"
#include "serve/http/accept_language.h"
#include "serve/http/assets.h"
#include "serve/pages/cached_copy.h"
#include "serve/pages/page_frame.h"
#include "serve/pages/page_views.h"
#include "serve/pages/search_form.h"
#include "serve/pages/search_page.h"
#include "web/http/http_headers.h"
#include "web/url/url.h"

namespace crivello::serve {
namespace {

// How many results to search for one, to report its position or to explain it among those of its site.
constexpr size_t kDepth = 1000;
constexpr size_t kShownInlinks = 20;

// The position of a URL among results, from 0.
std::optional<size_t> SitePlaceOf(const search::SearchAnswer& answer, std::string_view url) {
  for (size_t i = 0; i < answer.results.size(); ++i) {
    if (answer.results[i].url == url) return i;
  }
  return std::nullopt;
}

std::vector<Inlink> ReadInlinks(const search::SearchAnswer& linking, const std::string& url,
                                PageSource& pages) {
  std::vector<Inlink> inlinks;
  for (const search::SearchResult& result : linking.results) {
    Inlink inlink = {result.url, result.title.text, {}};
    const auto versions = pages.Versions(result.url);
    if (versions.ok() && !versions->empty()) {
      for (const PageLink& link : versions->front().links) {
        const bool known =
            std::find(inlink.texts.begin(), inlink.texts.end(), link.text) != inlink.texts.end();
        if (link.url == url && !link.text.empty() && !known) inlink.texts.push_back(link.text);
      }
    }
    inlinks.push_back(std::move(inlink));
  }
  return inlinks;
}

HttpResponse NoCopies() {
  return MessagePage(404, "No cached copies", "Cached copies are disabled on this server.");
}

HttpResponse NoArchive() {
  return MessagePage(404, "No cached copy", "The publisher of this page asks that no copy be shown.");
}

}  // namespace

SearchSite::SearchSite(search::Searcher& searcher, PageSource& pages, SearchSiteOptions options,
                       const Clock& clock)
    : searcher_(searcher),
      pages_(pages),
      options_(std::move(options)),
      clock_(clock),
      facets_(searcher, clock) {}

HttpResponse SearchSite::Handle(const HttpRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    HttpResponse answer = MessagePage(405, "Method not allowed", "This page supports GET only.");
    answer.headers.emplace_back("Allow", "GET, HEAD");
    return answer;
  }
  if (request.path == "/") return Search(request);
  if (request.path == "/facets") return FacetsOf(request);
  if (request.path == "/search") {  // people type this path
    HttpResponse answer = MessagePage(301, "Moved", "The search page is at /.");
    const std::string query = QueryString(request.parameters);
    answer.headers.emplace_back("Location", query.empty() ? "/" : "/?" + query);
    return answer;
  }
  if (request.path == "/favicon.ico") return ServeAsset(AssetPath("favicon.svg"));
  if (request.path.starts_with("/assets/")) return ServeAsset(request.path);

  const std::string url(TrimAsciiSpace(request.Parameter("url").value_or("")));
  const bool about_url = request.path == "/cached" || request.path == "/cached/content" ||
                         request.path == "/similar" || request.path == "/explain" || request.path == "/why";
  if (!about_url) return MessagePage(404, "Page not found", "There is no such page on this server.");
  if (url.empty()) return MessagePage(400, "Missing URL", "The parameter url= is missing.");
  if (request.path == "/cached") return Cached(url);
  if (request.path == "/cached/content") return CachedContent(url);
  if (request.path == "/similar") return Similar(url);
  if (request.path == "/why") return Why(url);
  return Explain(std::string(request.Parameter("q").value_or("")), url);
}

bool SearchSite::ReadsRows(const HttpRequest& request) const {
  return request.path == "/cached" || request.path == "/cached/content" || request.path == "/explain" ||
         request.path == "/why";
}

CollectionStats SearchSite::Stats() {
  auto counts = pages_.LastStats();
  return counts.ok() ? *counts : CollectionStats{};
}

Result<search::SearchRequest> SearchSite::RequestOf(const HttpRequest& request, const SearchForm& form,
                                                    int64_t now) const {
  search::SearchRequest search;
  search.query = form.words;
  search.filters = form.Filters(now);
  search.count = options_.results_per_page;
  search.offset = (form.page - 1) * options_.results_per_page;
  search.per_site = form.site.empty() && form.sort.empty() ? options_.results_per_site : 0;
  search.ranking = options_.ranking;
  if (!form.profile.empty()) {
    if (!options_.profiles) return Status::NotFound("this server has no ranking profiles");
    CRV_ASSIGN(search.ranking, options_.profiles(form.profile));
  }
  search.ranking.sort = form.sort;
  search.ranking.now_seconds = now;
  search.timeout = options_.timeout;
  search.languages = AcceptedLanguages(request.Header("accept-language").value_or(""));
  return search;
}

HttpResponse SearchSite::FacetsOf(const HttpRequest& request) {
  const SearchForm form = SearchForm::FromRequest(request);
  auto search = RequestOf(request, form, ToSeconds(clock_.Wall()));
  if (!search.ok()) return ErrorPage(search.status());
  search->count = search->offset = 0;
  search->total = search::TotalKind::kNone;
  search->snippets = search->spelling = false;
  for (const std::string_view name : search::FacetNames()) search->facets.emplace_back(name);
  const auto answer = searcher_.Search(*search);
  if (!answer.ok()) return ErrorPage(answer.status());
  return FacetsFragment(form, answer->facets);
}

HttpResponse SearchSite::Search(const HttpRequest& request) {
  const SearchForm form = SearchForm::FromRequest(request);
  const Facets::Values facets = facets_.Get();
  const CollectionStats counts = Stats();
  // A visitor of this page will type next, and loading the suggestions takes a moment.
  if (form.empty()) searcher_.PrepareSuggestions();
  if (form.empty()) return HomePage(facets, counts, Standstill());

  const auto search = RequestOf(request, form, ToSeconds(clock_.Wall()));
  if (!search.ok()) return ErrorPage(search.status());
  const MonotonicTime began = clock_.Now();
  const auto answer = searcher_.Search(*search);
  if (!answer.ok()) return ErrorPage(answer.status());
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - began);
  return ResultsPage({.form = form,
                      .answer = *answer,
                      .facets = facets,
                      .counts = counts,
                      .standstill = Standstill(),
                      .query = form.has_filters() ? answer->query : form.words,
                      .meant = answer->did_you_mean,
                      .per_page = options_.results_per_page,
                      .cached_copies = options_.cached_copies,
                      .milliseconds = took.count()});
}

std::optional<PageVersion> SearchSite::KeptText(const std::string& url, const Status& record) {
  if (record.code() != StatusCode::kNotFound) return std::nullopt;
  auto versions = pages_.Versions(url);
  if (!versions.ok() || versions->empty()) return std::nullopt;
  PageVersion& newest = versions->front();
  if (newest.noarchive || newest.text.empty()) return std::nullopt;
  return std::move(newest);
}

HttpResponse SearchSite::Cached(const std::string& url) {
  if (!options_.cached_copies) return NoCopies();
  const auto record = pages_.Record(url);
  if (const auto text = KeptText(url, record.status())) {
    return CachedPage({.url = url, .time_seconds = text->time_seconds, .text_only = true});
  }
  if (!record.ok()) return ErrorPage(record.status());
  if (record->noarchive) return NoArchive();
  return CachedPage({.url = url,
                     .time_seconds = record->time_seconds,
                     .text_only = !web::ParseMediaType(ReadArchivedBody(*record).type).IsHtml()});
}

HttpResponse SearchSite::CachedContent(const std::string& url) {
  if (!options_.cached_copies) return NoCopies();
  HttpResponse answer;
  answer.type = "text/html; charset=utf-8";
  answer.headers = {{"Content-Security-Policy", std::string(kCopyPolicy)}, {"X-Frame-Options", "SAMEORIGIN"}};
  const auto record = pages_.Record(url);
  if (const auto text = KeptText(url, record.status())) {
    answer.body = ReadableText(text->title, text->text);
    return answer;
  }
  if (!record.ok()) return ErrorPage(record.status());
  if (record->noarchive) return NoArchive();
  const ArchivedBody body = ReadArchivedBody(*record);
  if (web::ParseMediaType(body.type).IsHtml()) {
    web::Url base;
    if (!base.Parse(url)) return ErrorPage(Status::InvalidArgument("'" + url + "' is not a valid URL"));
    answer.body =
        ReadableCopy(body, base, [&](const std::vector<std::string>& urls) { return pages_.Archived(urls); });
    return answer;
  }
  const auto versions = pages_.Versions(url);
  if (!versions.ok()) return ErrorPage(versions.status());
  if (versions->empty() || versions->front().text.empty()) {
    answer.body = ReadableText(url, "This document has no text.");
  } else {
    answer.body = ReadableText(versions->front().title, versions->front().text);
  }
  return answer;
}

HttpResponse SearchSite::Similar(const std::string& url) {
  const auto answer =
      searcher_.Similar({.url = url, .count = options_.results_per_page, .timeout = options_.timeout});
  if (!answer.ok()) return ErrorPage(answer.status());
  return SimilarPage({.url = url, .answer = *answer, .cached_copies = options_.cached_copies});
}

HttpResponse SearchSite::Explain(const std::string& query, const std::string& url) {
  search::SearchRequest search;
  search.query = query;
  search.count = kDepth;
  search.total = search::TotalKind::kNone;
  search.fold_duplicates = false;
  search.snippets = false;
  search.ranking = options_.ranking;
  search.ranking.now_seconds = ToSeconds(clock_.Wall());
  search.timeout = options_.timeout;
  auto answer = searcher_.Search(search);
  if (!answer.ok()) return ErrorPage(answer.status());
  const std::optional<size_t> place = SitePlaceOf(*answer, url);
  std::optional<size_t> offset = place;
  if (web::Url parsed; !offset && parsed.Parse(url)) {
    // Further down, search its site only: a filter keeps the scores, and one site has fewer results.
    search.filters = {search::FieldFilter("site", parsed.hostname())};
    answer = searcher_.Search(search);
    if (answer.ok()) offset = SitePlaceOf(*answer, url);
  }
  if (!offset)
    return MessagePage(404, "Not among the results",
                       url + " is not among the best results for “" + query + "”.");
  search.offset = *offset;
  search.count = 1;
  search.explain = true;
  answer = searcher_.Search(search);
  if (!answer.ok()) return ErrorPage(answer.status());
  if (answer->results.empty() || answer->results.front().url != url) {
    return ErrorPage(Status::Unavailable("The index has changed in the meantime; try again."));
  }
  const auto linking = searcher_.Search({.query = "",
                                         .filters = {search::FieldFilter("links", url)},
                                         .count = kShownInlinks,
                                         .total = search::TotalKind::kExact,
                                         .fold_duplicates = false,
                                         .snippets = false});
  ExplainView view = {.query = query,
                      .url = url,
                      .result = std::move(answer->results.front()),
                      .place = place ? std::optional(*place + 1) : std::nullopt,
                      .cached_copies = options_.cached_copies};
  if (linking.ok()) {
    view.inlink_count = linking->total;
    view.inlinks = ReadInlinks(*linking, url, pages_);
  }
  return ExplainPage(view);
}

HttpResponse SearchSite::Why(const std::string& url) {
  const auto reasons = pages_.Why(url);
  if (!reasons.ok()) return ErrorPage(reasons.status());
  return WhyPage(url, *reasons);
}

}  // namespace crivello::serve
