// SPDX-License-Identifier: Apache-2.0
#include "serve/api/answer_json.h"

#include "base/civil_time.h"

namespace crivello::serve {

Json ExplanationJson(const search::Explanation& explanation) {
  Json json = {{"what", explanation.what}, {"value", explanation.value}};
  if (!explanation.how.empty()) json["how"] = explanation.how;
  for (const auto& part : explanation.parts) json["parts"].push_back(ExplanationJson(part));
  return json;
}

namespace {

void AddHighlights(std::string_view field, const search::HighlightedText& text, Json* all) {
  for (const search::Highlight& mark : text.highlights) {
    all->push_back({{"field", field}, {"from", mark.begin}, {"to", mark.end}});
  }
}

Json FacetsJson(const std::vector<search::Facet>& facets) {
  Json json = Json::object();
  for (const search::Facet& facet : facets) {
    Json values = Json::array();
    for (const search::FacetValue& value : facet.values) {
      values.push_back({{"value", value.value}, {"pages", value.pages}});
    }
    json[facet.name] = {{"values", std::move(values)}, {"about", facet.about}};
  }
  return json;
}

}  // namespace

Json AnswerJson(const search::SearchAnswer& answer, size_t offset) {
  Json json = {{"query", answer.query},
               {"total", answer.total},
               {"total_is", answer.total_kind == search::TotalKind::kExact ? "exact" : "estimate"},
               {"folded", answer.folded},
               {"snapshot", answer.snapshot},
               {"results", Json::array()}};
  if (answer.partial) json["partial"] = true;
  if (!answer.notes.empty()) json["notes"] = answer.notes;
  if (!answer.facets.empty()) json["facets"] = FacetsJson(answer.facets);
  if (!answer.did_you_mean.empty()) json["did_you_mean"] = answer.did_you_mean;
  uint64_t rank = offset;
  for (const search::SearchResult& result : answer.results) {
    Json one = {{"rank", ++rank}, {"url", result.url}};
    if (!result.id.empty()) one["id"] = result.id;
    one["title"] = result.title.text;
    one["score"] = result.score;
    one["snippet"] = result.snippet.text;
    Json highlights = Json::array();
    AddHighlights("title", result.title, &highlights);
    AddHighlights("snippet", result.snippet, &highlights);
    if (!highlights.empty()) one["highlights"] = std::move(highlights);
    if (!result.language.empty()) one["language"] = result.language;
    if (!result.type.empty()) one["type"] = result.type;
    if (result.time_seconds != 0) one["time"] = FormatRfc3339(result.time_seconds);
    if (result.date_seconds != 0) one["date"] = FormatRfc3339(result.date_seconds);
    for (const search::Translation& other : result.translations) {
      one["translations"].push_back({{"url", other.url}, {"language", other.language}});
    }
    if (!result.duplicates.empty()) one["duplicates"] = result.duplicates;
    if (result.more_from_site != 0) one["more_from_site"] = result.more_from_site;
    if (!result.missing.empty()) one["missing"] = result.missing;
    if (result.explanation) one["explanation"] = ExplanationJson(*result.explanation);
    json["results"].push_back(std::move(one));
  }
  return json;
}

}  // namespace crivello::serve
