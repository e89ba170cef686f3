// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::sieve {

// The steps of the offline sieve (offline_sieve.h) as filters on lines of text (sieve_lines.h), so that other
// programs can take the place of one of them.

struct LineFilterOptions {
  std::string input = "-";             // a file; "-" is standard input
  std::string temporary = {};          // folder; empty: $TMPDIR, or /tmp
  uint64_t memory_bytes = 256u << 20;  // for sorting
};

// A URL as it is sieved.
struct SignedUrl {
  uint64_t signature = 0;
  std::string_view url = {};  // until the next is signed
};
// Signs a URL as it is written; nothing if it is to be skipped.  An error is about the URL.
using SignUrl = std::function<Result<std::optional<SignedUrl>>(std::string_view url)>;

// Takes lines of the output.  When it returns Ok, they have left the program.
using PrintLines = std::function<Status(std::string_view lines)>;

struct SortLinesOptions : LineFilterOptions {
  bool unsorted = false;  // another program sorts
};
struct SortLinesSummary {
  uint64_t lines = 0;
  uint64_t skipped = 0;
};
// URL lines to sieve lines, sorted, the first of each signature.  Corruption names the line.
Result<SortLinesSummary> SortLines(const SortLinesOptions& options, const SignUrl& sign,
                                   const PrintLines& print);

struct MergeLinesOptions : LineFilterOptions {
  std::string seen = {};  // Z: signature lines, or a file of ours
  std::string to = {};    // Z', of the same kind; empty: replaces Z
  bool by_arrival = false;
};
// Sorted sieve lines to those that Z did not have; Z' appears when they are written.
Status MergeLines(const MergeLinesOptions& options, const PrintLines& print);

}  // namespace crivello::sieve
