// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "succinct/static_function_format.h"
#include "succinct/static_function_store.h"

namespace crivello::succinct {

struct StaticFunctionOptions {
  // Bits per value, 1 to 64; 0: as many as the largest value needs.
  unsigned bits = 0;
  GraphKind graph = GraphKind::kFuse4;
  bool compacted = false;
  // For the signatures. An attacker who knows it could choose keys whose signatures collide.
  uint64_t seed = 0;

  // The following options change how a function is built, not its bytes.
  unsigned threads = 1;
  SignedValueStore::Options store = {};

  // Changes the bytes too. For tests, and for machines too small for the 90 bytes per key of a shard that
  // each thread needs. Shards below 600 thousand keys take more space.
  uint64_t max_shard_keys = uint64_t{3} << 19;
};

// Builds a StaticFunction. Keys are not kept after hashing: the builder stores 24 bytes for each, in memory
// or, beyond options.store.memory_bytes, in temporary files. Building also needs 90 bytes for each key of the
// shards in progress, one per thread, and the part of the result that is not written yet. For a function that
// is not compacted, WriteFile() never holds more of that than one shard per thread.
//
// The same keys, values and options give the same bytes, regardless of the order of the keys, the number of
// threads and the memory. One thread at a time.
class StaticFunctionBuilder {
 public:
  explicit StaticFunctionBuilder(StaticFunctionOptions options = {});

  // InvalidArgument if the value has more bits than the options allow.
  Status Add(std::string_view key, uint64_t value) { return Add(Sign(key), value); }
  Status Add(Signature128 signature, uint64_t value);
  // REQUIRES: as many values as keys.
  Status Add(std::span<const std::string_view> keys, std::span<const uint64_t> values);

  Signature128 Sign(std::string_view key) const { return Hash128(key, options_.seed); }
  uint64_t size() const { return store_.size(); }
  bool spilled() const { return store_.spilled(); }

  // InvalidArgument if a key was added twice (or two keys have the same signature: below one chance in 10^18
  // for 10^10 keys), or if the options are invalid.
  Result<ImageWriter> Build() const;
  Status WriteFile(const std::string& path, FileSystem& fs = PosixFileSystem()) const;

 private:
  using Sink = std::function<Status(std::span<const uint64_t>)>;

  Status CheckOptions() const;
  Status BuildInto(const Sink& sink) const;
  // Solves the shards in order, passes each solution to `receive` in order, and fills in the salts.
  Status SolveAll(std::vector<Shard>& shards,
                  const std::function<Status(std::span<const uint64_t>)>& receive) const;
  Status SolveShard(uint64_t index, uint64_t count, Shard& shard, std::vector<uint64_t>* solution) const;

  StaticFunctionOptions options_;
  SignedValueStore store_;
  uint64_t all_values_ = 0;  // bitwise or of all values
};

}  // namespace crivello::succinct
