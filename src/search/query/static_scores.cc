// SPDX-License-Identifier: Apache-2.0
#include "search/query/static_scores.h"

#include <fmt/format.h>

#include <array>

namespace crivello::search {
namespace {

// The median of the values above zero of a score that segments have themselves; 1 if there are none.
float MedianAboveZero(std::string_view name, std::span<const SearchedSegment> segments) {
  std::map<float, uint64_t> counts;
  uint64_t all = 0;
  for (const SearchedSegment& searched : segments) {
    const StaticColumn column = FindStaticColumn(searched, name);
    if (column.table == nullptr) continue;
    std::array<uint64_t, 256> by_code = {};
    for (const uint8_t code : column.codes) by_code[code]++;
    for (size_t code = 0; code < by_code.size(); code++) {
      if ((*column.table)[code] <= 0) continue;
      counts[(*column.table)[code]] += by_code[code];
      all += by_code[code];
    }
  }
  uint64_t before = 0;
  for (const auto& [value, count] : counts) {
    before += count;
    if (2 * before >= all && count > 0) return value;
  }
  return 1;
}

Status CheckStatic(std::string_view name, std::span<const SearchedSegment> segments) {
  const std::set<std::string> names = StaticNames(segments);
  if (segments.empty() || names.contains(std::string(name))) return Status::Ok();
  if (names.empty())
    return Status::NotFound(fmt::format("the index has no static score '{}', nor any other", name));
  return Status::NotFound(
      fmt::format("the index has no static score '{}'; it has {}, and 'crivello rank' makes others", name,
                  fmt::join(names, ", ")));
}

}  // namespace

StaticColumn FindStaticColumn(const SearchedSegment& searched, std::string_view name) {
  for (const auto& rank : searched.ranks) {
    if (rank->name() == name) return {&rank->scale().table, rank->codes(), rank.get()};
  }
  const index::ScoreColumn* scores = searched.segment->values().scores(name);
  if (scores == nullptr) return {};
  return {&scores->table(), scores->codes(), nullptr};
}

std::set<std::string> StaticNames(std::span<const SearchedSegment> segments) {
  std::set<std::string> names;
  for (const SearchedSegment& searched : segments) {
    for (const auto& rank : searched.ranks) names.insert(rank->name());
    for (const auto& [name, column] : searched.segment->values().all_scores()) names.insert(name);
  }
  return names;
}

Result<std::string> RankOf(const RankingOptions& options, std::span<const SearchedSegment> segments) {
  if (!options.sort.empty() && options.sort != kSortByDate) CRV_TRY(CheckStatic(options.sort, segments));
  if (options.rank == kNoRank) return std::string();
  if (!options.rank.empty()) {
    CRV_TRY(CheckStatic(options.rank, segments));
    return options.rank;
  }
  for (const SearchedSegment& searched : segments) {
    if (FindStaticColumn(searched, kDefaultRank).rank != nullptr) return std::string(kDefaultRank);
  }
  return std::string();
}

float StaticPivots::Of(std::string_view name, std::span<const SearchedSegment> segments) {
  const MutexLock lock(mutex_);
  const auto known = pivots_.find(name);
  if (known != pivots_.end()) return known->second;
  return pivots_[std::string(name)] = MedianAboveZero(name, segments);
}

}  // namespace crivello::search
