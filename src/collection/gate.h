// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>

#include "base/mutex.h"

namespace crivello::collection {

// Many threads can hold a Pass at a time.  Close() waits until every Pass has been returned; new ones block
// until the gate is opened again.  Unlike with std::shared_mutex, the thread that closes it does not starve.
// Only one thread closes it at a time, and no thread holds two passes.  Thread-safe.
class Gate {
 public:
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(gate) {
      MutexLock lock(gate_.mu_);
      gate_.changed_.wait(gate_.mu_, [this]() CRV_REQUIRES(gate_.mu_) { return !gate_.closed_; });
      gate_.inside_++;
    }
    ~Pass() {
      MutexLock lock(gate_.mu_);
      gate_.inside_--;
      gate_.changed_.notify_all();
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    Gate& gate_;
  };
  class Closed {
   public:
    explicit Closed(Gate& gate) : gate_(gate) {
      MutexLock lock(gate_.mu_);
      gate_.closed_ = true;
      gate_.changed_.wait(gate_.mu_, [this]() CRV_REQUIRES(gate_.mu_) { return gate_.inside_ == 0; });
    }
    ~Closed() {
      MutexLock lock(gate_.mu_);
      gate_.closed_ = false;
      gate_.changed_.notify_all();
    }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    Gate& gate_;
  };

 private:
  Mutex mu_;
  std::condition_variable_any changed_;
  bool closed_ CRV_GUARDED_BY(mu_) = false;
  uint64_t inside_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace crivello::collection
