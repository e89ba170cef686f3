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
// L1 cache (4 lines per key). 16 to 64 are equally fast.
constexpr size_t kFunctionBlock = 32;

constexpr uint64_t kNowhere = ~uint64_t{0};

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
      return reader.Damaged(fmt::format("shard {} extends beyond the slots", i / Shard::kWords));
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

template <GraphKind kind>
inline auto StaticFunction::SlotsOf(Signature128 signature) const {
  const Shard shard = Shard::FromWords(&shards_[ScaleTo(signature.high, shard_count_) * Shard::kWords]);
  return EdgeSlots<kind>(shard, shard.EdgeHash(signature), shard.first_slot);
}

// Where the value of a slot is, or kNowhere if it is zero. Beyond the values only if the image is damaged.
inline uint64_t StaticFunction::PlaceOf(uint64_t slot) const {
  if (!nonzero_.Get(slot)) return kNowhere;
  const uint64_t rank = nonzero_.Rank(slot);
  return rank < values_.size() ? rank : kNowhere;
}

uint64_t StaticFunction::XorCompacted(std::span<const uint64_t> slots) const {
  uint64_t value = 0;
  for (const uint64_t slot : slots) {
    const uint64_t place = PlaceOf(slot);
    if (place != kNowhere) value ^= values_[place];
  }
  return value;
}

template <GraphKind kind>
inline uint64_t StaticFunction::GetFrom(Signature128 signature) const {
  const auto slots = SlotsOf<kind>(signature);
  return compacted_ ? XorCompacted(slots) : values_.XorOf(slots);
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

// signature_at(i), for i < count, is the i-th signature. Hashing a key overlaps with loading the lines of the
// keys before it.
template <GraphKind kind, typename SignatureAt>
inline void StaticFunction::GetBlock(size_t count, const SignatureAt& signature_at, uint64_t* out) const {
  std::array<std::array<uint64_t, static_cast<size_t>(kind)>, kFunctionBlock> slots;
  if (!compacted_) {
    for (size_t i = 0; i < count; i++) {
      slots[i] = SlotsOf<kind>(signature_at(i));
      for (const uint64_t slot : slots[i]) values_.Prefetch(slot);
    }
    for (size_t i = 0; i < count; i++) out[i] = values_.XorOf(slots[i]);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    slots[i] = SlotsOf<kind>(signature_at(i));
    for (const uint64_t slot : slots[i]) __builtin_prefetch(nonzero_.bits().words() + slot / 64);
  }
  for (size_t i = 0; i < count; i++) {
    for (uint64_t& slot : slots[i]) {
      slot = PlaceOf(slot);
      if (slot != kNowhere) values_.Prefetch(slot);
    }
  }
  for (size_t i = 0; i < count; i++) {
    out[i] = 0;
    for (const uint64_t place : slots[i]) out[i] ^= place == kNowhere ? 0 : values_[place];
  }
}

template <typename SignatureAt>
inline void StaticFunction::GetBlocks(size_t count, const SignatureAt& signature_at, uint64_t* out) const {
  for (size_t at = 0; at < count; at += kFunctionBlock) {
    const size_t block = std::min(kFunctionBlock, count - at);
    const auto from_here = [&](size_t i) { return signature_at(at + i); };
    switch (graph_) {
      case GraphKind::kGraph2:
        GetBlock<GraphKind::kGraph2>(block, from_here, out + at);
        break;
      case GraphKind::kHypergraph3:
        GetBlock<GraphKind::kHypergraph3>(block, from_here, out + at);
        break;
      case GraphKind::kFuse4:
        GetBlock<GraphKind::kFuse4>(block, from_here, out + at);
        break;
    }
  }
}

void StaticFunction::GetBatch(std::span<const Signature128> signatures, std::span<uint64_t> out) const {
  assert(out.size() >= signatures.size());
  GetBlocks(
      signatures.size(), [&](size_t i) { return signatures[i]; }, out.data());
}

void StaticFunction::GetBatch(std::span<const std::string_view> keys, std::span<uint64_t> out) const {
  assert(out.size() >= keys.size());
  GetBlocks(
      keys.size(), [&](size_t i) { return Sign(keys[i]); }, out.data());
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
