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

// Gives out the keys of decided batches that came through: a scan of A in parallel with its marks.  In
// memory: a block of A and the marks of one batch.  One thread at a time.
class MercatorEmitter {
 public:
  explicit MercatorEmitter(const MercatorFiles& files) : files_(files) {}

  // Goes on with this batch, after as many of its keys as were emitted before.
  void StartAt(const MercatorManifest::Batch& batch, uint64_t emitted);
  // Whether there is one that is not emitted to its end.
  bool has_batch() const { return emitted_ < batch_.passed; }
  // The batch started last, if any, and how many of its keys are emitted.
  uint64_t id() const { return batch_.id; }
  uint64_t emitted() const { return emitted_; }
  // The id from which on to look for the batch after it.
  uint64_t next_id() const { return next_id_; }

  // Emits at most `limit` keys of the batch, counting them in `taken`.  After an error the next call takes up
  // where this one stopped.  REQUIRES: has_batch(), limit > 0.
  Status Emit(uint64_t limit, const std::function<void(std::string_view bytes)>& visit, uint64_t* taken);

 private:
  Status Open();
  // To the next key that came through.
  Status Advance();
  void Close();

  const MercatorFiles& files_;
  MercatorManifest::Batch batch_;
  uint64_t emitted_ = 0;
  uint64_t next_id_ = 0;
  std::optional<LogReader> log_;
  MercatorMarks marks_;
  std::optional<KeyBlockReader> block_;  // in log_
  uint64_t position_ = 0;                // of the key after the one where block_ is
};

}  // namespace crivello::sieve
