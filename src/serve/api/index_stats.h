// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace crivello::serve {

// What can be searched at the moment, and what the indexer is doing.
struct IndexStats {
  bool ready = false;  // a snapshot is open
  uint64_t snapshot = 0;
  uint64_t documents = 0;
  uint64_t segments = 0;

  // Zero unless this process writes the index.
  uint64_t backlog = 0;   // changes that search cannot find yet
  uint64_t builds = 0;    // from all rows, since the process started
  bool building = false;  // one is in progress
  struct Segment {
    uint64_t documents = 0;
    uint64_t deleted = 0;  // of these documents
  };
  std::vector<Segment> parts = {};
};

}  // namespace crivello::serve
