// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "kv/database.h"

namespace crivello::store {

// Which rows of a table have changed, in order: each change has a sequence number, starting at 1. A follower
// of the table (the index) remembers the last number it has processed and resumes there after a crash.
//
// A change gets its number when it is added to the batch that makes it. Several threads may prepare batches
// and write them in any order: a reader stops at a missing number until its batch is written. A crash can
// lose numbers: readers do not wait for those missing below the last that Open() finds. So a batch with
// changes must be written, or the process must end.
//
// Thread-safe.  docs/formats/table.md has the bytes.
class ChangeLog {
 public:
  static kv::Family AddTo(std::vector<kv::FamilyOptions>* families);
  // The database must outlive it.
  static Result<std::unique_ptr<ChangeLog>> Open(kv::Database& database, kv::Family family);

  void Note(std::string_view row_key, kv::Batch* batch);
  // The number of the last change, including batches not yet written; 0 if there was none.
  uint64_t last() const { return last_; }
  // All changes up to this number are written, or were lost in a crash and will never be written. A scan of
  // the table that begins now sees them. Costs a walk over the changes since the log was opened or last cut.
  Result<uint64_t> Settled() const;

  // Walks the changes after `sequence`. A row that changed several times appears several times.
  class Reader {
   public:
    bool valid() const { return cursor_.valid() && (sequence() <= settled_ || sequence() == expected_); }
    uint64_t sequence() const;
    std::string_view row_key() const { return cursor_.value(); }
    void Next();
    Status status() const { return cursor_.status(); }

   private:
    friend class ChangeLog;
    Reader(kv::Cursor cursor, uint64_t settled, uint64_t expected)
        : cursor_(std::move(cursor)), settled_(settled), expected_(expected) {}
    kv::Cursor cursor_;
    uint64_t settled_;   // missing numbers up to here will never be written
    uint64_t expected_;  // the next number
  };
  Reader After(uint64_t sequence) const;
  // Whether a follower at `sequence` can continue from here: the log has every change after that number, and
  // does not end before it. If not, the log was cut for a newer follower or belongs to another table, and the
  // follower must read all rows. Also false if a crash lost the very next change; the only cost is that the
  // follower reads all rows.
  Result<bool> CanBeFollowedFrom(uint64_t sequence) const;

  // Drops the changes up to a number, except the last change of the log, which keeps the count. Not synced:
  // after a crash they may be back.
  Status Forget(uint64_t sequence);

 private:
  ChangeLog(kv::Database& database, kv::Family family, uint64_t last)
      : database_(database), family_(family), last_(last), settled_(last) {}

  kv::Database& database_;
  const kv::Family family_;
  std::atomic<uint64_t> last_;
  std::atomic<uint64_t> settled_;  // missing numbers up to here were lost, or dropped by Forget()
};

}  // namespace crivello::store
