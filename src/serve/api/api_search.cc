// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "search/facets.h"
#include "search/query/query_filter.h"
#include "search/topk/score.h"
#include "serve/api/answer_json.h"
#include "serve/api/api.h"
#include "serve/api/result_formats.h"
#include "serve/http/accept_language.h"
#include "web/url/canonical.h"

namespace crivello::serve {
namespace {

using search::Query;
using search::SearchAnswer;
using search::SearchRequest;
using Kind = ParameterSpec::Kind;

ParameterSpec QueryParameter() {
  return {.name = "q",
          .description = "The query, in the language of docs/query-language.md",
          .example = "sieve",
          .required = true};
}
ParameterSpec UrlParameter() {
  return {
      .name = "url", .description = "URL of the page", .example = "https://example.org/", .required = true};
}
ParameterSpec CountParameter() {
  return {.name = "n",
          .kind = Kind::kNumber,
          .description = "Maximum number of results",
          .example = "10",
          .standard = "10",
          .minimum = 1,
          .maximum = kMaxResults};
}
ParameterSpec OffsetParameter() {
  return {.name = "offset",
          .kind = Kind::kNumber,
          .description = "Number of results to skip",
          .example = "0",
          .standard = "0",
          .maximum = kMaxOffset};
}
ParameterSpec SyntaxParameter() {
  return {.name = "syntax",
          .kind = Kind::kChoice,
          .description = "lenient accepts any text; strict reports errors in the query",
          .example = "lenient",
          .standard = "lenient",
          .choices = {"lenient", "strict"}};
}
constexpr uint64_t kMaxStaticWeight = 1000;

ParameterSpec RankParameter() {
  return {.name = "rank",
          .kind = Kind::kChoice,
          .description = "Scoring function",
          .example = "bm25f",
          .standard = "bm25f",
          .choices = {"bm25f", "bm25", "tfidf", "tfidf-max", "count"}};
}

ParameterSpec StaticParameter() {
  return {.name = "static",
          .description =
              "Name of the static score, such as a rank of pages, that counts beside the words; "
              "none for none. Default: pagerank, if the index has it",
          .example = "none"};
}
ParameterSpec StaticWeightParameter() {
  return {.name = "static_weight",
          .kind = Kind::kNumber,
          .description = "How much the static score counts: a page at the median gets half of it",
          .example = "1",
          .standard = "1",
          .maximum = kMaxStaticWeight};
}

ParameterSpec ProfileParameter() {
  return {.name = "profile",
          .description =
              "Ranking profile of the collection (docs/ranking.md), in the place of rank, static "
              "and static_weight",
          .example = ""};
}
ParameterSpec LanguagesParameter() {
  return {.name = "languages",
          .description =
              "Languages that the searcher reads, the best first, separated by commas. Default: "
              "those of the header Accept-Language",
          .example = "en"};
}

std::vector<std::string> ListOf(std::string_view text) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view one = TrimAsciiSpace(text.substr(0, comma));
    if (!one.empty()) list.emplace_back(one);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return list;
}

// The filters in the parameters, which restrict what is searched.
Result<std::vector<Query>> FiltersOf(const Arguments& arguments) {
  std::vector<Query> filters;
  for (const std::string_view field : {"site", "lang", "type"}) {
    const std::string_view value = arguments.Text(field);
    if (!value.empty()) filters.push_back(search::FieldFilter(field, value));
  }
  for (const auto& [name, comparison] : {std::pair("after", ">="), std::pair("before", "<")}) {
    const std::string_view value = arguments.Text(name);
    if (value.empty()) continue;
    auto filter = search::DateFilter(comparison + std::string(value));
    if (!filter)
      return Status::InvalidArgument(
          fmt::format("parameter '{}': expected a date such as 2020, 2020-05 or 2020-05-03", name));
    filters.push_back(*std::move(filter));
  }
  return filters;
}

Result<SearchRequest> RequestOf(const ServiceParts& parts, const Arguments& arguments) {
  SearchRequest request;
  request.query = arguments.Text("q");
  if (arguments.Text("syntax") == "strict") request.syntax = SearchRequest::Syntax::kStrict;
  request.languages = ListOf(arguments.Text("languages"));
  if (request.languages.empty()) {
    request.languages = AcceptedLanguages(arguments.request().Header("accept-language").value_or(""));
  }
  const std::string_view profile = arguments.Text("profile");
  if (!profile.empty()) {
    if (!parts.profiles) return Status::InvalidArgument("parameter 'profile': this server has no profiles");
    auto ranking = parts.profiles(profile);
    if (!ranking.ok()) return Status::InvalidArgument("parameter 'profile': " + ranking.status().message());
    request.ranking = *std::move(ranking);
    return request;
  }
  CRV_ASSIGN(const search::Ranking formula, search::FindRanking(arguments.Text("rank")));
  request.ranking = search::RankingOptions::For(formula);
  request.ranking.rank = arguments.Text("static");
  request.ranking.rank_weight = static_cast<float>(arguments.Number("static_weight"));
  return request;
}

HttpResponse Formatted(const SearchAnswer& answer, const Arguments& arguments, const std::string& base) {
  const uint64_t offset = arguments.Number("offset");
  const std::string_view format = arguments.Text("format");
  if (format == "csv") {
    return {.type = "text/csv; charset=utf-8; header=present",
            .body = ResultsCsv(answer, offset),
            .headers = {{"Content-Disposition", "attachment; filename=\"results.csv\""}}};
  }
  if (format == "rss") {
    const std::string self = base + "api/v1/search?" + QueryString(arguments.request().parameters);
    return {.type = "application/rss+xml; charset=utf-8",
            .body = ResultsRss(answer, offset, {.base = base, .self = self})};
  }
  Json json = AnswerJson(answer, offset);
  // Pages of one snapshot neither skip nor repeat results; clients pass the snapshot of the first page.
  const uint64_t before = arguments.Number("snapshot");
  if (before != 0 && before != answer.snapshot) json["snapshot_changed"] = true;
  return JsonAnswer(json);
}

// The only thing that a search looks up by name is a static score, so NotFound means that.
HttpResponse SearchError(const Status& status) {
  if (status.code() == StatusCode::kInvalidArgument) {
    return ErrorAnswer(Error::kInvalidQuery, status.message());
  }
  if (status.code() == StatusCode::kNotFound) {
    return ErrorAnswer(Error::kInvalidParameter, status.message());
  }
  return ErrorAnswer(status);
}

HttpResponse Search(const ServiceParts& parts, const Arguments& arguments) {
  Result<SearchRequest> request = RequestOf(parts, arguments);
  if (!request.ok()) return ErrorAnswer(request.status());
  request->count = arguments.Number("n");
  request->offset = arguments.Number("offset");
  request->explain = arguments.Flag("explain");
  request->fold_duplicates = !arguments.Flag("all");
  request->ranking.sort = arguments.Text("sort");
  request->facets = ListOf(arguments.Text("facets"));
  if (const Status known = search::CheckFacets(request->facets); !known.ok()) {
    return ErrorAnswer(Error::kInvalidParameter, "parameter 'facets': " + known.message());
  }
  if (arguments.Text("group") == "site") request->per_site = 2;
  request->timeout = parts.search_timeout;
  Result<std::vector<Query>> filters = FiltersOf(arguments);
  if (!filters.ok()) return ErrorAnswer(filters.status());
  request->filters = *std::move(filters);
  const Result<SearchAnswer> answer = parts.searcher->Search(*request);
  if (answer.ok()) return Formatted(*answer, arguments, BaseUrl(parts, arguments.request()));
  return SearchError(answer.status());
}

HttpResponse Suggest(const ServiceParts& parts, const Arguments& arguments) {
  const std::string_view typed = arguments.Text("q");
  const auto suggestions = parts.searcher->Suggest(typed, arguments.Number("n"));
  if (!suggestions.ok()) return ErrorAnswer(suggestions.status());
  return JsonAnswer({{"query", typed}, {"suggestions", *suggestions}});
}

// ["typed", ["completion", …]]
HttpResponse OpenSearchSuggest(const ServiceParts& parts, const Arguments& arguments) {
  const std::string_view typed = arguments.Text("q");
  const auto suggestions = parts.searcher->Suggest(typed, arguments.Number("n"));
  if (!suggestions.ok()) return ErrorAnswer(suggestions.status());
  HttpResponse answer = JsonAnswer(Json::array({typed, *suggestions}));
  answer.type = "application/x-suggestions+json";
  return answer;
}

HttpResponse Similar(const ServiceParts& parts, const Arguments& arguments) {
  const auto answer = parts.searcher->Similar({.url = std::string(arguments.Text("url")),
                                               .count = arguments.Number("n"),
                                               .offset = arguments.Number("offset"),
                                               .timeout = parts.search_timeout});
  if (!answer.ok()) return ErrorAnswer(answer.status());
  return JsonAnswer(AnswerJson(*answer, arguments.Number("offset")));
}

// The position of a page among the results, looked for ever deeper; usually it is near the top.
Result<std::optional<size_t>> PlaceOf(search::Searcher& searcher, SearchRequest request,
                                      std::string_view url) {
  const Result<web::Url> parsed = web::CanonicalUrl(url);
  const std::string canonical = parsed.ok() ? parsed->href() : std::string(url);
  request.snippets = false;
  request.total = search::TotalKind::kNone;
  for (const uint64_t depth : {kMaxResults, 10 * kMaxResults, kMaxOffset}) {
    request.count = depth;
    CRV_ASSIGN(const SearchAnswer answer, searcher.Search(request));
    for (size_t i = 0; i < answer.results.size(); i++) {
      if (answer.results[i].url == url || answer.results[i].url == canonical) return std::optional(i);
    }
    if (answer.results.size() < depth) break;
  }
  return std::optional<size_t>();
}

HttpResponse Explain(const ServiceParts& parts, const Arguments& arguments) {
  Result<SearchRequest> request = RequestOf(parts, arguments);
  if (!request.ok()) return ErrorAnswer(request.status());
  request->fold_duplicates = false;
  request->timeout = parts.search_timeout;
  const auto place = PlaceOf(*parts.searcher, *request, arguments.Text("url"));
  if (!place.ok()) return SearchError(place.status());
  if (!*place) {
    return ErrorAnswer(Error::kNotFound, "the page is not among the first 10,000 results of the query",
                       "use /api/v1/document to see whether it is stored, and /api/v1/why for the reasons");
  }
  request->offset = **place;
  request->count = 1;
  request->explain = true;
  const Result<SearchAnswer> answer = parts.searcher->Search(*request);
  if (!answer.ok()) return ErrorAnswer(answer.status());
  return JsonAnswer(AnswerJson(*answer, request->offset));
}

}  // namespace

void AddSearchRoutes(const ServiceParts& parts, Router* router) {
  router->Add(
      {.method = "GET",
       .path = "/api/v1/search",
       .summary = "Search the collection",
       .parameters =
           {QueryParameter(),
            CountParameter(),
            OffsetParameter(),
            {.name = "site", .description = "Only pages of this host or domain", .example = "example.org"},
            {.name = "lang", .description = "Only pages in this language", .example = "en"},
            {.name = "type", .description = "Only pages of this type", .example = "html"},
            {.name = "after",
             .description = "Only pages of this year, month or day (UTC), or later",
             .example = "2020-05"},
            {.name = "before",
             .description = "Only pages from before this year, month or day (UTC)",
             .example = "2100"},
            {.name = "group",
             .kind = Kind::kChoice,
             .description = "site: at most two results of a site in a row",
             .example = "none",
             .standard = "none",
             .choices = {"none", "site"}},
            {.name = "all",
             .kind = Kind::kFlag,
             .description = "Include duplicates and translations",
             .example = "0"},
            RankParameter(),
            StaticParameter(),
            StaticWeightParameter(),
            ProfileParameter(),
            LanguagesParameter(),
            {.name = "sort",
             .description =
                 "date: the newest pages first; or the name of a static score by which results are "
                 "sorted, the greatest first, in the place of all else",
             .example = "date"},
            {.name = "facets",
             .description = "Count the pages found by these, separated by commas: site, lang, type, year. Of "
                            "more than 100,000 pages the numbers are estimates (about)",
             .example = "lang,year"},
            SyntaxParameter(),
            {.name = "explain",
             .kind = Kind::kFlag,
             .description = "Include how each score is computed",
             .example = "1"},
            {.name = "format",
             .kind = Kind::kChoice,
             .description = "Format of the results",
             .example = "json",
             .standard = "json",
             .choices = {"json", "csv", "rss"}},
            {.name = "snapshot",
             .kind = Kind::kNumber,
             .description = "The snapshot of the first page; snapshot_changed then tells whether the index "
                            "has changed since",
             .example = "1",
             .standard = "0",
             .maximum = UINT64_MAX}},
       .answer_types = {"application/json", "text/csv", "application/rss+xml"},
       .errors = {Error::kInvalidQuery, Error::kDamagedData, Error::kUnavailable},
       .handle = [&parts](const Arguments& arguments) { return Search(parts, arguments); }});
  const ParameterSpec typed = {
      .name = "q", .description = "What was typed so far", .example = "sie", .required = true};
  const ParameterSpec completions = {.name = "n",
                                     .kind = Kind::kNumber,
                                     .description = "Maximum number of completions",
                                     .example = "8",
                                     .standard = "8",
                                     .minimum = 1,
                                     .maximum = 20};
  router->Add({.method = "GET",
               .path = "/api/v1/suggest",
               .summary = "Completions of a query",
               .parameters = {typed, completions},
               .handle = [&parts](const Arguments& arguments) { return Suggest(parts, arguments); }});
  router->Add(
      {.method = "GET",
       .path = "/suggest",
       .summary = "Completions in the OpenSearch format, for browsers",
       .parameters = {typed, completions},
       .answer_types = {"application/x-suggestions+json"},
       .handle = [&parts](const Arguments& arguments) { return OpenSearchSuggest(parts, arguments); }});
  router->Add({.method = "GET",
               .path = "/api/v1/similar",
               .summary = "Pages similar to a page",
               .parameters = {UrlParameter(), CountParameter(), OffsetParameter()},
               .errors = {Error::kNotFound},
               .handle = [&parts](const Arguments& arguments) { return Similar(parts, arguments); }});
  router->Add(
      {.method = "GET",
       .path = "/api/v1/explain",
       .summary = "The rank of a page among the results of a query, and how its score is computed",
       .parameters = {QueryParameter(), UrlParameter(), RankParameter(), StaticParameter(),
                      StaticWeightParameter(), ProfileParameter(), LanguagesParameter(), SyntaxParameter()},
       .errors = {Error::kNotFound},
       .handle = [&parts](const Arguments& arguments) { return Explain(parts, arguments); }});
}

}  // namespace crivello::serve
