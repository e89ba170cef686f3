// SPDX-License-Identifier: Apache-2.0
#include "serve/api/answer_json.h"

#include "base/civil_time.h"

namespace crivello::serve {

Json ExplanationJson(const search::Explanation& explanation) {
  Json json = {{"what", explanation.what}, {"value", explanation.value}};
  for (const auto& part : explanation.parts) json["parts"].push_back(ExplanationJson(part));
  return json;
}

Json AnswerJson(const search::SearchAnswer& answer, size_t offset) {
  Json json = {{"query", answer.query},
               {"total", answer.total},
               {"total_is", answer.total_kind == search::TotalKind::kExact ? "exact" : "estimate"},
               {"snapshot", answer.snapshot},
               {"results", Json::array()}};
  if (answer.partial) json["partial"] = true;
  if (!answer.notes.empty()) json["notes"] = answer.notes;
  if (!answer.did_you_mean.empty()) json["did_you_mean"] = answer.did_you_mean;
  uint64_t rank = offset;
  for (const search::SearchResult& result : answer.results) {
    Json one = {{"rank", ++rank}, {"url", result.url}};
    if (!result.id.empty()) one["id"] = result.id;
    one["title"] = result.title.text;
    one["score"] = result.score;
    one["snippet"] = result.snippet.text;
    if (!result.language.empty()) one["language"] = result.language;
    if (!result.type.empty()) one["type"] = result.type;
    if (result.time_seconds != 0) one["time"] = FormatRfc3339(result.time_seconds);
    if (!result.duplicates.empty()) one["duplicates"] = result.duplicates;
    if (result.more_from_site != 0) one["more_from_site"] = result.more_from_site;
    if (!result.missing.empty()) one["missing"] = result.missing;
    if (result.explanation) one["explanation"] = ExplanationJson(*result.explanation);
    json["results"].push_back(std::move(one));
  }
  return json;
}

}  // namespace crivello::serve
