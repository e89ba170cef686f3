// SPDX-License-Identifier: Apache-2.0
#include "succinct/static_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <string>

#include "succinct/static_function_format.h"

namespace crivello::succinct {
namespace {

// Keys whose cache misses overlap: enough to keep the memory busy, few enough for their lines to stay in the
// first cache (4 lines a key).  16 to 64 measure alike.
constexpr size_t kBlock = 32;

}  // namespace

Result<StaticFunction> StaticFunction::FromImage(Bytes image) {
  ImageReader reader(image, "static function");
  CRV_ASSIGN(const auto header, StaticFunctionHeader::ReadFrom(reader));
  StaticFunction f;
  f.size_ = header.keys;
  f.seed_ = header.seed;
  f.graph_ = header.graph;
  f.compacted_ = header.compacted;
  f.shard_count_ = header.shards;
  f.slots_ = header.slots;
  f.image_bytes_ = image.size();
  CRV_ASSIGN(const auto values, reader.Words(PackedWords(header.values, header.bits) + 1));
  f.values_ = CompactArray(values, header.values, header.bits);
  CRV_ASSIGN(f.shards_, reader.Words(header.shards * Shard::kWords));
  for (size_t i = 0; i < f.shards_.size(); i += Shard::kWords) {
    if (!Shard::FromWords(&f.shards_[i]).Fits(header.graph, header.slots))
      return reader.Damaged(fmt::format("shard {} goes beyond the slots", i / Shard::kWords));
  }
  if (header.compacted) {
    CRV_ASSIGN(f.nonzero_, RankBits::ReadFrom(reader));
    if (f.nonzero_.size() != header.slots)
      return reader.Damaged(fmt::format("{} bits for {} slots", f.nonzero_.size(), header.slots));
  } else if (header.values != header.slots) {
    return reader.Damaged(fmt::format("{} values for {} slots", header.values, header.slots));
  }
  CRV_TRY(reader.Finish());
  return f;
}

inline uint64_t StaticFunction::SlotValue(uint64_t slot) const {
  if (!compacted_) return values_[slot];
  if (!nonzero_.Get(slot)) return 0;
  const uint64_t rank = nonzero_.Rank(slot);
  return rank < values_.size() ? values_[rank] : 0;  // beyond them only if the image is damaged
}

template <GraphKind kind>
inline uint64_t StaticFunction::GetFrom(Signature128 signature) const {
  const Shard shard = ShardOf(signature);
  uint64_t value = 0;
  for (const uint64_t slot : EdgeSlots<kind>(shard, shard.EdgeHash(signature)))
    value ^= SlotValue(shard.first_slot + slot);
  return value;
}

uint64_t StaticFunction::Get(Signature128 signature) const {
  switch (graph_) {
    case GraphKind::kGraph2:
      return GetFrom<GraphKind::kGraph2>(signature);
    case GraphKind::kHypergraph3:
      return GetFrom<GraphKind::kHypergraph3>(signature);
    case GraphKind::kFuse4:
      return GetFrom<GraphKind::kFuse4>(signature);
  }
  return 0;
}

template <GraphKind kind>
void StaticFunction::GetBlock(std::span<const Signature128> signatures, uint64_t* out) const {
  constexpr size_t kArity = static_cast<size_t>(kind);
  std::array<std::array<uint64_t, kArity>, kBlock> slots;
  for (size_t i = 0; i < signatures.size(); i++) {
    const Shard shard = ShardOf(signatures[i]);
    slots[i] = EdgeSlots<kind>(shard, shard.EdgeHash(signatures[i]));
    for (uint64_t& slot : slots[i]) {
      slot += shard.first_slot;
      if (compacted_) {
        __builtin_prefetch(nonzero_.bits().words() + slot / 64);
      } else {
        values_.Prefetch(slot);
      }
    }
  }
  if (!compacted_) {
    for (size_t i = 0; i < signatures.size(); i++) {
      out[i] = 0;
      for (const uint64_t slot : slots[i]) out[i] ^= values_[slot];
    }
    return;
  }
  // From slots to the places of their values; then those.
  constexpr uint64_t kZero = ~uint64_t{0};
  for (size_t i = 0; i < signatures.size(); i++) {
    for (uint64_t& slot : slots[i]) {
      const uint64_t rank = nonzero_.Get(slot) ? nonzero_.Rank(slot) : kZero;
      slot = rank < values_.size() ? rank : kZero;
      if (slot != kZero) values_.Prefetch(slot);
    }
  }
  for (size_t i = 0; i < signatures.size(); i++) {
    out[i] = 0;
    for (const uint64_t slot : slots[i]) out[i] ^= slot == kZero ? 0 : values_[slot];
  }
}

void StaticFunction::GetBatch(std::span<const Signature128> signatures, std::span<uint64_t> out) const {
  assert(out.size() >= signatures.size());
  for (size_t at = 0; at < signatures.size(); at += kBlock) {
    const auto block = signatures.subspan(at, std::min(kBlock, signatures.size() - at));
    switch (graph_) {
      case GraphKind::kGraph2:
        GetBlock<GraphKind::kGraph2>(block, &out[at]);
        break;
      case GraphKind::kHypergraph3:
        GetBlock<GraphKind::kHypergraph3>(block, &out[at]);
        break;
      case GraphKind::kFuse4:
        GetBlock<GraphKind::kFuse4>(block, &out[at]);
        break;
    }
  }
}

void StaticFunction::GetBatch(std::span<const std::string_view> keys, std::span<uint64_t> out) const {
  assert(out.size() >= keys.size());
  std::array<Signature128, kBlock> signatures;
  for (size_t at = 0; at < keys.size(); at += kBlock) {
    const size_t count = std::min(kBlock, keys.size() - at);
    for (size_t i = 0; i < count; i++) signatures[i] = Sign(keys[at + i]);
    GetBatch(std::span<const Signature128>(signatures).first(count), out.subspan(at, count));
  }
}

Description StaticFunction::Describe() const {
  const double keys = static_cast<double>(std::max<uint64_t>(size_, 1));
  return {{"keys", size_},
          {"bits", uint64_t{bits()}},
          {"graph", std::string(GraphName(graph_))},
          {"compacted", std::string(compacted_ ? "yes" : "no")},
          {"seed", seed_},
          {"shards", shard_count_},
          {"slots", slots_},
          {"values", values_.size()},
          {"slots-per-key", static_cast<double>(slots_) / keys},
          {"bits-per-key", 8 * static_cast<double>(image_bytes_) / keys}};
}

}  // namespace crivello::succinct
