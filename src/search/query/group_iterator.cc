// SPDX-License-Identifier: Apache-2.0
#include "search/query/group_iterator.h"

#include <algorithm>
#include <array>

namespace crivello::search {
namespace {

float LengthOf(const GroupIterator::Field& field, DocId doc) {
  return field.lengths == nullptr ? 0 : static_cast<float>(field.lengths[doc]);
}

}  // namespace

GroupIterator::GroupIterator(std::vector<Field> fields, const Formula& sum)
    : fields_(std::move(fields)), sum_(sum), matches_(fields_.size(), true), field_bounds_(fields_.size()) {
  float value = 0;
  for (const Field& field : fields_) {
    cost_ += field.occurrences->cost();
    is_lists_ &= field.occurrences->is_lists();
    value += field.occurrences->MaxValue(field.formula);
  }
  max_score_ = cost_ == 0 ? 0 : Quantised(value);
  SetDoc();
}

void GroupIterator::SetDoc() {
  doc_ = kEndDoc;
  for (const Field& field : fields_) doc_ = std::min(doc_, field.occurrences->doc());
}
void GroupIterator::Next() {
  const DocId before = doc_;
  for (const Field& field : fields_) {
    if (field.occurrences->doc() == before) field.occurrences->Next();
  }
  SetDoc();
}
void GroupIterator::SeekTo(DocId d) {
  if (d <= doc_) return;
  for (const Field& field : fields_) field.occurrences->SeekTo(d);
  SetDoc();
}
bool GroupIterator::Matches() {
  bool any = false;
  for (size_t i = 0; i < fields_.size(); i++) {
    Occurrences& occurrences = *fields_[i].occurrences;
    matches_[i] = occurrences.doc() == doc_ && occurrences.Matches();
    any |= matches_[i];
  }
  return any;
}
Quanta GroupIterator::Score() {
  float sum = 0;
  for (size_t i = 0; i < fields_.size(); i++) {
    if (!matches_[i]) continue;
    const Field& field = fields_[i];
    sum += field.formula(static_cast<float>(field.occurrences->count()), LengthOf(field, doc_));
  }
  return Quantised(sum);
}
Quanta GroupIterator::ScoreBound() {
  float sum = 0;
  for (const Field& field : fields_) {
    if (field.occurrences->doc() != doc_) continue;
    sum += field.formula(static_cast<float>(field.occurrences->count_bound()), LengthOf(field, doc_));
  }
  return Quantised(sum);
}
// With several fields none knows what the others bring.
void GroupIterator::SetThreshold(Quanta threshold) {
  threshold_ = threshold;
  if (fields_.size() == 1 && threshold >= 0) fields_[0].occurrences->SetFilter(this);
}
bool GroupIterator::IsWorth(DocId doc, uint32_t count_bound) const {
  const Field& field = fields_[0];
  return Quantised(field.formula(static_cast<float>(count_bound), LengthOf(field, doc))) > threshold_;
}
// Field by field, in the order of Score(): the sums have the same value to the last bit.
void GroupIterator::AddScores(const ScoreWindow& window) {
  if (!is_lists_) return DocIterator::AddScores(window);
  ValueWindow& all = *window.values;
  all.begin = window.begin;
  all.end = window.end;
  for (const Field& field : fields_) field.occurrences->AddValues(field.formula, field.lengths, &all);
  const Formula sum = sum_;  // a copy, which no store below can change: so the loops are of vectors
  std::array<Quanta, kWindowGroup> made;
  for (DocId group = 0; group < kWindow / kWindowGroup; group++) {
    if (all.marks[group] == 0) continue;
    all.marks[group] = 0;
    window.marks[group] = 1;
    float* values = all.values.data() + group * kWindowGroup;
    Quanta* scores = window.scores + group * kWindowGroup;
    for (DocId i = 0; i < kWindowGroup; i++) made[i] = sum.Score(values[i], 0);
    for (DocId i = 0; i < kWindowGroup; i++) scores[i] += values[i] > 0 ? made[i] : 0;
    std::fill_n(values, kWindowGroup, 0.0f);
  }
  SetDoc();
}
void GroupIterator::AddBits(DocId begin, DocId end, uint64_t* bits) {
  if (!is_lists_) return DocIterator::AddBits(begin, end, bits);
  for (const Field& field : fields_) field.occurrences->AddBits(begin, end, bits);
  SetDoc();
}
DocIterator::Bound GroupIterator::BlockBound(DocId from) {
  if (has_bound_ && from <= bound_.last) return bound_;
  has_bound_ = true;
  bound_ = {};
  float sum = 0;
  for (size_t i = 0; i < fields_.size(); i++) {
    FieldBound& bound = field_bounds_[i];
    if (!bound.known || from > bound.last) {
      bound.known = true;
      bound.value = fields_[i].occurrences->BlockValue(fields_[i].formula, from, &bound.last);
    }
    sum += bound.value;
    bound_.last = std::min(bound_.last, bound.last);
  }
  bound_.score = bound_.last == kEndDoc ? 0 : std::min(max_score_, Quantised(sum));
  return bound_;
}

}  // namespace crivello::search
