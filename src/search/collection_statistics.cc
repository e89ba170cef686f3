// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "search/query/query_languages.h"
#include "search/query/query_plan.h"
#include "text/terms/analyser.h"
#include "text/terms/stop_words.h"

namespace crivello::search {
namespace {

// Stems of more languages than this cost more lists than they find pages.
constexpr size_t kMaxLanguages = 8;

void CountLanguages(const index::Segment& segment, std::map<std::string, uint64_t>* languages) {
  if (const index::FieldView* view = segment.field("lang")) {
    for (index::TermCursor term = view->terms.Begin(); term.valid(); term.Next()) {
      const auto list = view->Open(term.entry());
      if (list.ok()) (*languages)[std::string(term.term())] += list->frequency();
    }
    return;
  }
  // Some documents tell as well as all.
  const index::StringColumn* column = segment.values().strings(index::column::kLanguage);
  const index::DocId step = segment.documents() / 1000 + 1;
  for (index::DocId doc = 0; column != nullptr && doc < segment.documents(); doc += step) {
    (*languages)[(*column)[doc]] += step;
  }
}

// The stop words of languages as an analyser writes them.
StopTerms StopTermsOf(const std::vector<std::string>& languages, std::string_view description) {
  StopTerms terms;
  auto steps = text::AnalyserDescription::Parse(description);
  if (!steps.ok() || steps->stem.empty()) return terms;
  const bool any = steps->stem == "auto";
  const std::string only = steps->stem;
  steps->stem.clear();
  auto analyser = text::Analyser::Create(*steps);
  if (!analyser.ok()) return terms;
  for (const std::string& language : any ? languages : std::vector<std::string>{only}) {
    const auto words = text::StopWords(language);
    if (!words.ok()) continue;
    for (const std::string_view word : *words) {
      analyser->ForEachTerm(word, {}, [&](const text::Term& term) {
        if (term.kind == text::TermKind::kWord) terms.emplace(term.text);
      });
    }
  }
  return terms;
}

}  // namespace

const CollectionStatistics::Field* CollectionStatistics::field(std::string_view name) const {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

CollectionStatistics StatisticsOf(std::span<const SearchedSegment> segments) {
  CollectionStatistics statistics;
  std::map<std::string, CollectionStatistics::Field> fields;
  std::map<std::string, uint64_t> languages;
  for (const SearchedSegment& searched : segments) {
    statistics.documents += searched.segment->documents();
    for (const index::FieldView& view : searched.segment->fields()) {
      CollectionStatistics::Field& field = fields[view.name];
      field.name = view.name;
      field.tokens += view.tokens;
      field.documents += view.documents;
      field.counts = view.lists.contents != index::PostingContents::kDocuments;
      field.positions = view.lists.contents == index::PostingContents::kPositions;
    }
    CountLanguages(*searched.segment, &languages);
  }
  for (auto& [name, field] : fields) statistics.fields.push_back(std::move(field));
  std::vector<std::pair<uint64_t, std::string>> by_frequency;
  for (const auto& [language, frequency] : languages) {
    if (!language.empty()) by_frequency.emplace_back(frequency, language);
  }
  std::stable_sort(by_frequency.begin(), by_frequency.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [frequency, language] : by_frequency) {
    if (statistics.languages.size() < kMaxLanguages) statistics.languages.push_back(language);
  }
  std::vector<std::string> main_languages;
  for (const auto& [frequency, language] : by_frequency) {
    if (frequency * 4 >= statistics.documents) main_languages.push_back(language);
  }
  if (!segments.empty()) {
    const std::string& analyser = segments[0].segment->info().analyser;
    statistics.stop_words = StopTermsOf(main_languages, analyser);
    for (const std::string& language : statistics.languages) {
      StopTerms terms = StopTermsOf({language}, analyser);
      if (!terms.empty()) statistics.stop_words_of.emplace(PrimaryLanguage(language), std::move(terms));
    }
  }
  return statistics;
}

}  // namespace crivello::search
