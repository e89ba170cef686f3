// SPDX-License-Identifier: Apache-2.0
#include "graph/parallel_blocks.h"

#include <algorithm>

namespace crivello::graph {

ParallelBlocks::ParallelBlocks(unsigned threads) : threads_(std::max(threads, 1u)) {
  if (threads_ == 1) return;
  start_.emplace(static_cast<std::ptrdiff_t>(threads_));
  end_.emplace(static_cast<std::ptrdiff_t>(threads_));
  for (unsigned thread = 1; thread < threads_; thread++) {
    workers_.emplace_back([this, thread] {
      while (true) {
        start_->arrive_and_wait();
        if (stopping_) return;
        RunShare(thread);
        end_->arrive_and_wait();
      }
    });
  }
}

ParallelBlocks::~ParallelBlocks() {
  if (threads_ == 1) return;
  stopping_ = true;
  start_->arrive_and_wait();
}

void ParallelBlocks::RunShare(unsigned thread) {
  for (unsigned block = thread; block < count_; block += threads_) errors_[block] = (*work_)(block);
}

Status ParallelBlocks::Run(unsigned count, const std::function<Status(unsigned block)>& work) {
  if (threads_ == 1) {
    for (unsigned block = 0; block < count; block++) CRV_TRY(work(block));
    return Status::Ok();
  }
  work_ = &work;
  count_ = count;
  errors_.assign(count, Status());
  start_->arrive_and_wait();
  RunShare(0);
  end_->arrive_and_wait();
  for (const Status& error : errors_) CRV_TRY(error);
  return Status::Ok();
}

}  // namespace crivello::graph
