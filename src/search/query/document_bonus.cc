// SPDX-License-Identifier: Apache-2.0
#include "search/query/document_bonus.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace crivello::search {

class Bonuses::SegmentBonus final : public DocumentBonus {
 public:
  SegmentBonus(const index::Segment& segment, const RankingOptions& options, float scale, float largest)
      : options_(options), scale_(scale) {
    const index::DocumentValues& values = segment.values();
    ranks_ = options.rank.empty() ? nullptr : values.scores(options.rank);
    published_ = values.numbers(index::column::kPublished);
    times_ = values.numbers(index::column::kTime);
    max_ = static_cast<Quanta>(scale * options.freshness_weight);
    if (ranks_ == nullptr) return;
    for (size_t code = 0; code < by_code_.size(); code++) {
      const float share = std::clamp(ranks_->table()[code] / largest, 0.0f, 1.0f);
      by_code_[code] = static_cast<Quanta>(scale * options.rank_weight * share);
    }
    max_ += *std::max_element(by_code_.begin(), by_code_.end());
    // Greater scores have greater codes, and come first in this order.
    falls_ = segment.info().order == options.rank && options.freshness_weight == 0 && options.rank_weight > 0;
  }

  Quanta Of(DocId doc) const override { return RankOf(doc) + FreshnessOf(doc); }
  Quanta max() const override { return max_; }
  bool falls() const override { return falls_; }
  Quanta RankOf(DocId doc) const { return ranks_ == nullptr ? 0 : by_code_[ranks_->CodeOf(doc)]; }
  Quanta FreshnessOf(DocId doc) const {
    if (options_.freshness_weight == 0) return 0;
    const auto age = static_cast<float>(std::max<int64_t>(options_.now_seconds - TimeOf(doc), 0));
    const auto half_life = static_cast<float>(std::max<int64_t>(options_.freshness_half_life_seconds, 1));
    return static_cast<Quanta>(scale_ * options_.freshness_weight * std::exp2(-age / half_life));
  }

 private:
  int64_t TimeOf(DocId doc) const {
    const int64_t published = published_ == nullptr ? 0 : (*published_)[doc];
    if (published != 0) return published;
    return times_ == nullptr ? 0 : (*times_)[doc];
  }

  const RankingOptions& options_;
  float scale_;
  const index::ScoreColumn* ranks_ = nullptr;
  const index::NumberColumn* published_ = nullptr;
  const index::NumberColumn* times_ = nullptr;
  std::array<Quanta, 256> by_code_ = {};
  Quanta max_ = 0;
  bool falls_ = false;
};

Bonuses::Bonuses(std::span<const SearchedSegment> segments, const RankingOptions& options, float scale)
    : options_(options), scale_(scale) {
  if (options.rank.empty() && options.freshness_weight == 0) return;
  float largest = 0;
  for (const SearchedSegment& searched : segments) {
    const index::ScoreColumn* ranks = searched.segment->values().scores(options.rank);
    if (ranks != nullptr) largest = std::max(largest, ranks->table().back());
  }
  if (largest <= 0) largest = 1;
  for (const SearchedSegment& searched : segments) {
    bonuses_.push_back(std::make_shared<SegmentBonus>(*searched.segment, options_, scale, largest));
  }
}

const DocumentBonus* Bonuses::In(size_t segment) const {
  return bonuses_.empty() ? nullptr : bonuses_[segment].get();
}

Explanation Bonuses::Explain(size_t segment, DocId doc) const {
  Explanation out{"bonus", 0, {}};
  if (bonuses_.empty()) return out;
  const SegmentBonus& bonus = *bonuses_[segment];
  out.value = static_cast<double>(bonus.Of(doc)) / scale_;
  if (!options_.rank.empty())
    out.parts.push_back({"rank " + options_.rank, static_cast<double>(bonus.RankOf(doc)) / scale_, {}});
  if (options_.freshness_weight != 0)
    out.parts.push_back({"freshness", static_cast<double>(bonus.FreshnessOf(doc)) / scale_, {}});
  return out;
}

}  // namespace crivello::search
