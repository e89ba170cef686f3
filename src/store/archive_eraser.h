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

// Removes captures from an archive permanently, without moving any other record: each record of such a
// capture becomes a tombstone of the same length (tombstone.h), and its line is removed from the index.
//
// Works only on files that have an index, because nobody writes to them any more. Archive::EndFile() ends the
// file that is being written.

// The records of all captures whose URL is `wanted`: responses, revisits and resources that are in the
// indexes, each with its request and metadata records. Reads all indexes of the folder.
Result<std::vector<RecordLocator>> FindCaptures(const std::string& directory,
                                                const std::function<bool(std::string_view url)>& wanted);

// The records of the capture that a row points to.
Result<std::vector<RecordLocator>> RecordsOfCapture(const ArchiveReader& reader,
                                                    const RecordLocator& locator);

// Replaces these records by tombstones and removes their lines from the indexes. A file that holds such a
// record is copied with the tombstones in place, and the copy replaces the file; then the same for its index.
// A crash leaves both old, a new file with the old index, or both new. Repeating the call is harmless. (Not
// in place: a reader or a crash would see half a record, and a backup may share the file by a hard link.)
Status EraseRecords(const std::string& directory, std::vector<RecordLocator> records, int64_t date,
                    Random& random, Progress& progress, FileSystem& fs = PosixFileSystem());

}  // namespace crivello::store
