// SPDX-License-Identifier: Apache-2.0
// How a document comes to its score: the numbers of every formula.
#include <fmt/format.h>

#include "search/query/plan_nodes.h"

namespace crivello::search {
namespace {

std::string NameOf(const GroupPlan& group) {
  std::string name;
  for (const QueryWord& word : group.words) {
    name += name.empty() ? "" : " ";
    for (size_t i = 0; i < std::min<size_t>(word.forms.size(), 4); i++)
      name += (i == 0 ? "" : "/") + word.forms[i];
    if (word.forms.size() > 4) name += "/…";
  }
  return group.words.size() > 1 ? '"' + name + '"' : name;
}

class Explainer {
 public:
  Explainer(const PlanState& state, size_t segment, DocId doc)
      : state_(state), segment_(segment), doc_(doc) {}

  // Whether the document has it; then `out` is how.
  bool Explain(const PlanNode& node, Explanation* out) const {
    switch (node.kind) {
      case PlanNode::Kind::kAll:
        *out = {"every document", 0, {}};
        return true;
      case PlanNode::Kind::kGroup:
        return Group(node.group, out);
      case PlanNode::Kind::kFilter: {
        if (!node.filters[segment_]) return false;
        index::PostingCursor cursor = *node.filters[segment_];
        cursor.SeekTo(doc_);
        *out = {node.field + ":" + node.text, 0, {}};
        return cursor.doc() == doc_;
      }
      case PlanNode::Kind::kDate:
        *out = {"date:" + node.text, 0, {}};
        return true;
      case PlanNode::Kind::kBoolean:
        break;
    }
    *out = {"sum", 0, {}};
    bool any = false;
    for (const PlanNode& child : node.children) {
      Explanation part;
      if (child.occur == Query::Occur::kExcluded || !Explain(child, &part)) continue;
      any = true;
      out->value += part.value;
      out->parts.push_back(std::move(part));
    }
    return any;
  }

 private:
  bool Group(const GroupPlan& group, Explanation* out) const {
    *out = {NameOf(group), 0, {}};
    float sum = 0;
    uint32_t single_count = 0;
    uint32_t single_length = 0;
    for (size_t f = 0; f < group.fields.size(); f++) {
      const FieldLists& lists = group.lists[segment_][f];
      const std::unique_ptr<Occurrences> occurrences = OccurrencesIn(group, lists);
      if (occurrences == nullptr) continue;
      occurrences->SeekTo(doc_);
      if (occurrences->doc() != doc_ || !occurrences->Matches()) continue;
      single_count = occurrences->count();
      single_length = lists.lengths == nullptr ? 0 : lists.lengths[doc_];
      const float value =
          group.field_formulas[f](static_cast<float>(single_count), static_cast<float>(single_length));
      sum += value;
      const auto* known = state_.statistics->field(group.fields[f].field);
      const bool by_maximum = state_.ranking.ranking == Ranking::kTfIdfMaximum;
      out->parts.push_back(
          {"in " + group.fields[f].field,
           value,
           {},
           fmt::format("count {}, {} {} (mean length {:.4g}), weight {:.4g}: {:.4g}", single_count,
                       by_maximum ? "largest count" : "length", single_length,
                       known == nullptr ? 0 : known->mean(), group.fields[f].weight, value)});
    }
    if (out->parts.empty()) return false;
    const Quanta quanta = group.single ? group.single_formula.Score(static_cast<float>(single_count),
                                                                    static_cast<float>(single_length))
                                       : group.sum_formula.Score(sum, 0);
    out->value = static_cast<double>(quanta) / state_.scale;
    // The fields are added before the formula is applied to them: each has its share of what comes of that.
    for (Explanation& field : out->parts) {
      field.value = sum > 0 ? out->value * field.value / static_cast<double>(sum)
                            : out->value / static_cast<double>(out->parts.size());
    }
    out->how = HowOf(group, sum);
    return true;
  }

  std::string HowOf(const GroupPlan& group, float sum) const {
    std::string how = fmt::format("idf {:.4g} (", group.idf);
    for (size_t w = 0; w < group.words.size(); w++) {
      how += fmt::format("{}{} of {} pages have {}", w == 0 ? "" : ", ", group.frequencies[w],
                         state_.statistics->documents, group.words[w].forms[0]);
    }
    how += fmt::format("), boost {:.4g}", group.boost);
    const bool bm25 = state_.ranking.ranking == Ranking::kBm25 || state_.ranking.ranking == Ranking::kBm25f;
    if (!bm25) return how;
    const float k1 = state_.ranking.bm25.k1;
    // Many occurrences are worth little more than some.
    if (!group.single) {
      how += fmt::format(", saturation ({0:.4g} + 1) · {1:.4g} / ({0:.4g} + {1:.4g}) = {2:.4g}", k1, sum,
                         sum > 0 ? (k1 + 1) * sum / (k1 + sum) : 0);
    }
    return how + fmt::format(", k1 {:.4g}, b {:.4g}", k1, state_.ranking.bm25.b);
  }

  const PlanState& state_;
  size_t segment_;
  DocId doc_;
};

}  // namespace

Explanation QueryPlan::Explain(size_t segment, DocId doc) const {
  Explanation out{"words", 0, {}};
  if (state_->root) {
    Explanation found;
    if (Explainer(*state_, segment, doc).Explain(*state_->root, &found)) out = std::move(found);
  }
  return out;
}

}  // namespace crivello::search
