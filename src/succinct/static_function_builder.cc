// SPDX-License-Identifier: Apache-2.0
#include "succinct/static_function_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <thread>

#include "succinct/bit_vector.h"
#include "succinct/compact_array.h"
#include "succinct/static_function.h"

namespace crivello::succinct {
namespace {

// Shards start at multiples of this many slots, so that the packed shards start at whole words.
constexpr uint64_t kSlotAlignment = 64;

// The worst graph, kGraph2, fails seven times in ten: this often in a row, less than once in 10^18 shards.
constexpr uint64_t kMaxAttempts = 120;

uint64_t Aligned(uint64_t slots) { return (slots + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment; }

Status CheckDistinct(std::vector<SignedValue> keys) {
  std::sort(keys.begin(), keys.end(),
            [](const SignedValue& a, const SignedValue& b) { return a.signature < b.signature; });
  const auto twin = std::adjacent_find(
      keys.begin(), keys.end(),
      [](const SignedValue& a, const SignedValue& b) { return a.signature == b.signature; });
  if (twin == keys.end()) return Status::Ok();
  const auto [least, most] = std::minmax(twin[0].value, twin[1].value);
  return Status::InvalidArgument(
      fmt::format("static function: duplicate key: it was added with value {} and with value {} "
                  "(signature {:016x}{:016x})",
                  least, most, twin->signature.high, twin->signature.low));
}

}  // namespace

StaticFunctionBuilder::StaticFunctionBuilder(StaticFunctionOptions options)
    : options_(std::move(options)), store_(options_.store) {}

Status StaticFunctionBuilder::Add(Signature128 signature, uint64_t value) {
  if (options_.bits != 0 && (value & ~PackedMask(options_.bits)) != 0) {
    return Status::InvalidArgument(
        fmt::format("static function: value {} does not fit in {} bits", value, options_.bits));
  }
  all_values_ |= value;
  return store_.Add({.signature = signature, .value = value});
}

Status StaticFunctionBuilder::Add(std::span<const std::string_view> keys, std::span<const uint64_t> values) {
  assert(keys.size() == values.size());
  for (size_t i = 0; i < keys.size(); i++) CRV_TRY(Add(keys[i], values[i]));
  return Status::Ok();
}

Status StaticFunctionBuilder::CheckOptions() const {
  if (options_.bits > 64) {
    return Status::InvalidArgument(
        fmt::format("static function: invalid value width of {} bits: the limit is 64", options_.bits));
  }
  if (options_.threads == 0)
    return Status::InvalidArgument("static function: invalid number of threads: expected at least 1");
  if (options_.max_shard_keys == 0 || options_.max_shard_keys > kMaxShardKeys / 2) {
    return Status::InvalidArgument(
        fmt::format("static function: invalid shard size of {} keys: expected 1 to {}",
                    options_.max_shard_keys, kMaxShardKeys / 2));
  }
  return Status::Ok();
}

Status StaticFunctionBuilder::SolveShard(uint64_t index, uint64_t count, Shard& shard,
                                         std::vector<uint64_t>* solution) const {
  CRV_ASSIGN(const auto keys, store_.Load(index, count));
  for (uint64_t attempt = 0; attempt < kMaxAttempts; attempt++) {
    shard.salt = attempt * 0x9e3779b97f4a7c15u;
    if (PeelAndSolve(options_.graph, shard, keys, solution)) return Status::Ok();
    if (attempt == 0) CRV_TRY(CheckDistinct(keys));
  }
  return Status::InvalidArgument(
      fmt::format("static function: cannot peel a graph of {} keys in {} attempts: the signatures are "
                  "not random; choose another seed",
                  keys.size(), kMaxAttempts));
}

// Waves of one shard per thread. Shards have nearly the same size, so threads wait little for each other, and
// no more than one wave is in memory.
Status StaticFunctionBuilder::SolveAll(
    std::vector<Shard>& shards, const std::function<Status(std::span<const uint64_t>)>& receive) const {
  struct Work {
    Status status;
    std::vector<uint64_t> solution;
  };
  std::vector<Work> wave(std::min<size_t>(options_.threads, shards.size()));
  for (size_t first = 0; first < shards.size(); first += wave.size()) {
    const size_t count = std::min(wave.size(), shards.size() - first);
    const auto work = [&](size_t i) {
      wave[i].status = SolveShard(first + i, shards.size(), shards[first + i], &wave[i].solution);
    };
    {
      std::vector<std::jthread> threads;
      for (size_t i = 1; i < count; i++) threads.emplace_back(work, i);
      work(0);
    }
    for (size_t i = 0; i < count; i++) {
      CRV_TRY(wave[i].status);
      wave[i].solution.resize(Aligned(wave[i].solution.size()));
      CRV_TRY(receive(wave[i].solution));
    }
  }
  return Status::Ok();
}

Status StaticFunctionBuilder::BuildInto(const Sink& sink) const {
  CRV_TRY(CheckOptions());
  StaticFunctionHeader header = {
      .keys = size(),
      .bits = options_.bits != 0 ? options_.bits
                                 : std::max(1u, static_cast<unsigned>(std::bit_width(all_values_))),
      .graph = options_.graph,
      .compacted = options_.compacted,
      .seed = options_.seed,
      .shards = std::bit_ceil((size() + options_.max_shard_keys - 1) / options_.max_shard_keys)};
  if (header.shards > SignedValueStore::kMaxShards) {
    return Status::InvalidArgument(
        fmt::format("static function: too many keys: {} keys need {} shards, but the limit is {}", size(),
                    header.shards, SignedValueStore::kMaxShards));
  }
  std::vector<Shard> shards(header.shards);
  for (size_t i = 0; i < shards.size(); i++) {
    const uint64_t keys = store_.Count(i, header.shards);
    if (keys > kMaxShardKeys) {
      return Status::InvalidArgument(
          fmt::format("static function: {} keys in one shard: the signatures are "
                      "not random",
                      keys));
    }
    shards[i] = Shard::For(options_.graph, keys);
    shards[i].first_slot = header.slots;
    header.slots += Aligned(shards[i].slots(options_.graph));
  }

  ImageWriter nonzero;
  CompactArrayBuilder values(header.bits);
  if (options_.compacted) {
    BitVectorBuilder bits;
    CRV_TRY(SolveAll(shards, [&](std::span<const uint64_t> solution) {
      for (const uint64_t value : solution) {
        bits.Push(value != 0);
        if (value != 0) values.Add(value);
      }
      return Status::Ok();
    }));
    bits.AppendRankBits(nonzero);
    header.values = values.size();
    CRV_TRY(sink(header.ToWords()));
    CRV_TRY(sink(values.words()));
  } else {
    header.values = header.slots;
    CRV_TRY(sink(header.ToWords()));
    CRV_TRY(SolveAll(shards, [&](std::span<const uint64_t> solution) {
      CompactArrayBuilder packed(header.bits);
      for (const uint64_t value : solution) packed.Add(value);
      return sink(packed.words());
    }));
  }
  constexpr uint64_t kPadding = 0;
  CRV_TRY(sink({&kPadding, 1}));
  for (const Shard& shard : shards) CRV_TRY(sink(shard.ToWords()));
  return sink({reinterpret_cast<const uint64_t*>(nonzero.bytes().data()), nonzero.bytes().size() / 8});
}

Result<ImageWriter> StaticFunctionBuilder::Build() const {
  ImageWriter image;
  CRV_TRY(BuildInto([&](std::span<const uint64_t> words) {
    image.Words(words);
    return Status::Ok();
  }));
  return image;
}

Status StaticFunctionBuilder::WriteFile(const std::string& path, FileSystem& fs) const {
  CRV_ASSIGN(auto file, FormatFileWriter::Create(path, StaticFunction::kFileKind, fs));
  CRV_TRY(BuildInto([&](std::span<const uint64_t> words) { return file.Append(std::as_bytes(words)); }));
  return file.Finish();
}

}  // namespace crivello::succinct
