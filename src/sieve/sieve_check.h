// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/status.h"

namespace crivello::sieve {

// Reads every file of a sieve's folder, of whatever kind, and compares its checksums; `note` gets a sentence
// for each that is damaged, which names it.  A torn tail of a log is what a crash leaves, and no damage; and
// opening a sieve cuts it: so the time to look is before.  Of the sieve on RocksDB only the logs are read:
// its tables are verified whenever they are. Nothing is changed; a sieve that is open may write and remove
// files meanwhile: one that has gone is left out.
Status CheckSieveFiles(const std::string& folder, const std::function<void(std::string sentence)>& note);

}  // namespace crivello::sieve
