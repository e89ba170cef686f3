// SPDX-License-Identifier: Apache-2.0
// How a Database opens its RocksDB. Included only by the files of database.h.
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "kv/database.h"
#include "kv/manifest_end.h"

namespace crivello::kv {

inline rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
inline std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

Status FromRocksDb(const rocksdb::Status& status);
Status FromRocksDb(const rocksdb::Status& status, const std::string& path);

// A family's number in RocksDB is its index in DatabaseOptions plus one, because RocksDB requires a "default"
// family.
constexpr uint32_t kFirstFamilyId = 1;

// An open RocksDB; each call holds it while it runs, and each cursor as long as it exists.
struct OpenDatabase {
  std::atomic<bool> lock_failed = false;
  std::unique_ptr<ManifestWitness> witness;  // only of a database opened for writing
  std::unique_ptr<rocksdb::Env> env;
  std::shared_ptr<rocksdb::Cache> cache;
  std::shared_ptr<rocksdb::WriteBufferManager> write_buffers;

  // Uses its own memory or the pool's.
  void TakeMemory(const DatabaseOptions& options);
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;  // the default family first, then ours

  ~OpenDatabase() {
    if (db == nullptr) return;
    for (rocksdb::ColumnFamilyHandle* handle : handles) {
      db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
    db->Close().PermitUncheckedError();  // acknowledged data is in the log, so nothing can be lost here
  }
  rocksdb::ColumnFamilyHandle* Handle(Family family) const {
    assert(family + kFirstFamilyId < handles.size());
    return handles[family + kFirstFamilyId];
  }
};
Result<std::shared_ptr<OpenDatabase>> OpenRocksDb(const std::string& path, const DatabaseOptions& options);

}  // namespace crivello::kv
