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
// programs can replace one of them.

struct LineFilterOptions {
  std::string input = "-";             // a file; "-" is standard input
  std::string temporary = {};          // folder; empty: $TMPDIR, or /tmp
  uint64_t memory_bytes = 256u << 20;  // for sorting
};

// A URL with its signature.
struct SignedUrl {
  uint64_t signature = 0;
  std::string_view url = {};  // valid until the next URL is signed
};
// Signs a URL as written; nullopt if it is to be skipped. An error concerns the URL.
using SignUrl = std::function<Result<std::optional<SignedUrl>>(std::string_view url)>;

// Receives lines of output. Once it returns Ok, they have left the program.
using PrintLines = std::function<Status(std::string_view lines)>;

struct SortLinesOptions : LineFilterOptions {
  bool unsorted = false;  // leave the sorting to another program
};
struct SortLinesSummary {
  uint64_t lines = 0;
  uint64_t skipped = 0;
};
// Converts URL lines to sorted sieve lines, keeping the first of each signature. Corruption names the line.
Result<SortLinesSummary> SortLines(const SortLinesOptions& options, const SignUrl& sign,
                                   const PrintLines& print);

struct MergeLinesOptions : LineFilterOptions {
  std::string seen = {};  // Z: signature lines, or a Z file
  std::string to = {};    // Z', in the same format; empty: replaces Z
  bool by_arrival = false;
};
// Reduces sorted sieve lines to those that Z did not have; Z' appears once they are written.
Status MergeLines(const MergeLinesOptions& options, const PrintLines& print);

}  // namespace crivello::sieve
