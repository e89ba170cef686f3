// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/segments/segment.h"

namespace crivello::index {

// The findings of `check` in an index: a problem is a sentence that names the segment and the place.
struct IndexCheck {
  uint64_t segments = 0;
  uint64_t documents = 0;
  uint64_t terms = 0;
  uint64_t postings = 0;
  std::vector<std::string> problems = {};  // at most one for each field, and a few for each segment
};

// Reads a whole segment and compares its parts with one another: terms with the map and their order, lists
// with their heads and the lengths of documents, sums with the description, texts with the keys of documents.
// Some 20 ns per posting.
void CheckSegment(const Segment& segment, const std::string& name, IndexCheck* check);

// Does the same for all segments of the last commit, compares their files with the checksums, and the
// manifest with them.  An error only if there is no index; damage is reported as a problem.
Result<IndexCheck> CheckIndex(const std::string& directory);

}  // namespace crivello::index
