// SPDX-License-Identifier: Apache-2.0
#include "search/similar.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/suggest/word_frequency.h"
#include "web/url/canonical.h"

namespace crivello::search {
namespace {

// So many words, the most frequent in the page, are looked up.
constexpr size_t kMaxCandidates = 400;

struct SimilarTerm {
  std::string word;
  float count = 0;
  size_t first = 0;  // among the words of the page
  float weight = 0;
  float share() const { return count / (count + 1); }
};

std::vector<SimilarTerm> WordsByCount(const index::StoredDocument& page, std::string_view language,
                                      const CollectionStatistics& statistics, text::Analyser& analyser) {
  std::unordered_map<std::string, size_t> numbers;
  std::vector<SimilarTerm> words;
  const auto add = [&](std::string_view text, float weight) {
    analyser.ForEachTerm(text.substr(0, kTellingBytes), {.language = language}, [&](const text::Term& term) {
      const bool says_little = term.text.size() < 3 || statistics.stop_words.contains(term.text);
      if (term.kind != text::TermKind::kWord || says_little) return;
      const auto [at, is_new] = numbers.try_emplace(std::string(term.text), words.size());
      if (is_new) words.push_back({std::string(term.text), 0, words.size(), 0});
      words[at->second].count += weight;
    });
  };
  add(page.title, 2);
  add(page.text.empty() ? page.description : page.text, 1);
  std::stable_sort(words.begin(), words.end(),
                   [](const SimilarTerm& a, const SimilarTerm& b) { return a.count > b.count; });
  words.resize(std::min(words.size(), kMaxCandidates));
  return words;
}

}  // namespace

Result<Hit> FindPage(const index::Snapshot& snapshot, std::string_view url) {
  std::vector<std::string> names = {std::string(url)};
  for (const std::string_view scheme : {"", "https://", "http://"}) {
    const auto canonical = web::CanonicalUrl(std::string(scheme) + std::string(url));
    if (canonical.ok()) names.push_back(canonical->href());
  }
  for (const std::string& name : names) {
    const int64_t key = index::UrlKey(name);
    for (uint32_t segment = 0; segment < snapshot.segments().size(); segment++) {
      const index::SegmentView& view = snapshot.segments()[segment];
      const index::NumberColumn* keys = view.segment->values().numbers(index::column::kKey);
      for (DocId doc = 0; keys != nullptr && doc < view.segment->documents(); doc++) {
        if ((*keys)[doc] != key || !view.IsCurrent(doc)) continue;
        index::TextReader reader(view.segment->texts());
        CRV_ASSIGN(const index::StoredDocument stored, reader.Get(doc));
        if (stored.url == name) return Hit{0, segment, doc};
      }
    }
  }
  return Status::NotFound("the page " + std::string(url) + " is not in the index");
}

Query TellingWords(const index::StoredDocument& page, std::string_view language,
                   std::span<const SearchedSegment> segments, const CollectionStatistics& statistics,
                   text::Analyser& analyser) {
  std::vector<SimilarTerm> words = WordsByCount(page, language, statistics, analyser);
  for (SimilarTerm& word : words) {
    const uint64_t frequency = WordFrequency(word.word, segments);
    if (frequency > 1) word.weight = word.share() * Bm25Idf(statistics.documents, frequency);
  }
  std::erase_if(words, [](const SimilarTerm& word) { return word.weight == 0; });
  std::stable_sort(words.begin(), words.end(),
                   [](const SimilarTerm& a, const SimilarTerm& b) { return a.weight > b.weight; });
  words.resize(std::min(words.size(), kTellingWords));
  Query query;
  query.kind = Query::Kind::kBoolean;
  for (const SimilarTerm& word : words) {
    Query leaf;
    leaf.kind = Query::Kind::kWord;
    leaf.text = word.word;
    leaf.boost = std::round(word.share() * 100) / 100;
    query.children.push_back(std::move(leaf));
  }
  return query;
}

}  // namespace crivello::search
