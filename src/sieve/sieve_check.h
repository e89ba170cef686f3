// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/status.h"

namespace crivello::sieve {

// Verifies the checksums of every file in the folder of a sieve of any kind. Calls `note` with a sentence,
// which names the file, for each damaged one. A torn tail of a log is left by a crash and is not damage;
// opening a sieve cuts it off, so check before opening. For the sieve on RocksDB only the logs are read,
// because RocksDB verifies its tables whenever it reads them. Changes nothing. An open sieve may write and
// remove files meanwhile: removed ones are skipped.
Status CheckSieveFiles(const std::string& folder, const std::function<void(std::string sentence)>& note);

}  // namespace crivello::sieve
