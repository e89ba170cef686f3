// SPDX-License-Identifier: Apache-2.0
#include "search/query/query_languages.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace crivello::search {
namespace {

constexpr size_t kMaxVoters = 8;  // words
constexpr uint64_t kMaxPages = 50;
// A language with fewer of the votes is not told by the words.
constexpr double kLeastShare = 0.25;
constexpr double kMainShare = 0.5;
constexpr std::array<std::string_view, 3> kVotingFields = {"body", "title", "headings"};

std::string TextOfLeaves(const Query& query) {
  using Kind = Query::Kind;
  if (query.occur == Query::Occur::kExcluded || IsFilterField(query.field)) return {};
  std::string text;
  if (query.kind == Kind::kText || query.kind == Kind::kWord || query.kind == Kind::kPhrase) {
    text = query.text + " ";
  }
  for (const Query& child : query.children) text += TextOfLeaves(child);
  return text;
}

// The languages of the pages that have a term in a field: of all, or of every so many documents the next.
void CountPages(const std::string& term, std::string_view field, std::span<const SearchedSegment> segments,
                std::map<std::string, double>* counts) {
  uint64_t frequency = 0;
  uint64_t documents = 0;
  std::vector<std::optional<index::PostingCursor>> lists(segments.size());
  for (size_t i = 0; i < segments.size(); i++) {
    documents += segments[i].segment->documents();
    const index::FieldView* view = segments[i].segment->field(field);
    const auto entry = view == nullptr ? std::nullopt : view->terms.Find(term);
    if (!entry) continue;
    if (auto list = view->Open(*entry); list.ok()) {
      frequency += list->frequency();
      lists[i] = *std::move(list);
    }
  }
  const uint64_t step = frequency <= kMaxPages ? 1 : documents / kMaxPages + 1;
  uint64_t next = 0;  // of all documents
  uint64_t before = 0;
  for (size_t i = 0; i < segments.size(); before += segments[i].segment->documents(), i++) {
    if (!lists[i]) continue;
    const index::StringColumn* languages = segments[i].segment->values().strings(index::column::kLanguage);
    if (languages == nullptr) continue;
    std::map<uint64_t, double> here;  // by the number of a language
    for (index::PostingCursor& list = *lists[i];;) {
      if (next > before) {
        if (next - before >= segments[i].segment->documents()) break;
        list.SeekTo(static_cast<DocId>(next - before));
      }
      if (list.doc() == kEndDoc) break;
      here[languages->NumberOf(list.doc())]++;
      next = ((before + list.doc()) / step + 1) * step;
    }
    for (const auto& [language, count] : here) (*counts)[languages->String(language)] += count;
  }
}

void AddLanguage(std::string_view language, QueryLanguages* out) {
  if (language.empty() || out->languages.size() == kMaxQueryLanguages) return;
  if (std::find(out->languages.begin(), out->languages.end(), language) == out->languages.end()) {
    out->languages.emplace_back(language);
  }
}

}  // namespace

std::string_view PrimaryLanguage(std::string_view code) { return code.substr(0, code.find('-')); }

QueryLanguages LanguagesOf(const Query& query, std::span<const std::string> preferred,
                           std::span<const SearchedSegment> segments, const CollectionStatistics& statistics,
                           text::Analyser& analyser) {
  if (statistics.languages.empty()) return {};
  std::map<std::string, double> votes;
  double voters = 0;
  const QueryText text = WordsOf(TextOfLeaves(query), {}, analyser);
  for (size_t w = 0; w < std::min(text.words.size(), kMaxVoters); w++) {
    std::map<std::string, double> counts;
    for (const std::string& form : text.words[w].forms) {
      for (const std::string_view field : kVotingFields) {
        if (counts.empty()) CountPages(form, field, segments, &counts);
      }
    }
    counts.erase("");
    double pages = 0;
    for (const auto& [language, count] : counts) pages += count;
    for (const auto& [language, count] : counts) votes[language] += count / pages;
    voters += counts.empty() ? 0 : 1;
  }
  std::vector<std::pair<double, std::string>> by_votes;
  for (const auto& [language, vote] : votes) by_votes.emplace_back(vote, language);
  std::stable_sort(by_votes.begin(), by_votes.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  QueryLanguages out;
  for (size_t i = 0; i < std::min<size_t>(by_votes.size(), 2); i++) {
    if (by_votes[i].first >= kLeastShare * voters) AddLanguage(by_votes[i].second, &out);
  }
  out.likely = out.languages.size();
  if (!by_votes.empty() && by_votes[0].first > kMainShare * voters) out.main = by_votes[0].second;
  for (const std::string& language : preferred) AddLanguage(language, &out);
  // Of a collection of few languages all.
  const size_t others = statistics.languages.size() <= kMaxQueryLanguages ? kMaxQueryLanguages : 1;
  for (size_t i = 0; i < std::min(others, statistics.languages.size()); i++) {
    AddLanguage(statistics.languages[i], &out);
  }
  return out;
}

}  // namespace crivello::search
