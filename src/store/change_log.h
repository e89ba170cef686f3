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

// Which rows of a table have changed, in order: each change has a sequence number, from 1 on.  Who follows
// the table (the index) keeps the number that it has come to, and after a crash goes on from there.
//
// A change is written in the batch that makes it, and gets its number when it is put there.  Several may make
// batches at a time, and write them in any order: a reader stops where a number is missing, until the batch
// that has it is written.  One that never will be was lost in a crash: numbers missing below the last that
// Open() finds are not waited for.  So a batch with changes must be written, or the process must end.
//
// Thread-safe.  docs/formats/table.md has the bytes.
class ChangeLog {
 public:
  static kv::Family AddTo(std::vector<kv::FamilyOptions>* families);
  // The database must outlive it.
  static Result<std::unique_ptr<ChangeLog>> Open(kv::Database& database, kv::Family family);

  void Note(std::string_view row_key, kv::Batch* batch);
  // The number of the last change, 0 if there was none; those of batches not yet written included.
  uint64_t last() const { return last_; }
  // All changes up to this number are written, or were lost in a crash and will never be: a scan of the table
  // that begins now sees them.  Costs a walk over the changes since the log was opened or last cut.
  Result<uint64_t> Settled() const;

  // Walks the changes after `sequence`.  A row that changed often comes often.
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
    uint64_t settled_;   // what is missing up to here will not come
    uint64_t expected_;  // the next number
  };
  Reader After(uint64_t sequence) const;
  // Whether a follower that has come to `sequence` can go on from here: the log has every change after that
  // number, and does not end before it.  If not, the log was cut for a newer follower, or it is another
  // table's, and the follower must read all rows.  Also false, which costs no more than that, if a crash lost
  // the very next change.
  Result<bool> CanBeFollowedFrom(uint64_t sequence) const;

  // Drops the changes up to a number, all but the last of the log, which keeps the count.  Not synced: after
  // a crash they may be there again.
  Status Forget(uint64_t sequence);

 private:
  ChangeLog(kv::Database& database, kv::Family family, uint64_t last)
      : database_(database), family_(family), last_(last), settled_(last) {}

  kv::Database& database_;
  const kv::Family family_;
  std::atomic<uint64_t> last_;
  std::atomic<uint64_t> settled_;  // missing numbers up to here were lost, or are forgotten
};

}  // namespace crivello::store
