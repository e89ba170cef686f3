// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/run_tasks.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace crivello::dedup {
namespace {

class TaskRunner {
 public:
  TaskRunner(size_t count, const std::function<Status(size_t)>& run) : count_(count), run_(run) {}

  void Work() {
    while (!failed_) {
      const size_t task = next_++;
      if (task >= count_) return;
      const Status status = run_(task);
      if (!status.ok()) Fail(task, status);
    }
  }
  Status status() {
    MutexLock lock(mu_);
    return status_;
  }

 private:
  void Fail(size_t task, const Status& status) {
    failed_ = true;
    MutexLock lock(mu_);
    if (!status_.ok() && failed_task_ < task) return;
    status_ = status;
    failed_task_ = task;
  }

  const size_t count_;
  const std::function<Status(size_t)>& run_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  Mutex mu_;
  Status status_ CRV_GUARDED_BY(mu_);
  size_t failed_task_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace

Status RunTasks(unsigned threads, size_t count, const std::function<Status(size_t)>& run) {
  TaskRunner runner(count, run);
  {
    std::vector<std::jthread> others;
    const size_t wanted = std::min<size_t>(std::max(threads, 1u), count);
    for (size_t i = 1; i < wanted; i++) others.emplace_back([&runner] { runner.Work(); });
    runner.Work();
  }
  return runner.status();
}

}  // namespace crivello::dedup
