// SPDX-License-Identifier: Apache-2.0
#include "search/query/exact_phrase.h"

#include <algorithm>

#include "search/topk/windows.h"

namespace crivello::search {
namespace {

// So many positions are compared at once.
constexpr uint32_t kLanes = 8;

}  // namespace

ExactPhrase::ExactPhrase(std::vector<Word> words) : words_(std::move(words)) {
  std::stable_sort(words_.begin(), words_.end(),
                   [](const Word& a, const Word& b) { return a.cursor.frequency() < b.cursor.frequency(); });
  rest_.assign(words_.begin() + 2, words_.end());
  maxima_ = words_[0].cursor;
  cost_ = words_[0].cursor.frequency();
  FindCandidates();
  doc_ = candidates_[0].doc;
}

// To the next document that all lists have, from where the first is on.  They are aligned in the order of
// their frequency; at the first that is not on the document of the first, it begins again.
bool ExactPhrase::Align() {
  index::PostingCursor& lead = words_[0].cursor;
  for (;;) {
    const DocId doc = lead.doc();
    if (doc == kEndDoc) return false;
    bool aligned = true;
    for (size_t i = 1; aligned && i < words_.size(); i++) {
      index::PostingCursor& other = words_[i].cursor;
      other.SeekTo(doc);
      aligned = other.doc() == doc;
      if (!aligned) lead.SeekTo(other.doc());
    }
    if (aligned) return true;
  }
}

bool ExactPhrase::IsWorth(DocId doc) {
  return filter_->IsWorth(doc, std::min(words_[0].cursor.count(), words_[1].cursor.count()));
}

void ExactPhrase::FindCandidates() {
  at_ = size_ = 0;
  uint32_t passed = 0;
  for (; size_ < ahead_ && Align(); words_[0].cursor.Next()) {
    const DocId doc = words_[0].cursor.doc();
    if (filter_ != nullptr && passed < kMostPassed && !IsWorth(doc)) {
      passed++;
      continue;
    }
    candidates_[size_++] = {doc, words_[0].cursor.positions_place(), words_[1].cursor.positions_place()};
  }
  candidates_[size_].doc = kEndDoc;
  ahead_ = std::min(2 * ahead_, kMostAhead);
}

void ExactPhrase::SeekTo(DocId d) {
  if (d <= doc_) return;
  while (candidates_[at_].doc < d) at_++;
  if (at_ >= size_) {
    ahead_ = 1;
    words_[0].cursor.SeekTo(d);
    FindCandidates();
  }
  doc_ = candidates_[at_].doc;
}

void ExactPhrase::Positions::Read(const Word& word, const index::PositionsPlace& place) {
  if (values.size() < place.count + kLanes) values.resize(2 * place.count + kLanes);
  size = word.cursor.ReadPositions(place, values.data()) ? place.count : 0;
  std::fill_n(values.data() + size, kLanes, kEndDoc);
}

// Where the two rarest words stand as in the phrase.  Most have few positions: then each of one is compared
// with all of the other, without a branch that depends on them.
void ExactPhrase::FindPair() {
  first_.Read(words_[0], candidates_[at_].first);
  second_.Read(words_[1], candidates_[at_].second);
  const bool swap = first_.size > second_.size;
  const std::span few =
      std::span(swap ? second_.values : first_.values).first(std::min(first_.size, second_.size));
  const std::span many =
      std::span(swap ? first_.values : second_.values).first(std::max(first_.size, second_.size));
  const uint32_t few_offset = words_[swap ? 1 : 0].offset;
  const uint32_t many_offset = words_[swap ? 0 : 1].offset;
  constexpr size_t kFewPairs = 256;
  if (few.size() * many.size() > kFewPairs) {
    BeginPhrase(few, few_offset, &starts_);
    return ContinuePhrase(many, many_offset, &starts_);
  }
  for (const uint32_t position : few) {
    const uint32_t wanted = position - few_offset + many_offset;
    uint32_t found = 0;
    for (size_t i = 0; i < many.size(); i += kLanes) {
      const uint32_t* from = many.data() + i;
      for (size_t j = 0; j < kLanes; j++) found |= from[j] == wanted ? 1 : 0;
    }
    if (found != 0 && position >= few_offset) starts_.push_back(position - few_offset);
  }
}

bool ExactPhrase::Matches() {
  if (checked_ == doc_) return !starts_.empty();
  checked_ = doc_;
  starts_.clear();
  FindPair();
  for (size_t i = 0; i < rest_.size() && !starts_.empty(); i++) {
    rest_[i].cursor.SeekTo(doc_);
    ContinuePhrase(rest_[i].cursor.positions(), rest_[i].offset, &starts_);
  }
  return !starts_.empty();
}

// Nowhere is a phrase more often than any of its words.
float ExactPhrase::MaxValue(const Formula& formula) {
  float value = formula.limit;
  for (Word& word : words_) value = std::min(value, formula.Bound(word.cursor.list_max()));
  return value;
}
// By the blocks of the rarest word, which are the longest.
float ExactPhrase::BlockValue(const Formula& formula, DocId from, DocId* last) {
  maxima_.SeekBlock(from);
  *last = maxima_.block_last();
  return *last == kEndDoc ? 0 : formula.Bound(maxima_.block_max());
}

}  // namespace crivello::search
