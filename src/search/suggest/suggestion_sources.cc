// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/suggestion_sources.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "base/hash.h"

namespace crivello::search {
namespace {

using index::DocId;

constexpr size_t kMaxTitleBytes = 120;
constexpr size_t kMaxTitleWords = 12;
constexpr size_t kMaxTextBytes = 64 << 10;  // of a document
constexpr size_t kMaxWordBytes = 40;

struct Chosen {
  int64_t inlinks = 0;
  uint64_t order = 0;  // any among those with as many
  uint32_t segment = 0;
  DocId doc = 0;
  bool operator>(const Chosen& other) const {
    return inlinks != other.inlinks ? inlinks > other.inlinks : order > other.order;
  }
};

std::vector<Chosen> ChooseDocuments(const index::Snapshot& snapshot, size_t count) {
  std::priority_queue<Chosen, std::vector<Chosen>, std::greater<>> best;  // the least on top
  for (uint32_t segment = 0; segment < snapshot.segments().size(); segment++) {
    const index::SegmentView& view = snapshot.segments()[segment];
    const index::NumberColumn* inlinks = view.segment->values().numbers(index::column::kInlinks);
    for (DocId doc = 0; doc < view.segment->documents(); doc++) {
      if (!view.IsCurrent(doc)) continue;
      const Chosen one = {inlinks == nullptr ? 0 : (*inlinks)[doc], Mix64(uint64_t{segment} << 32 | doc),
                          segment, doc};
      if (best.size() == count && !(one > best.top())) continue;
      if (best.size() == count) best.pop();
      best.push(one);
    }
  }
  std::vector<Chosen> chosen;
  for (; !best.empty(); best.pop()) chosen.push_back(best.top());
  // In their order, so that each block of texts is decompressed once.
  std::sort(chosen.begin(), chosen.end(), [](const Chosen& a, const Chosen& b) {
    return a.segment != b.segment ? a.segment < b.segment : a.doc < b.doc;
  });
  return chosen;
}

class Gatherer {
 public:
  Gatherer(const std::set<std::string, std::less<>>& stop_words, text::Analyser analyser)
      : stop_words_(stop_words), analyser_(std::move(analyser)) {}

  void AddTitle(std::string_view title, uint32_t weight) {
    if (title.size() > kMaxTitleBytes) return;
    std::vector<std::string> words;
    analyser_.ForEachTerm(title, {}, [&](const text::Term& term) {
      if (IsSuggestedWord(term)) words.emplace_back(term.text);
    });
    if (words.empty() || words.size() > kMaxTitleWords) return;
    std::string key;
    for (const std::string& word : words) key += (key.empty() ? "" : " ") + word;
    Title& entry = titles_[key];
    if (entry.text.empty()) entry.text = title;
    entry.weight += weight;
  }

  void AddText(std::string_view text) {
    uint32_t before = kNone;
    size_t end = 0;
    analyser_.ForEachTerm(text, {}, [&](const text::Term& term) {
      if (!IsSuggestedWord(term)) return;
      const bool follows = term.begin == end + 1 && text[end] == ' ';
      end = term.end;
      const bool useless = term.kind == text::TermKind::kNumber || term.text.size() > kMaxWordBytes ||
                           stop_words_.contains(term.text);
      const uint32_t word = useless ? kNone : NumberOf(term.text, text.substr(term.begin, end - term.begin));
      if (follows && word != kNone && before != kNone) pairs_.push_back(uint64_t{before} << 32 | word);
      before = word;
    });
  }

  SuggestionSources Finish(const Suggestions::Budget& budget) {
    SuggestionSources sources;
    AddTitlesTo(&sources.titles);
    AddWordsTo(budget.words, &sources.words);
    AddPairsTo(budget.pairs, &sources.words);
    return sources;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Title {
    std::string text;
    uint32_t weight = 0;
  };
  struct Word {
    std::string term;
    std::string written;  // as most write it (Boyer and Moore's vote, 1981)
    uint32_t votes = 0;
    uint32_t count = 0;
  };

  uint32_t NumberOf(std::string_view term, std::string_view written) {
    const auto [at, is_new] = numbers_.try_emplace(std::string(term), static_cast<uint32_t>(words_.size()));
    if (is_new) words_.push_back({std::string(term), std::string(written), 0, 0});
    Word& word = words_[at->second];
    word.count++;
    if (word.written == written) {
      word.votes++;
    } else if (word.votes > 0) {
      word.votes--;
    } else {
      word.written = written;
    }
    return at->second;
  }

  void AddTitlesTo(SuggestionSources::Source* out) const {
    for (const auto& [key, title] : titles_) {
      const auto number = static_cast<uint32_t>(out->texts.size());
      out->texts.push_back(title.text);
      out->keys.push_back({key, number, 2 * title.weight});
      for (size_t space = key.find(' '); space != std::string::npos; space = key.find(' ', space + 1)) {
        const std::string_view rest = std::string_view(key).substr(space + 1);
        if (stop_words_.contains(rest.substr(0, rest.find(' ')))) continue;
        out->keys.push_back({std::string(rest), number, title.weight});
      }
    }
  }
  void AddWordsTo(size_t most, SuggestionSources::Source* out) const {
    std::vector<const Word*> best;
    for (const Word& word : words_) {
      if (word.term.size() > 2) best.push_back(&word);
    }
    std::stable_sort(best.begin(), best.end(),
                     [](const Word* a, const Word* b) { return a->count > b->count; });
    best.resize(std::min(best.size(), most));
    for (const Word* word : best) Add(word->term, word->written, word->count, out);
  }
  void AddPairsTo(size_t most, SuggestionSources::Source* out) {
    std::sort(pairs_.begin(), pairs_.end());
    std::vector<std::pair<uint32_t, uint64_t>> best;
    for (size_t begin = 0, end = 0; begin < pairs_.size(); begin = end) {
      while (end < pairs_.size() && pairs_[end] == pairs_[begin]) end++;
      if (end - begin > 1) best.emplace_back(static_cast<uint32_t>(end - begin), pairs_[begin]);
    }
    std::stable_sort(best.begin(), best.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    best.resize(std::min(best.size(), most));
    for (const auto& [count, pair] : best) {
      const Word& first = words_[pair >> 32];
      const Word& second = words_[pair & kNone];
      Add(first.term + " " + second.term, first.written + " " + second.written, count, out);
    }
  }
  static void Add(std::string key, std::string text, uint32_t weight, SuggestionSources::Source* out) {
    out->keys.push_back({std::move(key), static_cast<uint32_t>(out->texts.size()), weight});
    out->texts.push_back(std::move(text));
  }

  const std::set<std::string, std::less<>>& stop_words_;
  text::Analyser analyser_;
  std::map<std::string, Title> titles_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<Word> words_;
  std::vector<uint64_t> pairs_;
};

// The analyser of an index, without stems: words are what is typed.
Result<text::Analyser> WordAnalyser(const index::Snapshot& snapshot) {
  const std::string& description = snapshot.analyser();
  CRV_ASSIGN(text::AnalyserDescription steps,
             text::AnalyserDescription::Parse(description.empty() ? text::kStandardAnalyser
                                                                  : std::string_view(description)));
  steps.stem.clear();
  steps.lemma.clear();
  return text::Analyser::Create(steps);
}

}  // namespace

Result<SuggestionSources> GatherSuggestions(const index::Snapshot& snapshot,
                                            const std::set<std::string, std::less<>>& stop_words,
                                            const Suggestions::Budget& budget, const std::stop_token& stop) {
  CRV_ASSIGN(text::Analyser analyser, WordAnalyser(snapshot));
  Gatherer gatherer(stop_words, std::move(analyser));
  const std::vector<Chosen> chosen = ChooseDocuments(snapshot, budget.documents);
  const size_t each = std::min(budget.text_bytes / std::max<size_t>(chosen.size(), 1), kMaxTextBytes);
  std::optional<index::TextReader> reader;
  uint32_t segment = ~uint32_t{0};
  for (const Chosen& one : chosen) {
    if (stop.stop_requested()) return Status::Unavailable("stopped");
    if (one.segment != segment) {
      segment = one.segment;
      reader.emplace(snapshot.segments()[segment].segment->texts());
    }
    CRV_ASSIGN(const index::StoredDocument stored, reader->Get(one.doc));
    const auto weight = static_cast<uint32_t>(std::clamp<int64_t>(one.inlinks, 0, 1 << 20) + 1);
    gatherer.AddTitle(stored.title, weight);
    gatherer.AddText(stored.text.substr(0, each));
  }
  return gatherer.Finish(budget);
}

}  // namespace crivello::search
