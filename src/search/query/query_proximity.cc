// SPDX-License-Identifier: Apache-2.0
// What it is worth that words of a query stand near one another (Büttcher, Clarke, Lushman: Term Proximity
// Scoring for Ad-Hoc Retrieval on Very Large Text Collections, 2006; here over fields, for neighbours in the
// query).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/query/plan_nodes.h"

namespace crivello::search {
namespace {

constexpr size_t kMaxPairs = 16;

using Pair = std::pair<const GroupPlan*, const GroupPlan*>;

// Words that are side by side in the query.
std::vector<Pair> PairsOf(const PlanState& state) {
  std::vector<Pair> pairs;
  if (!state.root) return pairs;
  const GroupPlan* before = nullptr;
  for (const PlanNode& node : state.root->children) {
    const bool is_word = node.kind == PlanNode::Kind::kGroup && node.group.words.size() == 1 &&
                         node.occur != Query::Occur::kExcluded;
    const GroupPlan* word = is_word ? &node.group : nullptr;
    if (word != nullptr && before != nullptr && pairs.size() < kMaxPairs) pairs.emplace_back(before, word);
    before = word;
  }
  return pairs;
}

// The sum of 1 / width² over the minimal windows of two words: a place of one and the next of the other.
float Nearness(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  float sum = 0;
  uint32_t last = 0;
  bool last_is_a = false;
  bool any = false;
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool is_a = j == b.size() || (i < a.size() && a[i] < b[j]);
    const uint32_t here = is_a ? a[i++] : b[j++];
    if (any && is_a != last_is_a && here > last) {
      const auto width = static_cast<float>(here - last);
      sum += 1 / (width * width);
    }
    last = here;
    last_is_a = is_a;
    any = true;
  }
  return sum;
}

// Of one segment, documents in increasing order.
class ProximityScorer {
 public:
  ProximityScorer(const PlanState& state, size_t segment) : state_(state) {
    for (const auto& [a, b] : PairsOf(state)) {
      PairHere& pair = pairs_.emplace_back(PairHere{a, b, {}});
      for (size_t f = 0; f < a->fields.size(); f++) {
        for (size_t g = 0; g < b->fields.size(); g++) {
          if (a->fields[f].field == b->fields[g].field) AddField(a, f, b, g, segment, &pair);
        }
      }
    }
  }

  // The value of each pair that is near, as `each(a, b, sum, value)`.
  template <typename Each>
  void ForEachPair(DocId doc, Each&& each) {
    const float k1 = state_.ranking.bm25.k1;
    for (PairHere& pair : pairs_) {
      float sum = 0;
      for (FieldHere& field : pair.fields) {
        if (!IsOn(*field.a, doc) || !IsOn(*field.b, doc)) continue;
        sum += field.formula(Nearness(field.a->positions(), field.b->positions()),
                             static_cast<float>(field.lengths[doc]));
      }
      if (sum == 0) continue;
      const float idf = std::min(pair.a->idf * pair.a->boost, pair.b->idf * pair.b->boost);
      each(*pair.a, *pair.b, sum, state_.ranking.proximity * idf * (k1 + 1) * sum / (sum + k1));
    }
  }

 private:
  struct FieldHere {
    std::unique_ptr<Occurrences> a;
    std::unique_ptr<Occurrences> b;
    Formula formula;
    const uint32_t* lengths = nullptr;
  };
  struct PairHere {
    const GroupPlan* a;
    const GroupPlan* b;
    std::vector<FieldHere> fields;
  };

  static void AddField(const GroupPlan* a, size_t f, const GroupPlan* b, size_t g, size_t segment,
                       PairHere* pair) {
    const FieldLists& in_a = a->lists[segment][f];
    const FieldLists& in_b = b->lists[segment][g];
    if (in_a.view == nullptr || in_b.view == nullptr) return;
    if (in_a.view->lists.contents != index::PostingContents::kPositions) return;
    pair->fields.push_back(
        {OccurrencesIn(*a, in_a), OccurrencesIn(*b, in_b), a->field_formulas[f], in_a.lengths});
  }
  static bool IsOn(Occurrences& occurrences, DocId doc) {
    occurrences.SeekTo(doc);
    return occurrences.doc() == doc && occurrences.Matches();
  }

  const PlanState& state_;
  std::vector<PairHere> pairs_;
};

}  // namespace

void QueryPlan::AddProximity(std::vector<Hit>* hits) const {
  std::vector<Hit*> in_order;
  for (Hit& hit : *hits) in_order.push_back(&hit);
  std::sort(in_order.begin(), in_order.end(), [](const Hit* a, const Hit* b) {
    return a->segment != b->segment ? a->segment < b->segment : a->doc < b->doc;
  });
  std::optional<ProximityScorer> scorer;
  uint32_t segment = 0;
  for (Hit* hit : in_order) {
    if (!scorer || hit->segment != segment) {
      segment = hit->segment;
      scorer.emplace(*state_, segment);
    }
    scorer->ForEachPair(hit->doc, [&](const GroupPlan&, const GroupPlan&, float, float value) {
      hit->score += static_cast<Quanta>(std::lround(value * state_->scale));
    });
  }
}

Explanation QueryPlan::ExplainProximity(size_t segment, DocId doc) const {
  Explanation out{"proximity", 0, {}};
  ProximityScorer(*state_, segment)
      .ForEachPair(doc, [&](const GroupPlan& a, const GroupPlan& b, float sum, float value) {
        Explanation pair{
            fmt::format("{} near {}", a.words[0].forms[0], b.words[0].forms[0]),
            static_cast<double>(std::lround(value * state_->scale)) / state_->scale,
            {},
            fmt::format("sum of 1 / width² over fields {:.4g}, lesser idf {:.4g}, weight {:.4g}", sum,
                        std::min(a.idf * a.boost, b.idf * b.boost), state_->ranking.proximity)};
        out.value += pair.value;
        out.parts.push_back(std::move(pair));
      });
  return out;
}

}  // namespace crivello::search
