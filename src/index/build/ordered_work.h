// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/bounded_queue.h"
#include "base/status.h"

namespace crivello::index {

// Runs jobs in many threads and returns them in the order in which they were given, so the output does not
// depend on the number of threads.  With one thread, jobs run in the caller's thread.
//
// At most two jobs per thread are in progress; Give() then first waits for the oldest and takes it back. One
// thread at a time may call it; `work` runs in many, each with its own number.
template <typename Job>
class OrderedWork {
 public:
  using Work = std::function<void(unsigned thread, Job& job)>;
  using Done = std::function<Status(Job& job)>;  // in the caller's thread, in order

  OrderedWork(unsigned threads, Work work, Done done)
      : work_(std::move(work)), done_(std::move(done)), most_(2 * threads), waiting_(2 * threads) {
    for (unsigned i = 0; threads > 1 && i < threads; i++) {
      threads_.emplace_back([this, i] {
        while (auto ticket = waiting_.Pop()) {
          work_(i, (*ticket)->job);
          (*ticket)->done.store(true);
          (*ticket)->done.notify_one();
        }
      });
    }
  }
  // Completes and drops the jobs that were not taken back.
  ~OrderedWork() { waiting_.Close(); }

  Status Give(Job job) {
    if (threads_.empty()) {
      work_(0, job);
      return done_(job);
    }
    while (under_way_.size() >= most_) CRV_TRY(TakeBack());
    under_way_.push_back(std::make_shared<Ticket>(std::move(job)));
    waiting_.Push(under_way_.back());
    return Status::Ok();
  }
  // Takes back all jobs.
  Status Finish() {
    while (!under_way_.empty()) CRV_TRY(TakeBack());
    return Status::Ok();
  }

 private:
  // Shared, because a thread touches it once more after it is done.
  struct Ticket {
    explicit Ticket(Job j) : job(std::move(j)) {}
    Job job;
    std::atomic<bool> done = false;
  };

  Status TakeBack() {
    under_way_.front()->done.wait(false);
    const std::shared_ptr<Ticket> ticket = std::move(under_way_.front());
    under_way_.pop_front();
    return done_(ticket->job);
  }

  const Work work_;
  const Done done_;
  const size_t most_;
  std::deque<std::shared_ptr<Ticket>> under_way_;
  BoundedQueue<std::shared_ptr<Ticket>> waiting_;
  std::vector<std::jthread> threads_;  // joined first
};

}  // namespace crivello::index
