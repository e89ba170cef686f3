// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"

namespace crivello::succinct {

// Static functions by peeling, one shard at a time. The equations, one per key,
//   w[v0] ^ w[v1] ^ ... = value      where v0, v1, ... are slots chosen by hashing the key,
// are the edges of a random graph on the slots. The graph can be peeled if it becomes empty by repeatedly
// removing an edge that is alone at one of its slots. Then, in reverse order, each equation has a slot of its
// own that no later equation uses, so the equations are solved one by one.

// The kinds of graphs, numbered by the slots per edge. The numbers are stored on disk
// (docs/formats/static-function.md): never renumber or reuse one.
enum class GraphKind : uint8_t {
  // Two slots, one in each half; 2.09 slots per key. Such a graph has no cycle with a probability that tends
  // to a constant, sqrt(1 - 1 / 1.045^2) = 0.29, so three attempts are needed on average. (Czech, Havas,
  // Majewski: An optimal algorithm for generating minimal perfect hash functions, 1992.)
  kGraph2 = 2,
  // Three slots, one in each third; 1.23 slots per key: peels almost always; the threshold is 1.222.
  // (Majewski, Wormald, Havas, Czech: A family of perfect hashing methods, 1996.)
  kHypergraph3 = 3,
  // Four slots, in four consecutive segments out of many: the first slot is anywhere, the others are in the
  // next segments. Peeling starts at both ends, where slots are rarely chosen, and moves inwards like a fuse,
  // so 1.075 slots per key suffice in a large shard. (Graf, Lemire: Binary fuse filters, 2022;
  // Dietzfelbinger, Walzer: Dense peelable random uniform hypergraphs, 2019.)
  kFuse4 = 4,
};

// The maximum number of keys in a shard, so that slots and their sums fit into 32 bits.
constexpr uint64_t kMaxShardKeys = uint64_t{1} << 28;

// A shard: determines the slots of its keys. Stored as three words.
struct Shard {
  static constexpr size_t kWords = 3;

  uint64_t first_slot = 0;    // index among the slots of all shards
  uint64_t range = 0;         // kFuse4: number of first slots, whole segments; else the slots of each part
  unsigned segment_bits = 0;  // kFuse4: a segment has 2^segment_bits slots; else 0
  uint64_t salt = 0;          // selects one of many random graphs

  // The shape for that many keys, with first_slot and salt 0. A shard without keys has slots too. REQUIRES:
  // keys <= kMaxShardKeys.
  static Shard For(GraphKind kind, uint64_t keys);
  static Shard FromWords(const uint64_t* words) {
    return {.first_slot = words[0],
            .range = words[1] >> 8,
            .segment_bits = static_cast<unsigned>(words[1] & 0xff),
            .salt = words[2]};
  }
  std::array<uint64_t, kWords> ToWords() const { return {first_slot, (range << 8) | segment_bits, salt}; }

  uint64_t slots(GraphKind kind) const {
    if (kind == GraphKind::kFuse4) return range + (uint64_t{3} << segment_bits);
    return range * static_cast<uint64_t>(kind);
  }
  // Whether every edge is in first_slot .. first_slot + slots(), and that range is within `total`.
  bool Fits(GraphKind kind, uint64_t total) const;

  // The hash that determines the edge. It uses only one half of the signature. The other half, `high`,
  // chooses the shard; its remaining bits are free for the user's own signatures.
  uint64_t EdgeHash(Signature128 signature) const { return Mix64(signature.low + salt); }
};

// The distinct slots of an edge, counted from `base`. (Added to each slot here: g++ vectorises a loop over
// the result through memory, and that stall costs a lookup a third of its time.)
template <GraphKind kind>
std::array<uint64_t, static_cast<size_t>(kind)> EdgeSlots(const Shard& shard, uint64_t hash,
                                                          uint64_t base = 0) {
  const auto high = [&](uint64_t word) { return ((word >> 32) * shard.range) >> 32; };
  const auto low = [&](uint64_t word) { return ((word & 0xffffffffu) * shard.range) >> 32; };
  if constexpr (kind == GraphKind::kGraph2) {
    return {base + high(hash), base + shard.range + low(hash)};
  } else if constexpr (kind == GraphKind::kHypergraph3) {
    return {base + high(hash), base + shard.range + low(hash), base + 2 * shard.range + high(Mix64(hash))};
  } else {
    // The first slot uses the high bits of the hash, the positions in the next segments its low bits; in
    // shards of up to 2^22 keys no bit is used twice.
    const unsigned bits = shard.segment_bits;
    const uint64_t segment = uint64_t{1} << bits;
    const uint64_t mask = segment - 1;
    const uint64_t first = ScaleTo(hash, shard.range);
    return {base + first, base + ((first + segment) ^ (hash & mask)),
            base + ((first + 2 * segment) ^ ((hash >> bits) & mask)),
            base + ((first + 3 * segment) ^ ((hash >> (2 * bits)) & mask))};
  }
}

// A key as the construction sees it.
struct SignedValue {
  Signature128 signature;
  uint64_t value = 0;
};

// Solves the equations of one shard: afterwards the xor of (*slots)[v] over the slots v of each key is its
// value. False if the graph cannot be peeled: try another salt. The solution depends only on the set of keys
// and values, not their order. O(keys) time; 26 bytes of memory per key (kGraph2: 40). Thread-safe.
bool PeelAndSolve(GraphKind kind, const Shard& shard, std::span<const SignedValue> keys,
                  std::vector<uint64_t>* slots);

}  // namespace crivello::succinct
