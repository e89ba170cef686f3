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
    bool any = false;
    uint32_t single_count = 0;
    uint32_t single_length = 0;
    for (size_t f = 0; f < group.fields.size(); f++) {
      const FieldLists& lists = group.lists[segment_][f];
      const std::unique_ptr<Occurrences> occurrences = OccurrencesIn(group, lists);
      if (occurrences == nullptr) continue;
      occurrences->SeekTo(doc_);
      if (occurrences->doc() != doc_ || !occurrences->Matches()) continue;
      any = true;
      single_count = occurrences->count();
      single_length = lists.lengths == nullptr ? 0 : lists.lengths[doc_];
      const float value =
          group.field_formulas[f](static_cast<float>(single_count), static_cast<float>(single_length));
      sum += value;
      Explanation field{"in " + group.fields[f].field, value, {}};
      field.parts.push_back({"count", static_cast<double>(single_count), {}});
      const bool by_maximum = state_.ranking.ranking == Ranking::kTfIdfMaximum;
      field.parts.push_back(
          {by_maximum ? "largest count" : "length", static_cast<double>(single_length), {}});
      const auto* known = state_.statistics->field(group.fields[f].field);
      field.parts.push_back({"mean length", known == nullptr ? 0 : known->mean(), {}});
      field.parts.push_back({"weight", group.fields[f].weight, {}});
      out->parts.push_back(std::move(field));
    }
    if (!any) return false;
    const Quanta quanta = group.single ? group.single_formula.Score(static_cast<float>(single_count),
                                                                    static_cast<float>(single_length))
                                       : group.sum_formula.Score(sum, 0);
    out->value = static_cast<double>(quanta) / state_.scale;
    Explanation idf{"idf", group.idf, {}};
    idf.parts.push_back({"documents", static_cast<double>(state_.statistics->documents), {}});
    for (size_t w = 0; w < group.words.size(); w++) {
      idf.parts.push_back({"with " + group.words[w].forms[0], static_cast<double>(group.frequencies[w]), {}});
    }
    out->parts.push_back(std::move(idf));
    out->parts.push_back({"boost", group.boost, {}});
    const bool bm25 = state_.ranking.ranking == Ranking::kBm25 || state_.ranking.ranking == Ranking::kBm25f;
    if (bm25) {
      // Why the parts are more than the whole: many occurrences are worth little more than some.
      if (!group.single) {
        const float k1 = state_.ranking.bm25.k1;
        out->parts.push_back({"weighted count", sum, {}});
        out->parts.push_back({"after saturation", sum > 0 ? (k1 + 1) * sum / (k1 + sum) : 0, {}});
      }
      out->parts.push_back({"k1", state_.ranking.bm25.k1, {}});
      out->parts.push_back({"b", state_.ranking.bm25.b, {}});
    }
    return true;
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
