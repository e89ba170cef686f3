// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::dedup {

// Which of a text's fingerprints stand for it.
//
//   all        every one
//   mod:P      those that are 0 mod P (Manber: Finding similar files in a large file system, 1994).  One in
//   P,
//              so longer texts keep more, and how much of one text is in another can be estimated.
//   winnow:W   the least of each W in a row, the last of equal ones (Schleimer, Wilkerson, Aiken: Winnowing,
//              2003).  2 in W + 1; any W + n - 1 units in common share at least one.
//   min:S      the S least after a fixed permutation (Broder, 1997: a sketch).  At most S, so each text costs
//              the same, and short ones keep everything.
struct Selection {
  enum class Kind : uint8_t { kAll, kMod, kWinnow, kMin };
  Kind kind = Kind::kMin;
  uint64_t parameter = 32;

  // InvalidArgument if it is not written as above.
  static Result<Selection> Parse(std::string_view text);
  std::string ToString() const;
  friend bool operator==(const Selection&, const Selection&) = default;
};

// The positions, in increasing order, of the values that are selected.  Linear; mod and winnow keep a value
// at each place where it occurs, all and min at its first.
std::vector<size_t> SelectedPositions(std::span<const uint64_t> values, Selection selection);

// The selected values of a sequence, distinct and sorted.
std::vector<uint64_t> SelectedSet(std::span<const uint64_t> values, Selection selection);

}  // namespace crivello::dedup
