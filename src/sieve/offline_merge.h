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
// structures and in constant memory but for a bit per key of A:
//
//   1. A is read once; (signature, position) go through an external sort, which keeps the first position of
//   each
//      signature: A'.
//   2. Z and A' are merged into the new Z, both read in sequence.  The position of each signature that was
//   not
//      in Z is marked.  Marks are bits in order of position: setting them is the sort that recovers the order
//      of first arrival.
//   3. A is read again beside the marks; the marked keys are appended to F, here a new segment of it.
//
// Nothing is changed but the two new files, so a merge that failed or was stopped is simply done again.
struct OfflineMerge {
  std::vector<std::string> batch = {};  // the logs that make A, in order
  uint64_t keys = 0;                    // in them
  std::string seen = {};                // Z; empty: nothing was seen yet
  std::string new_seen = {};            // Z'; not written if nothing was discovered
  std::string segment = {};             // of F; likewise
  std::string folder = {};              // of temporary files
  uint64_t memory_bytes = 64u << 20;
  FileSystem* fs = nullptr;                 // never null
  const std::atomic<bool>* stop = nullptr;  // gives up, Unavailable, once it is true
};

struct OfflineMergeResult {
  uint64_t discovered = 0;  // keys of A that were new to Z
  uint64_t known = 0;       // signatures in the new Z
};

Result<OfflineMergeResult> Run(const OfflineMerge& merge);

}  // namespace crivello::sieve
