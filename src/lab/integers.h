// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::lab {

// Integers to measure or pack.
struct Integers {
  std::vector<uint64_t> values = {};
  // If the values are gaps (the first value of a list, then the differences minus one), the strictly
  // increasing lists from which they come; otherwise empty.
  std::vector<std::vector<uint64_t>> lists = {};
};

// Decimal numbers below 2^64, separated by white space or commas; '#' starts a comment to the end of its
// line. An error names the line.
Result<std::vector<uint64_t>> ParseIntegers(std::string_view text);

// Little-endian integers of 4 or 8 bytes.
Result<std::vector<uint64_t>> ParseBinaryIntegers(std::string_view bytes, unsigned width_bytes);

// The gaps of one strictly increasing list; InvalidArgument names the position where it does not increase.
Result<Integers> GapsOf(std::vector<uint64_t> list);

// The posting lists of a text, taken as one document: for each word (a run of letters, digits and non-ASCII
// bytes, in lower case), in order, the positions where it occurs.
Integers PostingsOf(std::string_view text);

}  // namespace crivello::lab
