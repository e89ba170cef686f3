// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "base/file_system.h"
#include "kv/manifest_end.h"

namespace rocksdb {
class FileSystem;
}  // namespace rocksdb

namespace crivello::kv {

// RocksDB's view of the disk.  Every change that it makes to a file (creation, append, sync, truncation,
// renaming, removal, sync of a folder) goes through `changes`, if there is one, so that a test can let the
// Nth fail; reading, making folders and the text log go to the machine's own.  Without `changes` it costs
// nothing: the files are RocksDB's own.
//
// `lock_failed` is set when RocksDB could not lock the folder: its status tells that only in words.
// `witness` is opened when the folder was locked, and told of each MANIFEST there that was synced.
// All must outlive the object.
std::shared_ptr<rocksdb::FileSystem> MakeRocksDbFiles(FileSystem* changes, std::atomic<bool>* lock_failed,
                                                      std::unique_ptr<ManifestWitness>* witness);

}  // namespace crivello::kv
