// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/status.h"
#include "store/archive_reader.h"
#include "store/record_locator.h"

namespace crivello::store {

// Taking captures out of an archive, for good, while all others keep their places: each of their records
// becomes a tombstone of the same length (tombstone.h), and the line of the index goes.
//
// Only of files that have an index: nobody writes to them any more (Archive::EndFile() ends the one that is
// being written).

// The records of all captures of URLs that are `wanted`: responses, revisits and resources, as the indexes
// have them, each with the request and metadata that belong to it.  Reads all indexes of the folder.
Result<std::vector<RecordLocator>> FindCaptures(const std::string& directory,
                                                const std::function<bool(std::string_view url)>& wanted);

// Those of the capture that a row points to.
Result<std::vector<RecordLocator>> RecordsOfCapture(const ArchiveReader& reader,
                                                    const RecordLocator& locator);

// Puts tombstones in the place of these records, and takes their lines out of the indexes.  A file that holds
// one is written anew beside the old one, which it then replaces, and then so is its index: a crash leaves
// both old, the file new and its index old, or both new, and doing it again does no harm.  (Not in place: a
// reader or a crash would see half a record, and a backup may share the file by a hard link.)
Status EraseRecords(const std::string& directory, std::vector<RecordLocator> records, int64_t date,
                    Random& random, Progress& progress, FileSystem& fs = PosixFileSystem());

}  // namespace crivello::store
