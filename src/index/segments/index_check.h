// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/segments/segment.h"

namespace crivello::index {

// What `check` finds in an index: problems are sentences that name the segment and the place.
struct IndexCheck {
  uint64_t segments = 0;
  uint64_t documents = 0;
  uint64_t terms = 0;
  uint64_t postings = 0;
  std::vector<std::string> problems = {};  // at most one for each field, and a few for each segment
};

// Reads all of a segment and compares its parts with one another: terms with the map and their order, lists
// with their heads and the lengths of documents, sums with the description, texts with the keys of documents.
// Some 20 ns a posting.
void CheckSegment(const Segment& segment, const std::string& name, IndexCheck* check);

// The same for all segments of the last commit, whose files are compared with their checksums as well; and
// the manifest with them.  An error only if there is no index; what is wrong with it is a problem.
Result<IndexCheck> CheckIndex(const std::string& directory);

}  // namespace crivello::index
