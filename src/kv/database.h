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

// An ordered, durable map from bytes to bytes, in named families. It wraps the few RocksDB operations that
// we use, so that RocksDB's headers, style and option names stay in one place. Keys compare as bytes. A
// tablet has one Database; changes that must be atomic (a row, a dequeue, a line of the ledger) form one
// Batch.
//
// Thread-safe, except that a Batch or Cursor belongs to one thread.

// A family of keys: its index in DatabaseOptions::families. A database keeps its families, in this order, for
// life; new ones are appended.
using Family = uint32_t;

struct FamilyOptions {
  std::string name;
  // Large values that are written once (texts) are stored in blob files, compressed. Leave it false for small
  // values that are rewritten often (states, counters).
  bool blobs = false;
  // Lookups are for single keys that usually exist; then no filter is built for the keys of the last level.
  bool point_lookups_hit = false;
  // Values are 64-bit little-endian numbers that are added up (Batch::Add).
  bool counters = false;
  // Values grow at their end (Batch::Append).
  bool appends = false;
  // Small values that are rewritten or deleted often (states, queues): compressed less, to reduce the work of
  // each compaction.
  bool rewritten = false;
  // Values are deleted soon after they are written (journals): not compressed, and compacted late.
  bool short_lived = false;
};

// Memory shared by several databases: the total for their block caches and write buffers. Databases that are
// written to use the write buffers, those that are read use the cache. Thread-safe.
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
  // For block cache and write buffers together; with a pool, this database's share.
  uint64_t memory_bytes = 64 << 20;
  std::shared_ptr<MemoryPool> pool = {};  // null: its own memory
  bool create_if_missing = true;
  // Opens for reading, without a lock and without writing a byte, even on a full or
  // read-only file system. The content of the logs is read into memory. A concurrent
  // writer could remove files that are still needed, so the caller must make sure that
  // nobody writes. Every call that writes returns InvalidArgument. A missing family is
  // Corruption.
  bool read_only = false;
  FileSystem* fs = nullptr;  // null: the machine's file system
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
  // Appends to the value without reading it; the parts are joined by compaction or when the value is read.
  void Append(Family family, std::string_view key, std::string_view bytes);
  void Clear();  // keeps its memory for reuse
  bool empty() const;
  uint64_t size_bytes() const;
  // Makes room for a large batch at once, because growing by doubling takes up to twice the memory at its
  // peak. Does nothing unless the batch is empty and has less room.
  void Reserve(uint64_t bytes);
  uint64_t capacity_bytes() const;  // what it can hold without growing

 private:
  friend class Database;
  struct State;
  std::unique_ptr<State> state_;
};

// Walks the keys of a range in order, in the state of the database when the cursor was made. It must not
// outlive the Database.
class Cursor {
 public:
  ~Cursor();
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;

  bool valid() const;
  std::string_view key() const;    // valid until the next move
  std::string_view value() const;  // valid until the next move
  void Next();
  void SeekTo(std::string_view key);
  // Whether the walk reached the end of the range, or stopped at an error.
  Status status() const;

 private:
  friend class Database;
  struct State;
  explicit Cursor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class Database {
 public:
  // Only one owner at a time: Unavailable, with the path, if the database is already open, in this process or
  // elsewhere. Creates missing folders. InvalidArgument if the families differ from those it was created
  // with. Corruption if some of its files are missing.
  static Result<std::unique_ptr<Database>> Open(const std::string& path, const DatabaseOptions& options);
  ~Database();

  // Atomic. With `sync`, it is on disk when the call returns; without, a crash of the machine may lose it,
  // but a crash of the process cannot. After a failed write (disk full), reads still work, and writes fail
  // until Resume(). The failed batch is not in the database, but may appear, complete, after Resume() or the
  // next opening (if its log record was written but the sync failed): read before writing it again, or write
  // only what may be written twice. The batch is unchanged.
  struct WriteOptions {
    bool sync = false;
  };
  Status Write(Batch& batch, WriteOptions options);

  // The number of the last completed write with `sync`. Such writes are numbered from 1 on, over the life of
  // the database; the number is part of the same batch. A database that opens with a smaller number than
  // before has lost acknowledged writes.
  uint64_t sequence() const;

  // nullopt if there is no such key.
  Result<std::optional<std::string>> Get(Family family, std::string_view key) const;
  Result<std::vector<std::optional<std::string>>> Get(Family family,
                                                      std::span<const std::string_view> keys) const;
  // nullopt if the family is empty.
  Result<std::optional<std::string>> LastKey(Family family) const;
  // begin <= key < end; an empty end means no upper bound.
  Cursor Scan(Family family, std::string_view begin = {}, std::string_view end = {}) const;

  // After a write failed for lack of space: reopens the database, as after a crash, which recovers what was
  // not yet in files. During the call, and after it fails, all other calls return Unavailable: call it again.
  // Also returns Unavailable, with no effect, while another call or a cursor is active.
  Status Resume();
  // Reads all files with flushed data completely, and reports damaged ones. Checks those that exist when it
  // is called; they are not removed meanwhile. For logs, see CheckLogFiles().
  Status CheckFiles(const NoteDamage& note, Progress& progress) const;

  // Rewrites all files of these families, so that no file contains a byte of what was deleted or replaced
  // before the call, including data that only cursors still see. Costs as much as copying them. Writes
  // continue meanwhile.
  Status Purge(std::span<const Family> families);
  // Creates, at the absolute path `path`, which must not exist, a database with everything that was written
  // before the call. Immutable files are shared by hard links if it is on the same file system. Durable when
  // the call returns.
  Status Checkpoint(const std::string& path) const;

  bool read_only() const;

  // For reports.
  uint64_t MemoryBytes() const;
  uint64_t DiskBytes() const;
  // Whether files are being flushed or compacted in the background, or are about to be.
  bool Busy() const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace crivello::kv
