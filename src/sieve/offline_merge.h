// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::sieve {

// One merge of the offline sieve: what the lecture notes do with the files Z, F and A, without data
// structures, in constant memory except for one bit per key of A:
//
//   1. A is read once. (signature, position) go through an external sort, which keeps the first
//      position of each signature.  The result is A': sorted by signature,
//      without repeats.
//   2. Z and A' are merged into the new Z, both read sequentially.  The position of each signature
//      that was not in Z is marked.  Marks are bits in order of position:
//      setting them is the sort that restores the
//      order of first arrival.
//   3. A is read again together with the marks; the marked keys go to F, here to a new segment of it.
//
// Changes nothing except the two new files, so a merge that failed or was stopped can simply be repeated.
struct OfflineMerge {
  std::vector<std::string> batch = {};  // the logs that form A, in order
  uint64_t keys = 0;                    // number of keys in them
  std::string seen = {};                // Z; empty: nothing was seen before
  std::string new_seen = {};            // Z'; written only if new keys were found
  std::string segment = {};             // of F; also written only then
  std::string folder = {};              // for temporary files
  uint64_t memory_bytes = 64u << 20;
  FileSystem* fs = nullptr;                 // never null
  const std::atomic<bool>* stop = nullptr;  // aborts with Unavailable once it is true
};

struct OfflineMergeResult {
  uint64_t discovered = 0;  // keys of A that were new to Z
  uint64_t known = 0;       // signatures in the new Z
};

Result<OfflineMergeResult> Run(const OfflineMerge& merge);

}  // namespace crivello::sieve
