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

// RocksDB's view of the disk. Every change to a file (creation, append, sync, truncation, renaming, removal,
// sync of a folder) goes through `changes`, if given, so that a test can make the Nth change fail. Reading,
// creating folders and the text log use the machine's own file system. Without `changes` there is no
// overhead: RocksDB uses its own file objects.
//
// `lock_failed` is set when RocksDB could not lock the folder, because its status says so only as text.
// `witness` is opened once the folder is locked, and records each synced MANIFEST in it. All of them must
// outlive the object.
std::shared_ptr<rocksdb::FileSystem> MakeRocksDbFiles(FileSystem* changes, std::atomic<bool>* lock_failed,
                                                      std::unique_ptr<ManifestWitness>* witness);

}  // namespace crivello::kv
