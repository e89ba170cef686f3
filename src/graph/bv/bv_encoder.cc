// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_encoder.h"

#include <algorithm>
#include <cassert>

namespace crivello::graph {

BvEncoder::BvEncoder(const BvParameters& parameters)
    : parameters_(parameters),
      outdegrees_(parameters.codes.outdegrees),
      references_(parameters.codes.references),
      block_counts_(parameters.codes.block_counts),
      blocks_code_(parameters.codes.blocks),
      intervals_(parameters.codes.intervals),
      residuals_(parameters.codes.residuals) {}

void BvEncoder::Split(std::span<const Node> list, std::span<const Node> reference) {
  if (blocks_.size() < reference.size() + 2) blocks_.resize(2 * reference.size() + 2);
  if (extras_.size() < list.size()) extras_.resize(2 * list.size());
  uint32_t* block = blocks_.data();
  Node* extra = extras_.data();
  const Node* at = list.data();
  const Node* const end = at + list.size();
  const Node* from = reference.data();
  const Node* const from_end = from + reference.size();
  const Node* block_start = from;
  for (;;) {
    // A block to copy ends at a node of the reference that is not in the list.
    for (;;) {
      while (at != end && from != from_end && *at == *from) at++, from++;
      if (at == end || from == from_end) break;
      if (*at > *from) break;
      *extra++ = *at++;
    }
    if (at == end || from == from_end) {
      if (from != from_end) *block++ = static_cast<uint32_t>(from - block_start);
      break;
    }
    *block++ = static_cast<uint32_t>(from - block_start);
    block_start = from;
    // A block to skip ends at a node that is in the list.
    while (at != end && from != from_end && *at != *from) {
      if (*at < *from) {
        *extra++ = *at++;
      } else {
        from++;
      }
    }
    if (at == end || from == from_end) break;
    *block++ = static_cast<uint32_t>(from - block_start);
    block_start = from;
  }
  extra = std::copy(at, end, extra);
  block_count_ = static_cast<size_t>(block - blocks_.data());
  extra_count_ = static_cast<size_t>(extra - extras_.data());
}

uint64_t BvEncoder::Cost(uint64_t node, std::span<const Node> list, uint64_t distance,
                         std::span<const Node> reference, uint64_t limit) {
  assert(!list.empty());
  uint64_t cost = parameters_.window > 0 ? references_.Length(distance) : 0;
  if (distance == 0) return CostOfExtras(node, list, cost, limit);
  // Nothing can be copied, so this is no better than no reference.
  if (list.back() < reference.front() || reference.back() < list.front()) return kNoLimit;
  Split(list, reference);
  if (extra_count_ == list.size()) return kNoLimit;
  cost += block_counts_.Length(block_count_);
  if (block_count_ > 0) cost += blocks_code_.Length(blocks_[0]);
  for (size_t i = 1; i < block_count_; i++) cost += blocks_code_.Length(blocks_[i] - 1);
  if (cost >= limit) return cost;
  return CostOfExtras(node, std::span(extras_.data(), extra_count_), cost, limit);
}

uint64_t BvEncoder::CostOfExtras(uint64_t node, std::span<const Node> extras, uint64_t cost,
                                 uint64_t limit) const {
  if (extras.empty()) return cost;
  const uint64_t min_interval = std::max(parameters_.min_interval, 2u);
  const bool has_intervals = parameters_.min_interval != 0;
  uint64_t intervals = 0;
  uint64_t interval_end = 0;
  uint64_t last_residual = 0;
  bool has_residual = false;
  const size_t count = extras.size();
  for (size_t i = 0; i < count;) {
    size_t run_end = i + 1;
    if (has_intervals) {
      while (run_end < count && extras[run_end] == extras[run_end - 1] + 1) run_end++;
      const uint64_t length = run_end - i;
      if (length >= min_interval) {
        cost += intervals_.Length(intervals == 0 ? SignedToNatural(extras[i], node)
                                                 : extras[i] - interval_end - 1) +
                intervals_.Length(length - parameters_.min_interval);
        interval_end = uint64_t{extras[i]} + length;
        intervals++;
        i = run_end;
        continue;
      }
    }
    for (; i < run_end; i++) {
      cost +=
          residuals_.Length(has_residual ? extras[i] - last_residual - 1 : SignedToNatural(extras[i], node));
      has_residual = true;
      last_residual = extras[i];
    }
    if (cost >= limit) return cost;
  }
  return has_intervals ? cost + intervals_.Length(intervals) : cost;
}

uint64_t BvEncoder::Write(uint64_t node, std::span<const Node> list, uint64_t distance,
                          std::span<const Node> reference, bits::BitWriter& writer, BvStats& stats) {
  const uint64_t before = stats.graph_bits();
  stats.nodes++;
  stats.arcs += list.size();
  stats.outdegree_bits += outdegrees_.Write(list.size(), writer);
  if (list.empty()) return stats.graph_bits() - before;
  CountGaps(node, list, stats.successor_gaps);
  stats.reference_distances += distance;
  if (parameters_.window > 0) stats.reference_bits += references_.Write(distance, writer);
  if (distance == 0) {
    WriteExtras(node, list, writer, stats);
    return stats.graph_bits() - before;
  }
  Split(list, reference);
  stats.copied_arcs += list.size() - extra_count_;
  stats.block_bits += block_counts_.Write(block_count_, writer);
  for (size_t i = 0; i < block_count_; i++) {
    stats.block_bits += blocks_code_.Write(i == 0 ? blocks_[0] : blocks_[i] - 1, writer);
  }
  WriteExtras(node, std::span(extras_.data(), extra_count_), writer, stats);
  return stats.graph_bits() - before;
}

void BvEncoder::WriteExtras(uint64_t node, std::span<const Node> extras, bits::BitWriter& writer,
                            BvStats& stats) {
  if (extras.empty()) return;
  std::span<const Node> residuals = extras;
  if (parameters_.min_interval != 0) {
    const uint64_t min_interval = std::max(parameters_.min_interval, 2u);
    found_intervals_.clear();
    found_residuals_.clear();
    for (size_t i = 0; i < extras.size();) {
      size_t run_end = i + 1;
      while (run_end < extras.size() && extras[run_end] == extras[run_end - 1] + 1) run_end++;
      if (run_end - i >= min_interval) {
        found_intervals_.push_back({extras[i], static_cast<uint32_t>(run_end - i)});
      } else {
        for (size_t j = i; j < run_end; j++) found_residuals_.push_back(extras[j]);
      }
      i = run_end;
    }
    stats.interval_bits += intervals_.Write(found_intervals_.size(), writer);
    uint64_t end = 0;
    for (const Interval& interval : found_intervals_) {
      const uint64_t start = end == 0 ? SignedToNatural(interval.begin, node) : interval.begin - end - 1;
      stats.interval_bits += intervals_.Write(start, writer);
      stats.interval_bits += intervals_.Write(interval.length - parameters_.min_interval, writer);
      stats.interval_arcs += interval.length;
      end = uint64_t{interval.begin} + interval.length;
    }
    residuals = found_residuals_;
  }
  CountGaps(node, residuals, stats.residual_gaps);
  stats.residual_arcs += residuals.size();
  for (size_t i = 0; i < residuals.size(); i++) {
    stats.residual_bits += residuals_.Write(
        i == 0 ? SignedToNatural(residuals[0], node) : residuals[i] - residuals[i - 1] - 1, writer);
  }
}

}  // namespace crivello::graph
