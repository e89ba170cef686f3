// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/log.h"
#include "sieve/key_block.h"
#include "sieve/mercator_files.h"
#include "sieve/mercator_manifest.h"

namespace crivello::sieve {

// Emits the keys of decided batches that came through, by scanning A in parallel with its marks. Memory: a
// block of A and the marks of one batch. One thread at a time.
class MercatorEmitter {
 public:
  explicit MercatorEmitter(const MercatorFiles& files) : files_(files) {}

  // Continues with this batch, after the keys that were emitted before.
  void StartAt(const MercatorManifest::Batch& batch, uint64_t emitted);
  // Whether there is a batch that is not completely emitted.
  bool has_batch() const { return emitted_ < batch_.passed; }
  // The last started batch, if any, and how many of its keys were emitted.
  uint64_t id() const { return batch_.id; }
  uint64_t emitted() const { return emitted_; }
  // The id from which to search for the following batch.
  uint64_t next_id() const { return next_id_; }

  // Emits at most `limit` keys of the batch, counting them in `taken`. After an error the next call continues
  // where this one stopped. REQUIRES: has_batch(), limit > 0.
  Status Emit(uint64_t limit, const std::function<void(std::string_view bytes)>& visit, uint64_t* taken);

 private:
  Status Open();
  // Advances to the next key that came through.
  Status Advance();
  void Close();

  const MercatorFiles& files_;
  MercatorManifest::Batch batch_;
  uint64_t emitted_ = 0;
  uint64_t next_id_ = 0;
  std::optional<LogReader> log_;
  MercatorMarks marks_;
  std::optional<KeyBlockReader> block_;  // points into log_
  uint64_t position_ = 0;                // of the key after the current one of block_
};

}  // namespace crivello::sieve
