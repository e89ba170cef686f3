// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::dedup {

// Which of a text's fingerprints are kept to represent it.
//
//   all        all of them
//   mod:P      those that are 0 mod P (Manber: Finding similar files in a large file system, 1994).
//              One in P, so longer texts keep more, and it can be estimated how much of one text is in
//              another.
//   winnow:W   the least of each W in a row, the last of equal ones (Schleimer, Wilkerson, Aiken: Winnowing,
//              2003).  2 in W + 1; texts with W + n - 1 units in common share at least one.
//   min:S      the S least ones after a fixed permutation (Broder, 1997: a sketch).  At most S, so each text
//              costs the same, and short texts keep everything.
struct Selection {
  enum class Kind : uint8_t { kAll, kMod, kWinnow, kMin };
  Kind kind = Kind::kMin;
  uint64_t parameter = 32;

  // Parses the notation above; InvalidArgument for anything else.
  static Result<Selection> Parse(std::string_view text);
  std::string ToString() const;
  friend bool operator==(const Selection&, const Selection&) = default;
};

// The positions of the selected values, in increasing order. Linear. For mod and winnow a value has all its
// selected positions; for all and min, only its first.
std::vector<size_t> SelectedPositions(std::span<const uint64_t> values, Selection selection);

// The selected values, distinct and sorted.
std::vector<uint64_t> SelectedSet(std::span<const uint64_t> values, Selection selection);

}  // namespace crivello::dedup
