// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/spelling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "index/terms/term_match.h"
#include "search/suggest/word_frequency.h"

namespace crivello::search {
namespace {

constexpr uint64_t kSeldom = 20'000;           // a word in fewer than one document of so many may be misspelt
constexpr uint64_t kSeldomPages = 3;           // or in no more than this
constexpr uint64_t kTimesMore = 20;            // by how much a better one is more frequent
constexpr uint64_t kTimesMoreThanKnown = 100;  // than a word that some page has
constexpr double kEditCost = 100;
constexpr size_t kWeighed = 8;        // candidates that are looked at beside their neighbours
constexpr size_t kReadDocuments = 3;  // that are looked into for how a word is written
constexpr size_t kReadBytes = 64 << 10;
constexpr index::TermLimits kLimits = {.visited = 1'000'000, .found = 4'000};

// A word of the query, in the text of a leaf.
struct Place {
  Query* leaf = nullptr;
  size_t begin = 0;
  size_t end = 0;
  std::string term;
  bool has_parts = false;  // dbHandle, which pages may have as db_handle
};

struct SpellingCandidate {
  std::string term;
  uint64_t frequency = 0;
  unsigned edits = 0;
  double score = 0;
};

std::u32string CodePoints(std::string_view text) {
  std::u32string out;
  for (size_t at = 0; at < text.size();) out += charset::TakeCodePoint(text, &at);
  return out;
}

void CollectPlaces(Query* query, text::Analyser& analyser, std::vector<Place>* places) {
  using Kind = Query::Kind;
  for (Query& child : query->children) {
    if (child.occur != Query::Occur::kExcluded) CollectPlaces(&child, analyser, places);
  }
  const bool has_words =
      query->kind == Kind::kText || query->kind == Kind::kWord || query->kind == Kind::kPhrase;
  if (!has_words || IsFilterField(query->field)) return;
  analyser.ForEachTerm(query->text, {}, [&](const text::Term& term) {
    if (term.kind != text::TermKind::kWord) return;
    const std::string_view typed = std::string_view(query->text).substr(term.begin, term.end - term.begin);
    const bool has_parts = std::adjacent_find(typed.begin(), typed.end(), [](char a, char b) {
                             return !IsAsciiUpper(a) && IsAsciiUpper(b);
                           }) != typed.end();
    places->push_back({query, term.begin, term.end, std::string(term.text), has_parts});
  });
}

class Speller {
 public:
  explicit Speller(const SpellingContext& context) : context_(context) {
    for (const FieldWeight& field : DefaultFields()) {
      if (field.field != "rest" && field.field != "url") fields_.push_back(field.field);
    }
  }

  Result<std::optional<Query>> Respell(Query query) {
    std::vector<Place> places;
    CollectPlaces(&query, context_.analyser, &places);
    size_t respelt = 0;
    bool changed = false;
    // From the last, so that places before it in the same leaf stay where they are.
    for (size_t i = places.size(); i-- > 0 && respelt < kMaxRespelt && !context_.stopper.Stop();) {
      if (!IsDoubtful(places[i].term) && !IsUnwritten(places[i])) continue;
      respelt++;
      CRV_ASSIGN(const std::string better, Better(places, i));
      if (better.empty()) continue;
      places[i].leaf->text.replace(places[i].begin, places[i].end - places[i].begin, better);
      places[i].term = better;
      changed = true;
    }
    if (!changed) return std::optional<Query>();
    return std::optional<Query>(std::move(query));
  }

  std::vector<std::string> Unwritten(Query query) const {
    std::vector<Place> places;
    CollectPlaces(&query, context_.analyser, &places);
    std::vector<std::string> words;
    for (const Place& place : places) {
      const bool known = std::find(words.begin(), words.end(), place.term) != words.end();
      if (!known && IsUnwritten(place)) words.push_back(place.term);
    }
    return words;
  }

 private:
  // In any of its forms, as a search for it would find it.
  uint64_t FrequencyOf(const std::string& term) const {
    uint64_t most = 0;
    const WordForms forms = context_.statistics.AllForms(context_.languages);
    for (const QueryWord& word : WordsOf(term, forms, context_.analyser).words) {
      for (const std::string& form : word.forms)
        most = std::max(most, WordFrequency(form, context_.segments));
    }
    return most;
  }
  bool IsDoubtful(const std::string& term) const {
    if (CodePoints(term).size() < 3) return false;
    const uint64_t frequency = FrequencyOf(term);
    return frequency <= kSeldomPages || frequency * kSeldom <= context_.statistics.documents;
  }
  // No page has it as it was typed.
  bool IsUnwritten(const Place& place) const {
    return !place.has_parts && WordFrequency(place.term, context_.segments) == 0;
  }

  // How a better word is written; empty if there is none.
  Result<std::string> Better(const std::vector<Place>& places, size_t i) {
    CRV_ASSIGN(std::vector<SpellingCandidate> candidates, Near(places[i].term));
    const auto by_score = [](const SpellingCandidate& a, const SpellingCandidate& b) {
      return a.score != b.score ? a.score > b.score : a.term < b.term;
    };
    const auto documents = static_cast<double>(context_.statistics.documents);
    for (SpellingCandidate& candidate : candidates) {
      candidate.score =
          static_cast<double>(candidate.frequency) / documents * std::pow(kEditCost, -1.0 * candidate.edits);
    }
    std::sort(candidates.begin(), candidates.end(), by_score);
    candidates.resize(std::min(candidates.size(), kWeighed));
    for (SpellingCandidate& candidate : candidates) {
      double beside = 0;
      if (i > 0) beside = Beside(places[i - 1].term, candidate.term, places[i - 1].term);
      if (i + 1 < places.size()) {
        beside = std::max(beside, Beside(candidate.term, places[i + 1].term, places[i + 1].term));
      }
      candidate.score = 0.1 * candidate.score + 0.9 * beside * std::pow(kEditCost, -1.0 * candidate.edits);
    }
    std::sort(candidates.begin(), candidates.end(), by_score);
    for (const SpellingCandidate& candidate : candidates) {
      CRV_ASSIGN(std::string written, Written(candidate.term));
      if (!written.empty()) return written;
    }
    return std::string();
  }

  Result<std::vector<SpellingCandidate>> Near(const std::string& term) const {
    const size_t letters = CodePoints(term).size();
    if (letters > index::kMaxPattern) return std::vector<SpellingCandidate>();
    const uint64_t frequency = FrequencyOf(term);
    const bool is_known = WordFrequency(term, context_.segments) > 0;
    // No page has the word as it was typed, but more than a few have its stem, maybe by a word of another
    // language: English "expresions" has the stem of Spanish "expresar".
    const bool by_stem = !is_known && frequency > kSeldomPages;
    const unsigned most = letters <= 4 || by_stem ? 1 : 2;
    index::TermLimits left = kLimits;
    std::map<std::string, uint64_t> found;
    for (const std::string& field : fields_) {
      std::map<std::string, uint64_t> here;
      for (const SearchedSegment& searched : context_.segments) {
        const index::FieldView* view = searched.segment->field(field);
        if (view == nullptr) continue;
        CRV_ASSIGN(const index::TermMatches matches, index::TermsNear(view->terms, term, 2, left));
        left.visited -= std::min(left.visited, matches.visited);
        for (const index::TermMatch& match : matches.terms) {
          CRV_ASSIGN(const index::PostingCursor list, view->Open(match.entry));
          here[match.term] += list.frequency();
        }
      }
      for (const auto& [near, count] : here) found[near] = std::max(found[near], count);
    }
    std::vector<SpellingCandidate> candidates;
    for (const auto& [near, count] : found) {
      const uint64_t times = is_known ? kTimesMoreThanKnown : kTimesMore;
      if (near == term || count < std::max<uint64_t>(1, frequency * times)) continue;
      const unsigned edits = EditDistance(term, near);
      if (edits <= most) candidates.push_back({near, count, edits, 0});
    }
    return candidates;
  }

  // The share of the documents with a word that have the two side by side.
  double Beside(const std::string& first, const std::string& second, const std::string& of) {
    const uint64_t frequency = WordFrequency(of, context_.segments);
    if (frequency == 0 || context_.statistics.stop_words.contains(of)) return 0;
    Query phrase;
    phrase.kind = Query::Kind::kPhrase;
    phrase.text = first + " " + second;
    const auto plan = QueryPlan::Make(phrase, context_.segments, context_.statistics, {}, context_.analyser);
    if (!plan.ok()) return 0;
    uint64_t count = 0;
    for (size_t i = 0; i < context_.segments.size() && !context_.stopper.Stop(); i++) {
      SegmentSearch search;
      search.documents = context_.segments[i].segment->documents();
      search.deleted = context_.segments[i].deleted;
      count += CountDocuments(plan->In(i), search, context_.stopper);
    }
    return std::min(1.0, static_cast<double>(count) / static_cast<double>(frequency));
  }

  // A term as the first pages with it write it; in the form of terms where only upper case would differ.
  // Empty if it is none of their words: a stem.
  Result<std::string> Written(const std::string& term) const {
    for (const std::string& field : fields_) {
      for (const SearchedSegment& searched : context_.segments) {
        const index::FieldView* view = searched.segment->field(field);
        const auto entry = view == nullptr ? std::nullopt : view->terms.Find(term);
        if (!entry) continue;
        CRV_ASSIGN(index::PostingCursor list, view->Open(*entry));
        index::TextReader reader(searched.segment->texts());
        for (size_t n = 0; n < kReadDocuments && list.doc() != kEndDoc; n++, list.Next()) {
          CRV_ASSIGN(const index::StoredDocument stored, reader.Get(list.doc()));
          if (stored.text.empty() && stored.title.empty()) return term;  // nothing to look into
          for (const std::string_view text : {stored.title, stored.text.substr(0, kReadBytes)}) {
            std::string written = WrittenIn(text, term);
            if (!written.empty()) return written;
          }
        }
      }
    }
    return std::string();
  }
  std::string WrittenIn(std::string_view text, const std::string& term) const {
    std::string written;
    context_.analyser.ForEachTerm(text, {}, [&](const text::Term& found) {
      if (written.empty() && found.kind == text::TermKind::kWord && found.text == term) {
        written = text.substr(found.begin, found.end - found.begin);
      }
    });
    const bool plain = std::all_of(written.begin(), written.end(), [](char c) { return (c & 0x80) == 0; });
    return plain && !written.empty() ? term : written;
  }

  const SpellingContext& context_;
  std::vector<std::string> fields_;
};

}  // namespace

unsigned EditDistance(std::string_view a, std::string_view b) {
  const std::u32string x = CodePoints(a);
  const std::u32string y = CodePoints(b);
  std::vector<unsigned> before_last, last, row(y.size() + 1);
  for (unsigned j = 0; j <= y.size(); j++) row[j] = j;
  for (size_t i = 1; i <= x.size(); i++) {
    before_last = std::move(last);
    last = std::move(row);
    row.assign(1, static_cast<unsigned>(i));
    for (size_t j = 1; j <= y.size(); j++) {
      const unsigned replaced = last[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1);
      unsigned least = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1]) {
        least = std::min(least, before_last[j - 2] + 1);
      }
      row.push_back(least);
    }
  }
  return row[y.size()];
}

std::vector<std::string> UnwrittenWords(const Query& query, const SpellingContext& context) {
  return Speller(context).Unwritten(query);
}

Result<std::optional<Query>> Respelt(const Query& query, const SpellingContext& context) {
  return Speller(context).Respell(query);
}

}  // namespace crivello::search
