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
  // Of a value, 1 to 64; 0: as many as the largest needs.
  unsigned bits = 0;
  GraphKind graph = GraphKind::kFuse4;
  bool compacted = false;
  // Of the signatures.  Keys chosen by an enemy who knows it could be made to collide.
  uint64_t seed = 0;

  // The rest changes how a function is built, not its bytes.
  unsigned threads = 1;
  SignedValueStore::Options store = {};

  // Changes the bytes too; for tests and for machines so small that the 90 bytes a key of a shard, for each
  // thread, are too much.  Shards below 600 thousand keys take more space.
  uint64_t max_shard_keys = uint64_t{3} << 19;
};

// Builds a StaticFunction.  A key is forgotten once it is hashed; the builder keeps 24 bytes of it, in memory
// or, beyond options.store.memory_bytes, in temporary files.  Building takes on top 90 bytes for each key of
// the shards in work, one a thread, and what of the result is not written yet; WriteFile() of a function that
// is not compacted never holds more of that than a shard a thread.
//
// The same keys, values and options give the same bytes, whatever the order of the keys, the number of
// threads and the memory.  One thread at a time.
class StaticFunctionBuilder {
 public:
  explicit StaticFunctionBuilder(StaticFunctionOptions options = {});

  // InvalidArgument if the value has more bits than the options say.
  Status Add(std::string_view key, uint64_t value) { return Add(Sign(key), value); }
  Status Add(Signature128 signature, uint64_t value);
  // REQUIRES: as many values as keys.
  Status Add(std::span<const std::string_view> keys, std::span<const uint64_t> values);

  Signature128 Sign(std::string_view key) const { return Hash128(key, options_.seed); }
  uint64_t size() const { return store_.size(); }
  bool spilled() const { return store_.spilled(); }

  // InvalidArgument if a key was added twice (or two keys have one signature: below one chance in 10^18 for
  // 10^10 keys), or the options are impossible.
  Result<ImageWriter> Build() const;
  Status WriteFile(const std::string& path, FileSystem& fs = PosixFileSystem()) const;

 private:
  using Sink = std::function<Status(std::span<const uint64_t>)>;

  Status CheckOptions() const;
  Status BuildInto(const Sink& sink) const;
  // Solves the shards in order and hands each solution on, in order; completes the salts.
  Status SolveAll(std::vector<Shard>& shards,
                  const std::function<Status(std::span<const uint64_t>)>& receive) const;
  Status SolveShard(uint64_t index, uint64_t count, Shard& shard, std::vector<uint64_t>* solution) const;

  StaticFunctionOptions options_;
  SignedValueStore store_;
  uint64_t all_values_ = 0;  // or'ed
};

}  // namespace crivello::succinct
