// SPDX-License-Identifier: Apache-2.0
#include "search/query/document_bonus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace crivello::search {
namespace {

float Saturated(float score, float pivot) {
  const float grown = std::pow(std::max(score, 0.0f) / pivot, Bonuses::kStaticExponent);
  return std::isfinite(grown) ? grown / (1 + grown) : 1;
}

// What documents have by a byte each, which grows with the byte; and the bounds that follow from the greatest
// byte of each block.
class CodeBonus {
 public:
  CodeBonus(const StaticColumn& column, const std::array<Quanta, 256>& by_code, Quanta missing)
      : column_(column), by_code_(by_code), missing_(missing) {
    if (column.table == nullptr) by_code_.fill(missing);
    if (column.rank != nullptr) {
      blocks_ = column.rank->block_maxima();
      tails_ = column.rank->tail_maxima();
    }
  }
  Quanta Of(DocId doc) const { return column_.table == nullptr ? missing_ : by_code_[column_.codes[doc]]; }
  Quanta max() const { return tails_.empty() ? by_code_.back() : by_code_[tails_.front()]; }
  DocumentBonus::Rest From(DocId doc) const {
    const size_t block = doc / kBlock;
    if (block >= tails_.size()) return {max(), kEndDoc};
    return {by_code_[tails_[block]], static_cast<DocId>(block * kBlock + (kBlock - 1))};
  }
  Quanta MaxIn(DocId begin, DocId end) const {
    const size_t last = (std::max(begin + 1, end) - 1) / kBlock;
    if (last >= blocks_.size()) return max();
    return by_code_[*std::max_element(blocks_.begin() + begin / kBlock,
                                      blocks_.begin() + static_cast<std::ptrdiff_t>(last + 1))];
  }

 private:
  static constexpr DocId kBlock = index::RankColumn::kBlock;
  StaticColumn column_;
  std::array<Quanta, 256> by_code_;
  Quanta missing_;
  std::span<const uint8_t> blocks_;
  std::span<const uint8_t> tails_;
};

}  // namespace

class Bonuses::SegmentBonus final : public DocumentBonus {
 public:
  SegmentBonus(const index::Segment& segment, const RankingOptions& options, float scale, CodeBonus rank)
      : options_(options), scale_(scale), rank_(std::move(rank)) {
    published_ = segment.values().numbers(index::column::kPublished);
    times_ = segment.values().numbers(index::column::kTime);
    freshest_ = static_cast<Quanta>(scale * options.freshness_weight);
  }

  Quanta Of(DocId doc) const override { return RankOf(doc) + FreshnessOf(doc); }
  Quanta max() const override { return rank_.max() + freshest_; }
  Rest From(DocId doc) const override {
    const Rest rest = rank_.From(doc);
    return {rest.bonus + freshest_, rest.last};
  }
  Quanta MaxIn(DocId begin, DocId end) const override { return rank_.MaxIn(begin, end) + freshest_; }

  Quanta RankOf(DocId doc) const { return rank_.Of(doc); }
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
  CodeBonus rank_;
  const index::NumberColumn* published_ = nullptr;
  const index::NumberColumn* times_ = nullptr;
  Quanta freshest_ = 0;
};

class Bonuses::SortBonus final : public DocumentBonus {
 public:
  explicit SortBonus(CodeBonus score) : score_(std::move(score)) {}
  Quanta Of(DocId doc) const override { return score_.Of(doc); }
  Quanta max() const override { return score_.max(); }
  Rest From(DocId doc) const override { return score_.From(doc); }
  Quanta MaxIn(DocId begin, DocId end) const override { return score_.MaxIn(begin, end); }

 private:
  CodeBonus score_;
};

// By the dates of pages, in half seconds less: below 2^30 until 2038.
class Bonuses::DateBonus final : public DocumentBonus {
 public:
  explicit DateBonus(const index::DocumentValues& values) : dates_(values) {}
  Quanta Of(DocId doc) const override {
    return static_cast<Quanta>(std::clamp<int64_t>(dates_.Of(doc).seconds / 2, 0, kMax));
  }
  Quanta max() const override { return kMax; }

 private:
  static constexpr Quanta kMax = (1 << 30) - 1;
  PageDates dates_;
};

Bonuses::Bonuses(std::span<const SearchedSegment> segments, const RankingOptions& options, std::string rank,
                 StaticPivots& pivots, float scale)
    : options_(options), rank_(std::move(rank)), scale_(scale) {
  if (options_.sort == kSortByDate) {
    rank_.clear();
    for (const SearchedSegment& searched : segments) {
      bonuses_.push_back(std::make_shared<DateBonus>(searched.segment->values()));
      dates_.emplace_back(searched.segment->values());
    }
    return;
  }
  const bool sorts = !options_.sort.empty();
  if (sorts) rank_ = options_.sort;
  const bool ranks = !rank_.empty() && (sorts || options_.rank_weight > 0);
  if (!ranks) rank_.clear();
  if (!ranks && options_.freshness_weight == 0) return;
  bool pivot_is_needed = false;
  for (const SearchedSegment& searched : segments) {
    columns_.push_back(ranks ? FindStaticColumn(searched, rank_) : StaticColumn{});
    if (columns_.back().rank != nullptr) pivot_ = columns_.back().rank->scale().pivot;
    pivot_is_needed =
        pivot_is_needed || (columns_.back().table != nullptr && columns_.back().rank == nullptr);
  }
  if (pivot_is_needed && !sorts) pivot_ = pivots.Of(rank_, segments);
  for (size_t i = 0; i < segments.size(); i++) {
    const StaticColumn& column = columns_[i];
    // Those of tablets that got a new rank at different times each have their own.
    const float pivot = column.rank == nullptr ? pivot_ : column.rank->scale().pivot;
    std::array<Quanta, 256> by_code = {};
    for (size_t code = 0; ranks && column.table != nullptr && code < by_code.size(); code++) {
      const float score = std::max((*column.table)[code], 0.0f);
      // The bits of floats that are not below zero are in their order, and below 2^30 without the last.
      by_code[code] = sorts ? std::bit_cast<int32_t>(score) / 2
                            : static_cast<Quanta>(scale * options_.rank_weight * Saturated(score, pivot));
    }
    if (sorts) {
      bonuses_.push_back(std::make_shared<SortBonus>(CodeBonus(column, by_code, 0)));
      continue;
    }
    const Quanta missing = ranks ? static_cast<Quanta>(scale * options_.rank_weight / 2) : 0;
    bonuses_.push_back(std::make_shared<SegmentBonus>(*segments[i].segment, options_, scale,
                                                      CodeBonus(column, by_code, missing)));
  }
}

const DocumentBonus* Bonuses::In(size_t segment) const {
  return bonuses_.empty() ? nullptr : bonuses_[segment].get();
}

double Bonuses::SortedBy(size_t segment, DocId doc) const {
  if (!dates_.empty()) return static_cast<double>(dates_[segment].Of(doc).seconds);
  const StaticColumn& column = columns_[segment];
  return column.table == nullptr ? 0 : static_cast<double>(column[doc]);
}

Explanation Bonuses::Explain(size_t segment, DocId doc) const {
  Explanation out{"bonus", 0, {}};
  if (bonuses_.empty()) return out;
  const auto& bonus = static_cast<const SegmentBonus&>(*bonuses_[segment]);
  out.value = static_cast<double>(bonus.Of(doc)) / scale_;
  if (!rank_.empty()) {
    const StaticColumn& column = columns_[segment];
    const float pivot = column.rank == nullptr ? pivot_ : column.rank->scale().pivot;
    out.parts.push_back({"rank " + rank_,
                         static_cast<double>(bonus.RankOf(doc)) / scale_,
                         {},
                         fmt::format("value {:.4g}, median {:.4g}, exponent {:.4g}, weight {:.4g}",
                                     column.table == nullptr ? pivot : column[doc], pivot, kStaticExponent,
                                     options_.rank_weight)});
  }
  if (options_.freshness_weight != 0) {
    out.parts.push_back({"freshness", static_cast<double>(bonus.FreshnessOf(doc)) / scale_, {}});
  }
  return out;
}

}  // namespace crivello::search
