// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "sieve/key_block.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// A durable queue of keys in first-in first-out order: logs of bounded length ("keys-N", sieve-keys) and the
// place up to which they were released ("position", sieve-position).  The sieves that decide at once emit
// through it, and its logs are also what they remember their newest keys by: a log that was released to its
// end stays until Drop(), so that its owner can keep the signatures elsewhere first (Released()).
//
// Memory: a block to write and one to read.  One thread at a time.
class KeyQueue {
 public:
  struct Options {
    uint64_t log_bytes = 64 << 20;  // a longer log is closed and the next begun
  };
  // Opens the queue in `folder`, giving the signatures of all keys in its logs, released or not, to
  // `remember`.  What was taken and not released comes again.
  static Result<KeyQueue> Open(const std::string& folder, Options options,
                               const std::function<void(uint64_t signature)>& remember, FileSystem& fs);

  // Adds a key.  An error means that it was not added: try again when its cause is gone.
  Status Append(Key key);
  Status Sync();
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view bytes)>& visit);
  Status Release();

  // Bytes of the logs that were released to their end, and their signatures.
  uint64_t released_bytes() const;
  Status Released(const std::function<void(uint64_t signature)>& visit) const;
  Status Drop();

  uint64_t untaken() const { return appended_ - taken_; }
  uint64_t disk_bytes() const { return closed_bytes_ + writer_->size_bytes() + block_.size(); }
  uint64_t memory_bytes() const { return block_.capacity() + 4 * kKeyBlockBytes; }

 private:
  struct Place {
    uint64_t log = 0;
    uint64_t keys = 0;  // of that log, before this place
  };

  KeyQueue(std::string folder, Options options, FileSystem& fs)
      : folder_(std::move(folder)), options_(options), fs_(&fs) {}
  Status Recover(const std::function<void(uint64_t)>& remember);
  std::string LogPath(uint64_t log) const;
  Status WriteBlock();
  Status NextLog();
  // To the next key for Take(): false if there is none.
  Result<bool> Advance();
  Status OpenReader();

  std::string folder_;
  Options options_;
  FileSystem* fs_;

  uint64_t log_ = 0;  // that is written
  std::optional<LogWriter> writer_;
  uint64_t log_keys_ = 0;         // in it, block_ included
  std::vector<std::byte> block_;  // keys not yet given to the writer
  bool unsynced_ = false;         // the writer has more than it made durable
  struct Closed {
    uint64_t bytes = 0;
    uint64_t keys = 0;
  };
  std::map<uint64_t, Closed> closed_;  // the logs before it, by number
  uint64_t closed_bytes_ = 0;

  Place taking_;  // where Take() goes on
  std::optional<LogReader> reader_;
  std::optional<KeyBlockReader> reading_;  // the block that reader_ gave last
  Place released_;
  uint64_t appended_ = 0;  // counted from the released place at Open()
  uint64_t taken_ = 0;
};

}  // namespace crivello::sieve
