// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::kv {

// Detects damage in the files of a database: each piece has a checksum, and a mismatch is reported in a
// sentence that names the file and the place. (If a log is damaged in the middle, RocksDB opens the database
// and silently drops the rest, so check its logs before opening.)
using NoteDamage = std::function<void(std::string sentence)>;

// Checks the write-ahead logs and manifests of a folder, and the witness of the current manifest
// (manifest_end.h). A bad record without a good one after it is left by a crash, and is not damage. Nothing
// is locked or changed; files may be written to meanwhile.
Status CheckLogFiles(const std::string& folder, const NoteDamage& note);

// Check the bytes of such a log, and of a blob file (values of the families that have `blobs`).
void CheckLog(const std::string& path, std::string_view bytes, const NoteDamage& note);
void CheckBlobFile(const std::string& path, std::string_view bytes, const NoteDamage& note);

}  // namespace crivello::kv
