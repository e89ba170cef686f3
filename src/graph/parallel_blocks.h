// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <barrier>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "base/status.h"

namespace crivello::graph {

// Threads that repeatedly divide numbered blocks of work among themselves.  The blocks do not depend on the
// number of threads, so neither do the results, provided that a block does not read what another one writes.
// With one thread, blocks run in the caller's thread, in order.
//
// Only one thread at a time may call Run().
class ParallelBlocks {
 public:
  explicit ParallelBlocks(unsigned threads);
  ~ParallelBlocks();
  ParallelBlocks(const ParallelBlocks&) = delete;
  ParallelBlocks& operator=(const ParallelBlocks&) = delete;

  // Calls work(block) for all blocks below `count` and returns when all have ended, with the error of the
  // lowest block that failed.  Thread i of t runs the blocks i, i + t, ...
  Status Run(unsigned count, const std::function<Status(unsigned block)>& work);
  unsigned threads() const { return threads_; }

 private:
  void RunShare(unsigned thread);

  const unsigned threads_;
  // The caller writes these before `start_`, and the others read them after it; errors_ is passed back
  // through `end_`.
  const std::function<Status(unsigned)>* work_ = nullptr;
  unsigned count_ = 0;
  bool stopping_ = false;
  std::vector<Status> errors_;  // of each block
  std::optional<std::barrier<>> start_;
  std::optional<std::barrier<>> end_;
  std::vector<std::jthread> workers_;  // the last member: joined first
};

}  // namespace crivello::graph
