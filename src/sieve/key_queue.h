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

// A durable FIFO queue of keys: logs of bounded length ("keys-N", sieve-keys) and the position up to which
// keys were released ("position", sieve-position). The sieves that decide immediately use it for output, and
// its logs also store the signatures of their newest keys. A fully released log stays until Drop(), so that
// its owner can first save the signatures elsewhere (Released()).
//
// Memory: one block to write and one to read. One thread at a time.
class KeyQueue {
 public:
  struct Options {
    uint64_t log_bytes = 64 << 20;  // a longer log is closed and the next one started
  };
  // Opens the queue in `folder`, and passes the signatures of all keys in its logs, released or not, to
  // `remember`. Keys that were taken but not released are returned again.
  static Result<KeyQueue> Open(const std::string& folder, Options options,
                               const std::function<void(uint64_t signature)>& remember, FileSystem& fs);

  // Adds a key. On an error it was not added: retry once the cause is gone.
  Status Append(Key key);
  Status Sync();
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view bytes)>& visit);
  Status Release();

  // The size of the fully released logs, and their signatures.
  uint64_t released_bytes() const;
  Status Released(const std::function<void(uint64_t signature)>& visit) const;
  Status Drop();

  uint64_t untaken() const { return appended_ - taken_; }
  uint64_t disk_bytes() const { return closed_bytes_ + writer_->size_bytes() + block_.size(); }
  uint64_t memory_bytes() const { return block_.capacity() + 4 * kKeyBlockBytes; }

 private:
  struct Place {
    uint64_t log = 0;
    uint64_t keys = 0;  // keys of that log before this position
  };

  KeyQueue(std::string folder, Options options, FileSystem& fs)
      : folder_(std::move(folder)), options_(options), fs_(&fs) {}
  Status Recover(const std::function<void(uint64_t)>& remember);
  std::string LogPath(uint64_t log) const;
  Status WriteBlock();
  Status NextLog();
  // Advances to the next key for Take(); false if there is none.
  Result<bool> Advance();
  Status OpenReader();

  std::string folder_;
  Options options_;
  FileSystem* fs_;

  uint64_t log_ = 0;  // the log being written
  std::optional<LogWriter> writer_;
  uint64_t log_keys_ = 0;         // keys in it, including block_
  std::vector<std::byte> block_;  // keys not yet passed to the writer
  bool unsynced_ = false;         // the writer has data that is not durable yet
  struct Closed {
    uint64_t bytes = 0;
    uint64_t keys = 0;
  };
  std::map<uint64_t, Closed> closed_;  // the earlier logs, by number
  uint64_t closed_bytes_ = 0;

  Place taking_;  // where Take() continues
  std::optional<LogReader> reader_;
  std::optional<KeyBlockReader> reading_;  // the last block returned by reader_
  Place released_;
  uint64_t appended_ = 0;  // counted from the released place at Open()
  uint64_t taken_ = 0;
};

}  // namespace crivello::sieve
