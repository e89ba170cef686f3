// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace crivello::serve {

// What is searched at the moment, and what is being done to it.
struct IndexStats {
  bool ready = false;  // a snapshot is open
  uint64_t snapshot = 0;
  uint64_t documents = 0;
  uint64_t segments = 0;

  // Of a process that writes the index; else nothing.
  uint64_t backlog = 0;   // changes that cannot be found yet
  uint64_t builds = 0;    // from all rows, since the start
  bool building = false;  // one goes on
  struct Segment {
    uint64_t documents = 0;
    uint64_t deleted = 0;  // of those
  };
  std::vector<Segment> parts = {};
};

}  // namespace crivello::serve
