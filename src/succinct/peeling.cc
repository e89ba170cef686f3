// SPDX-License-Identifier: Apache-2.0
#include "succinct/peeling.h"

#include <algorithm>
#include <cmath>

namespace crivello::succinct {
namespace {

constexpr double kGraph2Slots = 2.09;
constexpr double kHypergraph3Slots = 1.23;

uint64_t SlotsWanted(double per_key, uint64_t keys) {
  return static_cast<uint64_t>(std::ceil(per_key * static_cast<double>(keys)));
}

template <GraphKind kind>
bool Solve(const Shard& shard, std::span<const SignedValue> keys, std::vector<uint64_t>* solution) {
  const uint64_t slots = shard.slots(kind);
  std::vector<uint64_t> hashes(keys.size());
  // For each slot, its number of remaining edges and the xor of their numbers: with one left, its number.
  std::vector<uint8_t> degrees(slots);
  std::vector<uint32_t> edges(slots);
  for (size_t i = 0; i < keys.size(); i++) {
    hashes[i] = shard.EdgeHash(keys[i].signature);
    for (const uint64_t v : EdgeSlots<kind>(shard, hashes[i])) {
      if (++degrees[v] == 0) return false;  // 256 edges: not a random graph, but many equal keys
      edges[v] ^= static_cast<uint32_t>(i);
    }
  }

  std::vector<uint32_t> peeled;  // slots; `edges` of each has the edge that was alone there
  peeled.reserve(keys.size());
  std::vector<uint32_t> pending;
  for (uint64_t start = 0; start < slots; start++) {
    if (degrees[start] != 1) continue;
    pending.push_back(static_cast<uint32_t>(start));
    while (!pending.empty()) {
      const uint32_t alone = pending.back();
      pending.pop_back();
      if (degrees[alone] != 1) continue;  // its edge was removed at another of its slots
      const uint32_t edge = edges[alone];
      peeled.push_back(alone);
      for (const uint64_t v : EdgeSlots<kind>(shard, hashes[edge])) {
        degrees[v]--;
        if (v == alone) continue;
        edges[v] ^= edge;
        if (degrees[v] == 1) pending.push_back(static_cast<uint32_t>(v));
      }
    }
  }
  if (peeled.size() != keys.size()) return false;

  solution->assign(slots, 0);
  for (size_t i = peeled.size(); i-- > 0;) {
    const uint32_t edge = edges[peeled[i]];
    uint64_t value = keys[edge].value;
    for (const uint64_t v : EdgeSlots<kind>(shard, hashes[edge])) value ^= (*solution)[v];
    (*solution)[peeled[i]] = value;
  }
  return true;
}

}  // namespace

Shard Shard::For(GraphKind kind, uint64_t keys) {
  Shard shard;
  keys = std::max<uint64_t>(keys, 1);  // so that an empty shard has slots to read, too
  if (kind == GraphKind::kGraph2) {
    shard.range = std::max<uint64_t>(SlotsWanted(kGraph2Slots / 2, keys), 2);
  } else if (kind == GraphKind::kHypergraph3) {
    // At least two; otherwise two keys would always have the same edge.
    shard.range = std::max<uint64_t>(SlotsWanted(kHypergraph3Slots / 3, keys), 2);
  } else {
    // Graf and Lemire's empirical fit: fewer, longer segments shorten the fuse, but reduce the density at
    // each end.
    const double log_keys = std::log(static_cast<double>(std::max<uint64_t>(keys, 2)));
    const double bits = std::clamp(std::floor(log_keys / std::log(2.91) - 0.5), 0.0, 18.0);
    shard.segment_bits = static_cast<unsigned>(bits);
    const double per_key = std::max(1.075, 0.77 + 0.305 * std::log(600000.0) / log_keys);
    const uint64_t segment = uint64_t{1} << shard.segment_bits;
    const uint64_t segments = (SlotsWanted(per_key, keys) + segment - 1) / segment;
    shard.range = (std::max<uint64_t>(segments, 4) - 3) * segment;
  }
  return shard;
}

bool Shard::Fits(GraphKind kind, uint64_t total) const {
  if (range == 0 || range >> 32 != 0 || segment_bits > (kind == GraphKind::kFuse4 ? 18 : 0)) return false;
  // Only whole segments, or an edge could reach beyond the last one.
  if (range % (uint64_t{1} << segment_bits) != 0) return false;
  return first_slot <= total && slots(kind) <= total - first_slot;
}

bool PeelAndSolve(GraphKind kind, const Shard& shard, std::span<const SignedValue> keys,
                  std::vector<uint64_t>* slots) {
  switch (kind) {
    case GraphKind::kGraph2:
      return Solve<GraphKind::kGraph2>(shard, keys, slots);
    case GraphKind::kHypergraph3:
      return Solve<GraphKind::kHypergraph3>(shard, keys, slots);
    case GraphKind::kFuse4:
      return Solve<GraphKind::kFuse4>(shard, keys, slots);
  }
  return false;
}

}  // namespace crivello::succinct
