// SPDX-License-Identifier: Apache-2.0
#include "search/query/occurrences.h"

#include <algorithm>
#include <array>

#include "search/topk/windows.h"

namespace crivello::search {

TermOccurrences::TermOccurrences(index::PostingCursor cursor) : cursor_(std::move(cursor)) {
  doc_ = cursor_.doc();
  cost_ = cursor_.frequency();
}
float TermOccurrences::MaxValue(const Formula& formula) { return formula.Bound(cursor_.list_max()); }
float TermOccurrences::BlockValue(const Formula& formula, DocId from, DocId* last) {
  cursor_.SeekBlock(from);
  *last = cursor_.block_last();
  return *last == kEndDoc ? 0 : formula.Bound(cursor_.block_max());
}

// Apart from the adding, so that the formula is computed by vectors, and no length waits for another.
void TermOccurrences::AddValues(const Formula& formula, const uint32_t* lengths, ValueWindow* window) {
  std::array<uint32_t, index::kBlockPostings> length = {};
  std::array<float, index::kBlockPostings> value;
  ForEachBlockBefore(cursor_, window->end, [&](std::span<const DocId> docs) {
    const auto counts = cursor_.block_rest_counts();
    if (lengths != nullptr) {
      for (size_t i = 0; i < docs.size(); i++) length[i] = lengths[docs[i]];
    }
    for (size_t i = 0; i < docs.size(); i++) {
      value[i] = formula(static_cast<float>(counts[i]), static_cast<float>(length[i]));
    }
    for (size_t i = 0; i < docs.size(); i++) {
      const DocId at = docs[i] - window->begin;
      window->values[at] += value[i];
      window->marks[at / kWindowGroup] = 1;
    }
  });
  doc_ = cursor_.doc();
}
void TermOccurrences::AddBits(DocId begin, DocId end, uint64_t* bits) {
  AddBitsOf(cursor_, begin, end, bits);
  doc_ = cursor_.doc();
}

FormOccurrences::FormOccurrences(std::vector<index::PostingCursor> cursors) : cursors_(std::move(cursors)) {
  for (const index::PostingCursor& cursor : cursors_) cost_ += cursor.frequency();
  MakeHeap();
}
void FormOccurrences::MakeHeap() {
  std::vector<DocId> docs;
  for (const index::PostingCursor& cursor : cursors_) docs.push_back(cursor.doc());
  heap_ = IndirectHeap(docs);
  doc_ = heap_.empty() ? kEndDoc : heap_.top_doc();
}
// The largest count of each document first, then the formula over whole groups of them.
void FormOccurrences::AddValues(const Formula& of, const uint32_t* lengths, ValueWindow* window) {
  const Formula formula = of;  // a copy, which no store below can change: so the last loops are of vectors
  const DocId begin = window->begin;
  for (index::PostingCursor& cursor : cursors_) {
    ForEachBlockBefore(cursor, window->end, [&](std::span<const DocId> docs) {
      const auto counts = cursor.block_rest_counts();
      for (size_t i = 0; i < docs.size(); i++) {
        uint32_t& count = window->counts[docs[i] - begin];
        count = std::max(count, counts[i]);
        window->count_marks[(docs[i] - begin) / kWindowGroup] = 1;
      }
    });
  }
  for (DocId at = 0; at < window->end - begin; at += kWindowGroup) {
    if (window->count_marks[at / kWindowGroup] == 0) continue;
    window->count_marks[at / kWindowGroup] = 0;
    window->marks[at / kWindowGroup] = 1;
    std::array<uint32_t, kWindowGroup> length = {};
    std::array<float, kWindowGroup> value;
    const DocId size = std::min(kWindowGroup, window->end - begin - at);
    if (lengths != nullptr) std::copy_n(lengths + begin + at, size, length.begin());
    uint32_t* counts = window->counts.data() + at;
    float* values = window->values.data() + at;
    for (DocId i = 0; i < kWindowGroup; i++) {
      value[i] = formula(static_cast<float>(counts[i]), static_cast<float>(length[i]));
    }
    for (DocId i = 0; i < kWindowGroup; i++) values[i] += counts[i] == 0 ? 0 : value[i];
    std::fill_n(counts, kWindowGroup, 0);
  }
  MakeHeap();
}
void FormOccurrences::AddBits(DocId begin, DocId end, uint64_t* bits) {
  for (index::PostingCursor& cursor : cursors_) AddBitsOf(cursor, begin, end, bits);
  MakeHeap();
}
void FormOccurrences::Next() {
  const DocId before = doc_;
  while (heap_.top_doc() == before) {
    index::PostingCursor& cursor = cursors_[heap_.top()];
    cursor.Next();
    heap_.Fix(cursor.doc());
  }
  doc_ = heap_.top_doc();
}
void FormOccurrences::SeekTo(DocId d) {
  while (doc_ < d) {
    index::PostingCursor& cursor = cursors_[heap_.top()];
    cursor.SeekTo(d);
    heap_.Fix(cursor.doc());
    doc_ = heap_.top_doc();
  }
}
uint32_t FormOccurrences::count() {
  uint32_t count = 0;
  heap_.ForEachOnTop([&](uint32_t list) { count = std::max(count, cursors_[list].count()); });
  return count;
}
std::span<const uint32_t> FormOccurrences::positions() {
  positions_.clear();
  heap_.ForEachOnTop([&](uint32_t list) {
    const auto more = cursors_[list].positions();
    positions_.insert(positions_.end(), more.begin(), more.end());
  });
  std::sort(positions_.begin(), positions_.end());
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  return positions_;
}
float FormOccurrences::MaxValue(const Formula& formula) {
  float value = 0;
  for (index::PostingCursor& cursor : cursors_) value = std::max(value, formula.Bound(cursor.list_max()));
  return value;
}
float FormOccurrences::BlockValue(const Formula& formula, DocId from, DocId* last) {
  float value = 0;
  *last = kEndDoc;
  for (index::PostingCursor& cursor : cursors_) {
    cursor.SeekBlock(from);
    const DocId block_last = cursor.block_last();
    if (block_last == kEndDoc) continue;
    *last = std::min(*last, block_last);
    value = std::max(value, formula.Bound(cursor.block_max()));
  }
  return value;
}

PhraseOccurrences::PhraseOccurrences(std::vector<Word> words, const Options& options)
    : words_(std::move(words)), options_(options) {
  for (const Word& word : words_) by_cost_.push_back(word.occurrences.get());
  std::stable_sort(by_cost_.begin(), by_cost_.end(),
                   [](const Occurrences* a, const Occurrences* b) { return a->cost() < b->cost(); });
  cost_ = by_cost_[0]->cost();
  Align();
}

// Lists are aligned in the order of their frequency; at the first that is not on the document of the first,
// it begins again.
void PhraseOccurrences::Align() {
  Occurrences& lead = *by_cost_[0];
  for (;;) {
    doc_ = lead.doc();
    if (doc_ == kEndDoc) return;
    bool aligned = true;
    for (size_t i = 1; aligned && i < by_cost_.size(); i++) {
      by_cost_[i]->SeekTo(doc_);
      aligned = by_cost_[i]->doc() == doc_;
      if (!aligned) lead.SeekTo(by_cost_[i]->doc());
    }
    if (aligned) return;
  }
}
void PhraseOccurrences::Next() {
  by_cost_[0]->Next();
  Align();
}
void PhraseOccurrences::SeekTo(DocId d) {
  if (d <= doc_) return;
  by_cost_[0]->SeekTo(d);
  Align();
}
// The positions of a word are read only if the rarer ones still stand together somewhere: most documents that
// do not have the phrase are known by two words.
void PhraseOccurrences::FindExact() {
  by_count_.clear();
  for (size_t i = 0; i < words_.size(); i++) by_count_.emplace_back(words_[i].occurrences->count(), i);
  std::sort(by_count_.begin(), by_count_.end());
  for (size_t i = 0; i < by_count_.size() && (i == 0 || !positions_.empty()); i++) {
    const Word& word = words_[by_count_[i].second];
    const uint32_t offset = word.offset - words_[0].offset;
    (i == 0 ? BeginPhrase : ContinuePhrase)(word.occurrences->positions(), offset, &positions_);
  }
}
bool PhraseOccurrences::Matches() {
  if (checked_ == doc_) return !positions_.empty();
  checked_ = doc_;
  positions_.clear();
  if (options_.ordered && options_.slop == 0) {
    FindExact();
    return !positions_.empty();
  }
  std::vector<PositionList> lists;
  for (const Word& word : words_) lists.push_back(word.occurrences->positions());
  const uint32_t width = words_.back().offset - words_.front().offset + 1 + options_.slop;
  (options_.ordered ? FindOrderedWindows : FindUnorderedWindows)(lists, width, &positions_);
  return !positions_.empty();
}
uint32_t PhraseOccurrences::count_bound() {
  uint32_t bound = ~uint32_t{0};
  for (const Word& word : words_) bound = std::min(bound, word.occurrences->count_bound());
  return std::min(bound, kMostCounted / WindowsPerPlace()) * WindowsPerPlace();
}
// Nowhere is a phrase more often than any of its words.  A minimal window without order may share the place
// of one word with others: each begins at the last place of another word before it, so there are no more than
// words.  ("a b x a b" has three of a, b and x.)
uint32_t PhraseOccurrences::WindowsPerPlace() const {
  return options_.ordered ? 1 : static_cast<uint32_t>(words_.size());
}
// Formulas grow more slowly than the count: n times the count is worth no more than n times the value.  The
// rest is for rounding.
float PhraseOccurrences::BoundOfWindows(float value) const {
  return options_.ordered ? value : value * static_cast<float>(words_.size()) * (1 + 1e-6f);
}
float PhraseOccurrences::MaxValue(const Formula& formula) {
  float value = formula.limit;
  for (const Word& word : words_)
    value = std::min(value, BoundOfWindows(word.occurrences->MaxValue(formula)));
  return value;
}
// By the blocks of the rarest word, which are the longest.
float PhraseOccurrences::BlockValue(const Formula& formula, DocId from, DocId* last) {
  return std::min(formula.limit, BoundOfWindows(by_cost_[0]->BlockValue(formula, from, last)));
}

}  // namespace crivello::search
