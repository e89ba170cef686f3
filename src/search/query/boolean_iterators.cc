// SPDX-License-Identifier: Apache-2.0
#include "search/query/boolean_iterators.h"

#include <algorithm>

namespace crivello::search {
namespace {

constexpr Quanta kMostQuanta = 1 << 30;

// Sums of bounds could pass what scores themselves never do.
Quanta SaturatingAdd(Quanta a, Quanta b) { return a > kMostQuanta - b ? kMostQuanta : a + b; }

}  // namespace

AllDocuments::AllDocuments(DocId documents) : documents_(documents) {
  cost_ = documents;
  doc_ = documents == 0 ? kEndDoc : 0;
}
void AllDocuments::SeekTo(DocId d) {
  if (d <= doc_) return;
  doc_ = d < documents_ ? d : kEndDoc;
}

FilterIterator::FilterIterator(index::PostingCursor cursor) : cursor_(std::move(cursor)) {
  cost_ = cursor_.frequency();
  doc_ = cursor_.doc();
}
void FilterIterator::Next() {
  cursor_.Next();
  doc_ = cursor_.doc();
}
void FilterIterator::SeekTo(DocId d) {
  cursor_.SeekTo(d);
  doc_ = cursor_.doc();
}

Disjunction::Disjunction(DocIterators parts) : parts_(std::move(parts)) {
  std::vector<DocId> docs;
  for (const auto& part : parts_) {
    docs.push_back(part->doc());
    cost_ += part->cost();
    max_score_ = SaturatingAdd(max_score_, part->max_score());
  }
  heap_ = IndirectHeap(docs);
  doc_ = heap_.empty() ? kEndDoc : heap_.top_doc();
}
void Disjunction::Next() {
  const DocId before = doc_;
  while (heap_.top_doc() == before) {
    DocIterator& part = *parts_[heap_.top()];
    part.Next();
    heap_.Fix(part.doc());
  }
  doc_ = heap_.top_doc();
}
void Disjunction::SeekTo(DocId d) {
  while (doc_ < d) {
    DocIterator& part = *parts_[heap_.top()];
    part.SeekTo(d);
    heap_.Fix(part.doc());
    doc_ = heap_.top_doc();
  }
}
bool Disjunction::Matches() {
  matching_.clear();
  heap_.ForEachOnTop([this](uint32_t part) {
    if (parts_[part]->Matches()) matching_.push_back(part);
  });
  return !matching_.empty();
}
Quanta Disjunction::Score() {
  Quanta score = 0;
  for (const uint32_t part : matching_) score += parts_[part]->Score();
  return score;
}
Quanta Disjunction::ScoreBound() {
  Quanta bound = 0;
  heap_.ForEachOnTop([&](uint32_t part) { bound = SaturatingAdd(bound, parts_[part]->ScoreBound()); });
  return bound;
}

Conjunction::Conjunction(DocIterators parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a->cost() < b->cost(); });
  cost_ = parts[0]->cost();
  for (auto& part : parts) {
    max_score_ = SaturatingAdd(max_score_, part->max_score());
    parts_.push_back({std::move(part), 0});
  }
  Align();
}
void Conjunction::CountPass(size_t i) {
  parts_[i].passes++;
  // Enough for it not to be chance.
  if (i > 1 && parts_[i].passes > 2 * parts_[i - 1].passes + 16) std::swap(parts_[i], parts_[i - 1]);
}
void Conjunction::Align() {
  for (;;) {
    DocIterator& first = *parts_[0].iterator;
    doc_ = first.doc();
    if (doc_ == kEndDoc) return;
    bool aligned = true;
    for (size_t i = 1; aligned && i < parts_.size(); i++) {
      DocIterator& other = *parts_[i].iterator;
      other.SeekTo(doc_);
      aligned = other.doc() == doc_;
      if (aligned) continue;
      first.SeekTo(other.doc());
      CountPass(i);
    }
    if (aligned) return;
  }
}
void Conjunction::Next() {
  parts_[0].iterator->Next();
  Align();
}
void Conjunction::SeekTo(DocId d) {
  if (d <= doc_) return;
  parts_[0].iterator->SeekTo(d);
  Align();
}
bool Conjunction::Matches() {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.iterator->Matches(); });
}
Quanta Conjunction::Score() {
  Quanta score = 0;
  for (const Part& part : parts_) score += part.iterator->Score();
  return score;
}
Quanta Conjunction::ScoreBound() {
  Quanta bound = 0;
  for (const Part& part : parts_) bound = SaturatingAdd(bound, part.iterator->ScoreBound());
  return bound;
}
DocIterator::Bound Conjunction::BlockBound(DocId from) {
  Bound all;
  for (const Part& part : parts_) {
    const Bound bound = part.iterator->BlockBound(from);
    all.score = SaturatingAdd(all.score, bound.score);
    all.last = std::min(all.last, bound.last);
  }
  return all;
}

Adjusted::Adjusted(std::unique_ptr<DocIterator> base, DocIterators optional, DocIterators excluded)
    : base_(std::move(base)), optional_(std::move(optional)), excluded_(std::move(excluded)) {
  for (const auto& part : optional_) optional_max_ = SaturatingAdd(optional_max_, part->max_score());
  max_score_ = SaturatingAdd(base_->max_score(), optional_max_);
  cost_ = base_->cost();
  doc_ = base_->doc();
}
void Adjusted::Next() {
  base_->Next();
  doc_ = base_->doc();
}
void Adjusted::SeekTo(DocId d) {
  base_->SeekTo(d);
  doc_ = base_->doc();
}
bool Adjusted::Matches() {
  if (!base_->Matches()) return false;
  return std::none_of(excluded_.begin(), excluded_.end(),
                      [this](const auto& part) { return Contains(*part, doc_); });
}
Quanta Adjusted::Score() {
  Quanta score = base_->Score();
  for (const auto& part : optional_) {
    if (Contains(*part, doc_)) score += part->Score();
  }
  return score;
}
Quanta Adjusted::ScoreBound() { return SaturatingAdd(base_->ScoreBound(), optional_max_); }

}  // namespace crivello::search
