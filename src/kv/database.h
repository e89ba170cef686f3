// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/progress.h"
#include "base/status.h"
#include "kv/file_check.h"

namespace crivello::kv {

// An ordered, durable map from bytes to bytes, in named families: RocksDB behind the few operations that we
// use, so that its headers, its exceptions of taste and its option names stay in one file.  Keys compare as
// bytes.  A tablet has one Database; what must change together (a row, a dequeue, a line of the ledger)
// is one Batch.
//
// Thread-safe, but for Batch and Cursor, which are of one thread.

// A family of keys: its place in DatabaseOptions::families.  A database keeps its families, in this order,
// for life; new ones go to the end.
using Family = uint32_t;

struct FamilyOptions {
  std::string name;
  // Values that are rewritten often and small (states, counters) against large ones that are written once
  // (texts): large ones go to blob files, compressed.
  bool blobs = false;
  // Lookups of single keys that are there; no filter is then built for the keys of the last level.
  bool point_lookups_hit = false;
  // Adds 64-bit little-endian numbers (Batch::Add).
  bool counters = false;
  // Values that grow at their end (Batch::Append).
  bool appends = false;
  // Small values that are rewritten or deleted often (states, queues): compressed less, for less work at
  // each merging of files.
  bool rewritten = false;
  // Values that are deleted soon after they were written (journals): not compressed, and merged late.
  bool short_lived = false;
};

// Memory that several databases share: their block caches and write buffers together take so much.  Those
// that are written to take the write buffers, those that are read the cache.  Thread-safe.
class MemoryPool {
 public:
  explicit MemoryPool(uint64_t bytes);
  ~MemoryPool();
  uint64_t bytes() const { return bytes_; }

 private:
  friend struct OpenDatabase;
  struct State;
  const uint64_t bytes_;
  std::unique_ptr<State> state_;
};

struct DatabaseOptions {
  std::vector<FamilyOptions> families;
  // For block cache and write buffers together; with a pool, its part of that.
  uint64_t memory_bytes = 64 << 20;
  std::shared_ptr<MemoryPool> pool = {};  // null: memory of its own
  bool create_if_missing = true;
  // To read what is there, without a lock and without writing a byte: also on a file system that is full or
  // that may not be written to.  What is in the logs is read into memory.  Who writes to the database
  // meanwhile may take files away that are still to be read: the caller sees to it that nobody does.  Every
  // call that writes is InvalidArgument.  A family that is missing is
  // Corruption.
  bool read_only = false;
  FileSystem* fs = nullptr;  // null: the machine's own
};

class Batch {
 public:
  Batch();
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  void Put(Family family, std::string_view key, std::string_view value);
  void Delete(Family family, std::string_view key);
  // begin <= key < end
  void DeleteRange(Family family, std::string_view begin, std::string_view end);
  void Add(Family family, std::string_view key, uint64_t delta);
  // To the value, without reading it; the parts are joined when files are merged, or when it is read.
  void Append(Family family, std::string_view key, std::string_view bytes);
  void Clear();  // keeps its memory, for a batch to come
  bool empty() const;
  uint64_t size_bytes() const;
  // Makes room for a large batch at once: growing by doubling takes up to twice the memory at its peak.  Only
  // if it is empty and has less.
  void Reserve(uint64_t bytes);
  uint64_t capacity_bytes() const;  // what it can hold without growing

 private:
  friend class Database;
  struct State;
  std::unique_ptr<State> state_;
};

// Walks the keys of a range in order, on the state of the database at the time it was made.  It must not
// outlive the Database.
class Cursor {
 public:
  ~Cursor();
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;

  bool valid() const;
  std::string_view key() const;    // until the next move
  std::string_view value() const;  // until the next move
  void Next();
  void SeekTo(std::string_view key);
  // Whether the walk ended at the end of the range or because of an error.
  Status status() const;

 private:
  friend class Database;
  struct State;
  explicit Cursor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class Database {
 public:
  // One owner at a time: Unavailable, with the path, if another has it open, in this process or elsewhere.
  // Makes missing folders.  InvalidArgument if the families are not those it was made with.  Corruption if
  // files of it are missing.
  static Result<std::unique_ptr<Database>> Open(const std::string& path, const DatabaseOptions& options);
  ~Database();

  // All or nothing.  With `sync`, on the disk when it returns; without, a crash of the machine may lose it, a
  // crash of the process not.  After a write that failed (disk full) reads go on and writes fail until
  // Resume().  The failed batch is not in the database, but may be, whole, after Resume() or the next
  // opening (its log record was written, its sync failed): read before writing it again, or write what can be
  // written twice.  The batch is unchanged.
  struct WriteOptions {
    bool sync = false;
  };
  Status Write(Batch& batch, WriteOptions options);

  // The number of the last write with `sync` that has returned: such writes are numbered from 1 on, over the
  // life of the database, each in the batch that it numbers.  A database that opens with a smaller number
  // than it had before has lost writes that were acknowledged.
  uint64_t sequence() const;

  // Nothing if there is no such key.
  Result<std::optional<std::string>> Get(Family family, std::string_view key) const;
  Result<std::vector<std::optional<std::string>>> Get(Family family,
                                                      std::span<const std::string_view> keys) const;
  // Nothing if the family is empty.
  Result<std::optional<std::string>> LastKey(Family family) const;
  // begin <= key < end; an empty end is no bound.
  Cursor Scan(Family family, std::string_view begin = {}, std::string_view end = {}) const;

  // After a write failed for want of room: opens the database anew, as after a crash, which reads back what
  // was not yet in files.  Meanwhile, and after a failure, all calls are Unavailable: call it again.
  // Unavailable also, with nothing changed, if another call or a cursor is under way.
  Status Resume();
  // Reads the files that hold what was written out, each whole, and tells those that are damaged: those of
  // the moment of the call, which are not removed meanwhile.  Logs: see CheckLogFiles().
  Status CheckFiles(const NoteDamage& note, Progress& progress) const;

  // Writes the families anew, all of their files, so that no file holds a byte of what was deleted or
  // replaced in them before the call; what only cursors still see goes with them.  The cost is that of
  // copying them. Writes go on meanwhile.
  Status Purge(std::span<const Family> families);
  // Makes `path`, an absolute one that is not there, a database that holds what this one does, everything
  // that was written before the call.  Files that never change are shared, by hard links, if it is on the
  // same file system.  Durable when it returns.
  Status Checkpoint(const std::string& path) const;

  bool read_only() const;

  // For reports.
  uint64_t MemoryBytes() const;
  uint64_t DiskBytes() const;
  // Whether files are being written or merged behind, or are about to be.
  bool Busy() const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace crivello::kv
