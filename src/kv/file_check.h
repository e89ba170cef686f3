// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::kv {

// Looks for damage in the files of a database: each piece carries a checksum, and one that does not match is
// told in a sentence that names file and place.  (RocksDB opens a database whose log is damaged in the
// middle and drops what follows, without a word: so its logs are looked at before.)
using NoteDamage = std::function<void(std::string sentence)>;

// The write-ahead logs and manifests of a folder, and the witness of the current manifest (manifest_end.h).
// A bad record with no good one behind it is what a crash tears, and no damage.  Nothing is locked or
// changed; files may be written to meanwhile.
Status CheckLogFiles(const std::string& folder, const NoteDamage& note);

// The bytes of such a log, and those of a blob file (values of the families that have `blobs`).
void CheckLog(const std::string& path, std::string_view bytes, const NoteDamage& note);
void CheckBlobFile(const std::string& path, std::string_view bytes, const NoteDamage& note);

}  // namespace crivello::kv
