// SPDX-License-Identifier: Apache-2.0
#include "search/query/plan_nodes.h"

namespace crivello::search {
namespace {

// What "count" counts up to, in one document.
constexpr float kMaxCount = 65536;

class Weigher {
 public:
  explicit Weigher(PlanState* plan) : plan_(*plan) {}

  void Run() {
    double largest = plan_.ranking.rank_weight + plan_.ranking.freshness_weight;
    ForEachGroup(*plan_.root, [&](GroupPlan& group) {
      group.idf = 0;
      for (const uint64_t frequency : group.frequencies) group.idf += Idf(frequency);
      largest += LargestOf(group) * (plan_.ranking.HasProximity() ? 1 + plan_.ranking.proximity : 1);
    });
    const SecondPhase& second = plan_.ranking.second;
    if (plan_.ranking.HasSecondPhase()) {
      double words = 0;
      ForEachGroup(*plan_.root, [&](GroupPlan& group) { words += LargestOf(group); });
      // And what sites may bring.
      largest += words * (second.Relative() + 5) + second.Absolute();
    }
    plan_.scale = ScoreScale(largest);
    ForEachGroup(*plan_.root, [&](GroupPlan& group) { SetFormulas(&group); });
  }

 private:
  template <typename F>
  void ForEachGroup(PlanNode& node, F&& f) {
    if (node.kind == PlanNode::Kind::kGroup) f(node.group);
    for (PlanNode& child : node.children) ForEachGroup(child, f);
  }
  float Idf(uint64_t frequency) const {
    switch (plan_.ranking.ranking) {
      case Ranking::kBm25:
      case Ranking::kBm25f:
        return Bm25Idf(plan_.statistics->documents, frequency);
      case Ranking::kTfIdf:
      case Ranking::kTfIdfMaximum:
        return TfIdf(plan_.statistics->documents, frequency);
      case Ranking::kCount:
        break;
    }
    return 1;
  }
  bool IsBm25() const {
    return plan_.ranking.ranking == Ranking::kBm25 || plan_.ranking.ranking == Ranking::kBm25f;
  }
  double LargestOf(const GroupPlan& group) const {
    if (IsBm25()) return group.idf * (plan_.ranking.bm25.k1 + 1) * group.boost;
    if (plan_.ranking.ranking == Ranking::kCount) return kMaxCount * group.boost;
    double weights = 0;
    for (const FieldWeight& field : group.fields) weights += field.weight;
    return weights * group.idf * group.boost;
  }

  void SetFormulas(GroupPlan* group) const {
    const float k1 = plan_.ranking.bm25.k1;
    const float limit = static_cast<float>(LargestOf(*group)) * plan_.scale;
    for (const FieldWeight& field : group->fields) {
      const auto* known = plan_.statistics->field(field.field);
      Formula formula = {.weight = field.weight};
      // A field without counts has no lengths either: each posting counts as one in a document of mean
      // length.
      if (known != nullptr && !known->counts) {
        group->field_formulas.push_back(formula);
        continue;
      }
      if (IsBm25()) {
        const float b = field.b.value_or(plan_.ranking.bm25.b);
        formula.base = 1 - b;
        formula.slope = b / static_cast<float>(known == nullptr ? 1 : known->mean());
      } else if (plan_.ranking.ranking != Ranking::kCount) {
        formula.base = 0;
        formula.slope = 1;
      }
      group->field_formulas.push_back(formula);
    }
    const float weight = group->idf * group->boost * plan_.scale;
    group->sum_formula = {.weight = IsBm25() ? weight * (k1 + 1) : weight,
                          .saturation = IsBm25() ? 1.0f : 0.0f,
                          .base = IsBm25() ? k1 : 1.0f,
                          .limit = limit};
    // w c / n / (w c / n + k1) = c / (c + k1 n / w), and w c / n without saturation.
    const Formula& field = group->field_formulas[0];
    group->single_formula = group->sum_formula;
    const float factor = IsBm25() ? k1 / field.weight : 1 / field.weight;
    group->single_formula.base = factor * field.base;
    group->single_formula.slope = factor * field.slope;
  }

  PlanState& plan_;
};

}  // namespace

void WeighGroups(PlanState* plan) { Weigher(plan).Run(); }

}  // namespace crivello::search
