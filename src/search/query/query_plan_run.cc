// SPDX-License-Identifier: Apache-2.0
// A plan in a segment: cursors put together as the query says.
#include <algorithm>

#include "search/query/exact_phrase.h"
#include "search/query/group_iterator.h"
#include "search/query/page_dates.h"
#include "search/query/plan_nodes.h"
#include "search/query/term_iterator.h"

namespace crivello::search {
namespace {

using Occur = Query::Occur;

// Documents whose dates are in an interval.
class DateIterator final : public DocIterator {
 public:
  DateIterator(const PageDates& dates, int64_t from, int64_t until, DocId documents)
      : dates_(dates), from_(from), until_(until), all_(documents) {
    cost_ = documents;
    doc_ = all_.doc();
  }
  void Next() override { SeekTo(doc_ + 1); }
  void SeekTo(DocId d) override {
    all_.SeekTo(d);
    doc_ = all_.doc();
  }
  bool Matches() override {
    const int64_t date = dates_.Of(doc_).seconds;
    return date >= from_ && date < until_;
  }
  Quanta Score() override { return 0; }

 private:
  PageDates dates_;
  int64_t from_;
  int64_t until_;
  AllDocuments all_;
};

std::unique_ptr<DocIterator> GroupIn(const GroupPlan& group, size_t segment) {
  const std::vector<FieldLists>& fields = group.lists[segment];
  if (group.single) {
    const FieldLists& lists = fields[0];
    if (lists.view == nullptr) return nullptr;
    return std::make_unique<TermIterator>(lists.words[0][0], group.single_formula, lists.lengths);
  }
  std::vector<GroupIterator::Field> parts;
  for (size_t f = 0; f < fields.size(); f++) {
    std::unique_ptr<Occurrences> occurrences = OccurrencesIn(group, fields[f]);
    if (occurrences == nullptr) continue;
    parts.push_back({std::move(occurrences), group.field_formulas[f], fields[f].lengths});
  }
  if (parts.empty()) return nullptr;
  return std::make_unique<GroupIterator>(std::move(parts), group.sum_formula);
}

// What finds nothing is no iterator.
std::unique_ptr<DocIterator> IteratorIn(const PlanNode& node, const SearchedSegment& searched,
                                        size_t segment);

std::optional<SegmentQuery> BooleanIn(const PlanNode& node, const SearchedSegment& searched, size_t segment) {
  SegmentQuery query;
  bool has_optional = false;
  for (const PlanNode& child : node.children) {
    std::unique_ptr<DocIterator> part = IteratorIn(child, searched, segment);
    has_optional |= child.occur == Occur::kOptional;
    if (part == nullptr) {
      if (child.occur == Occur::kRequired) return std::nullopt;
      continue;
    }
    if (child.occur == Occur::kExcluded) {
      query.excluded.push_back(std::move(part));
    } else if (child.occur == Occur::kOptional) {
      query.optional.push_back(std::move(part));
    } else if (child.IsFilter()) {
      query.filters.push_back(std::move(part));
    } else {
      query.required.push_back(std::move(part));
    }
  }
  if (has_optional && query.optional.empty() && query.required.empty()) return std::nullopt;
  return query;
}

std::unique_ptr<DocIterator> IteratorIn(const PlanNode& node, const SearchedSegment& searched,
                                        size_t segment) {
  const DocId documents = searched.segment->documents();
  switch (node.kind) {
    case PlanNode::Kind::kAll:
      return std::make_unique<AllDocuments>(documents);
    case PlanNode::Kind::kGroup:
      return GroupIn(node.group, segment);
    case PlanNode::Kind::kFilter:
      if (!node.filters[segment]) return nullptr;
      return std::make_unique<FilterIterator>(*node.filters[segment]);
    case PlanNode::Kind::kDate: {
      const index::DocumentValues& values = searched.segment->values();
      if (values.numbers(index::column::kTime) == nullptr) return nullptr;
      return std::make_unique<DateIterator>(PageDates(values), node.from, node.until, documents);
    }
    case PlanNode::Kind::kBoolean: {
      std::optional<SegmentQuery> query = BooleanIn(node, searched, segment);
      if (!query) return nullptr;
      return ToIterator(*std::move(query), documents);
    }
  }
  return nullptr;
}

SegmentQuery Nothing() {
  SegmentQuery query;
  query.filters.push_back(std::make_unique<AllDocuments>(0));
  return query;
}

double Share(const PlanNode& node, double documents) {
  switch (node.kind) {
    case PlanNode::Kind::kAll:
    case PlanNode::Kind::kDate:
      return 1;
    case PlanNode::Kind::kGroup: {
      double share = 1;
      for (const uint64_t frequency : node.group.frequencies)
        share *= static_cast<double>(frequency) / documents;
      return std::min(share, 1.0);
    }
    case PlanNode::Kind::kFilter: {
      double frequency = 0;
      for (const auto& filter : node.filters)
        frequency += filter ? static_cast<double>(filter->frequency()) : 0;
      return std::min(frequency / documents, 1.0);
    }
    case PlanNode::Kind::kBoolean:
      break;
  }
  double all = 1;
  double none = 1;
  bool optional = false;
  bool required = false;
  for (const PlanNode& child : node.children) {
    const double share = Share(child, documents);
    if (child.occur == Occur::kOptional) {
      optional = true;
      none *= 1 - share;
    } else {
      all *= child.occur == Occur::kRequired ? share : 1 - share;
      required |= child.occur == Occur::kRequired && !child.IsFilter();
    }
  }
  return optional && !required ? all * (1 - none) : all;
}

}  // namespace

std::optional<std::vector<std::span<const std::string>>> QueryPlan::WordsIn(
    size_t segment, DocId doc, std::span<const std::string_view> fields) const {
  constexpr size_t kMaxForms = 16;
  std::vector<std::span<const std::string>> found;
  bool known = true;
  const auto add = [&](const GroupPlan& group, size_t word) {
    known &= group.words[word].forms.size() <= kMaxForms;
    for (size_t f = 0; f < group.fields.size() && known; f++) {
      const FieldLists& lists = group.lists[segment][f];
      const bool wanted = std::find(fields.begin(), fields.end(), group.fields[f].field) != fields.end();
      if (!wanted || lists.view == nullptr) continue;
      for (index::PostingCursor cursor : lists.words[word]) {
        cursor.SeekTo(doc);
        if (cursor.doc() == doc) return found.push_back(group.words[word].forms);
      }
    }
  };
  const auto visit = [&](const PlanNode& node, const auto& self) -> void {
    if (node.occur == Occur::kExcluded) return;
    for (size_t i = 0; node.kind == PlanNode::Kind::kGroup && i < node.group.words.size(); i++) {
      add(node.group, i);
    }
    for (const PlanNode& child : node.children) self(child, self);
  };
  if (state_->root) visit(*state_->root, visit);
  if (!known) return std::nullopt;
  return found;
}

std::unique_ptr<Occurrences> OccurrencesIn(const GroupPlan& group, const FieldLists& lists) {
  if (lists.view == nullptr) return nullptr;
  const auto word = [&](size_t i) -> std::unique_ptr<Occurrences> {
    if (lists.words[i].size() == 1) return std::make_unique<TermOccurrences>(lists.words[i][0]);
    return std::make_unique<FormOccurrences>(lists.words[i]);
  };
  if (group.words.size() == 1) return word(0);
  const bool one_form = std::all_of(lists.words.begin(), lists.words.end(),
                                    [](const auto& forms) { return forms.size() == 1; });
  if (one_form && group.window.ordered && group.window.slop == 0) {
    std::vector<ExactPhrase::Word> words;
    for (size_t i = 0; i < group.words.size(); i++)
      words.push_back({lists.words[i][0], group.words[i].position});
    return std::make_unique<ExactPhrase>(std::move(words));
  }
  std::vector<PhraseOccurrences::Word> words;
  for (size_t i = 0; i < group.words.size(); i++) words.push_back({word(i), group.words[i].position});
  return std::make_unique<PhraseOccurrences>(std::move(words), group.window);
}

SegmentQuery QueryPlan::In(size_t segment) const {
  if (!state_->root) return Nothing();
  const PlanNode& root = *state_->root;
  const SearchedSegment& searched = state_->segments[segment];
  if (root.kind == PlanNode::Kind::kBoolean) {
    std::optional<SegmentQuery> query = BooleanIn(root, searched, segment);
    return query ? *std::move(query) : Nothing();
  }
  SegmentQuery query;
  std::unique_ptr<DocIterator> only = IteratorIn(root, searched, segment);
  if (only == nullptr) return Nothing();
  (root.IsFilter() ? query.filters : query.required).push_back(std::move(only));
  return query;
}

uint64_t QueryPlan::EstimatedTotal() const {
  const auto documents = static_cast<double>(std::max<uint64_t>(state_->statistics->documents, 1));
  return state_->root ? static_cast<uint64_t>(Share(*state_->root, documents) * documents + 0.5) : 0;
}

}  // namespace crivello::search
