// SPDX-License-Identifier: Apache-2.0
#include "succinct/static_function_format.h"

#include <fmt/format.h>

#include <bit>

#include "succinct/static_function_store.h"

namespace crivello::succinct {

namespace {

constexpr uint64_t kMaxSlots = uint64_t{1} << 56;  // so that bit positions of 64-bit values fit into a word

}  // namespace

std::array<uint64_t, StaticFunctionHeader::kWords> StaticFunctionHeader::ToWords() const {
  const uint64_t shape = bits | (static_cast<uint64_t>(graph) << 8) | (uint64_t{compacted} << 16);
  return {keys, shape, seed, shards, slots, values};
}

Result<StaticFunctionHeader> StaticFunctionHeader::ReadFrom(ImageReader& reader) {
  StaticFunctionHeader header;
  CRV_ASSIGN(header.keys, reader.Word());
  CRV_ASSIGN(const uint64_t shape, reader.Word());
  const uint64_t bits = shape & 0xff;
  const uint64_t graph = (shape >> 8) & 0xff;
  if (bits < 1 || bits > 64 || graph < 2 || graph > 4 || shape >> 17 != 0)
    return reader.Damaged(fmt::format("unknown shape {:#x}", shape));
  header.bits = static_cast<unsigned>(bits);
  header.graph = static_cast<GraphKind>(graph);
  header.compacted = (shape >> 16) != 0;
  CRV_ASSIGN(header.seed, reader.Word());
  CRV_ASSIGN(header.shards, reader.WordAtMost(SignedValueStore::kMaxShards, "number of shards"));
  if (!std::has_single_bit(header.shards)) {
    return reader.Damaged(fmt::format("{} shards, not a power of two", header.shards));
  }
  CRV_ASSIGN(header.slots, reader.WordAtMost(kMaxSlots, "number of slots"));
  CRV_ASSIGN(header.values, reader.WordAtMost(header.slots, "number of values"));
  return header;
}

std::string_view GraphName(GraphKind kind) {
  switch (kind) {
    case GraphKind::kGraph2:
      return "graph-2";
    case GraphKind::kHypergraph3:
      return "hypergraph-3";
    case GraphKind::kFuse4:
      return "fuse-4";
  }
  return "?";
}

}  // namespace crivello::succinct
