// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/scratch_file.h"
#include "base/status.h"
#include "graph/graph.h"

namespace crivello::graph {

// New values of nodes, all of the same size, to be applied later: kept in memory up to a limit, and then in a
// scratch file, which is written and read sequentially.  One thread at a time.
class UpdateLog {
 public:
  struct Options {
    size_t value_bytes = 0;
    uint64_t memory_bytes = uint64_t{1} << 20;
    std::string folder = {};  // of the scratch file, created when needed
  };
  explicit UpdateLog(Options options) : options_(std::move(options)) {}

  // IoError if the disk fails.  REQUIRES: value.size() == value_bytes.
  Status Add(Node node, std::span<const std::byte> value);
  // Calls apply() for each value, in the order in which they were added, and clears the log.
  Status Replay(const std::function<void(Node node, std::span<const std::byte> value)>& apply);

  uint64_t spilled_bytes() const { return spilled_bytes_; }

 private:
  static constexpr size_t kChunkBytes = size_t{1} << 20;

  size_t record_bytes() const { return sizeof(Node) + options_.value_bytes; }
  size_t chunk_records() const { return std::max(kChunkBytes / record_bytes(), size_t{1}); }
  Status Spill();
  void ReplayChunk(std::span<const std::byte> records,
                   const std::function<void(Node, std::span<const std::byte>)>& apply) const;

  Options options_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;  // all full except the last one in use
  uint64_t records_ = 0;                              // in chunks_
  std::optional<ScratchFile> file_;
  uint64_t spilled_bytes_ = 0;
};

}  // namespace crivello::graph
