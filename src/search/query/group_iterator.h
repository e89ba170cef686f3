// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "search/query/doc_iterator.h"
#include "search/query/occurrences.h"

namespace crivello::search {

// A word or phrase of a query in all fields: the unit of scoring.  Each field brings the value of its
// formula, and the sum becomes a score by a formula of its own: with BM25F, Σ weight · count / (1 - b + b ·
// length / mean), then idf · (k1 + 1) · sum / (sum + k1).  (Robertson, Zaragoza, Taylor: Simple BM25
// extension to multiple weighted fields, 2004.)
class GroupIterator final : public DocIterator, private CandidateFilter {
 public:
  struct Field {
    std::unique_ptr<Occurrences> occurrences;
    Formula formula;
    const uint32_t* lengths = nullptr;  // of the field; nullptr if the formula does not look at them
  };
  GroupIterator(std::vector<Field> fields, const Formula& sum);

  void Next() override;
  void SeekTo(DocId d) override;
  bool Matches() override;
  Quanta Score() override;
  Quanta ScoreBound() override;
  void SetThreshold(Quanta threshold) override;
  Bound BlockBound(DocId from) override;
  void AddScores(const ScoreWindow& window) override;
  void AddBits(DocId begin, DocId end, uint64_t* bits) override;
  bool scores_many() const override { return is_lists_; }

 private:
  void SetDoc();
  bool IsWorth(DocId doc, uint32_t count_bound) const override;
  Quanta Quantised(float sum) const { return sum_.Score(sum, 0); }

  std::vector<Field> fields_;
  Formula sum_;
  std::vector<bool> matches_;
  struct FieldBound {
    bool known = false;
    float value = 0;
    DocId last = 0;
  };
  std::vector<FieldBound> field_bounds_;
  Bound bound_ = {};
  bool has_bound_ = false;
  Quanta threshold_ = -1;
  bool is_lists_ = true;  // of all fields
};

}  // namespace crivello::search
