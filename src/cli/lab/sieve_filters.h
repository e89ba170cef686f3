// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "cli/command.h"

namespace crivello::cli {

// The steps of the offline sieve (sieve/offline_sieve.h) as filters on lines of text (sieve_lines.h).

struct SieveFilterOptions {
  std::string input = "-";
  std::string temporary = {};          // folder; empty: $TMPDIR, or /tmp
  uint64_t memory_bytes = 256u << 20;  // for sorting
};

struct SieveSortOptions : SieveFilterOptions {
  bool unsorted = false;  // another program sorts
};
// URL lines to sieve lines, sorted, the first of each signature.
Result<int> SieveSort(const Session& session, const SieveSortOptions& options);

struct SieveMergeOptions : SieveFilterOptions {
  std::string seen = {};  // Z: signature lines, or a file of ours
  std::string to = {};    // Z', of the same kind; empty: replaces Z
  bool by_arrival = false;
};
// Sorted sieve lines to those that Z did not have; Z' appears when they are written.
Result<int> SieveMerge(const Session& session, const SieveMergeOptions& options);

}  // namespace crivello::cli
