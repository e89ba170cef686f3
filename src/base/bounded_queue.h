// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concurrentqueue/concurrentqueue.h>
#include <concurrentqueue/lightweightsemaphore.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace crivello {

// A bounded queue between stages: producers wait while it is full, consumers while it is empty, so a slow
// stage slows down those before it instead of filling the memory. Lock-free except for waiting (moodycamel's
// queue; docs/dependencies.md says which part of the lecture notes it replaces). The items of one producer
// stay in order; between producers there is no order.
//
// Invariant: the semaphore items_ counts the queued items, plus one token once closed; each consumer that
// finds nothing left passes that token on. slots_ works the same way for producers.
// Thread-safe.
template <typename T>
class BoundedQueue {
 public:
  // REQUIRES: capacity > 0.
  explicit BoundedQueue(uint32_t capacity)
      : capacity_(capacity), slots_(static_cast<ssize_t>(capacity)), items_(0), filled_(0, /*maxSpins=*/0) {}

  // Waits for room. If the queue is closed, drops the item and returns false.
  bool Push(T item) {
    slots_.wait();
    return Enqueue(std::move(item));
  }

  // Returns false and leaves the item unchanged if there is no room now or the queue is closed.
  bool TryPush(T& item) {
    if (!slots_.tryWait()) return false;
    return Enqueue(std::move(item));
  }

  // Waits for an item; nullopt once the queue is closed and every pushed item has been popped.
  std::optional<T> Pop() {
    items_.wait();
    return Dequeue();
  }

  // nullopt if there is no item now.
  std::optional<T> TryPop() {
    if (!items_.tryWait()) return std::nullopt;
    return Dequeue();
  }

  // Waits until `size` items are queued, the queue is closed, or `limit` of real time has passed; may return
  // earlier. One thread at a time.
  void WaitForSize(uint64_t size, std::chrono::microseconds limit) {
    awaited_.store(static_cast<int64_t>(size));
    if (queued_.load() < static_cast<int64_t>(size) && !closed_.load()) filled_.wait(limit.count());
    awaited_.store(kNoSize);
    while (filled_.tryWait()) continue;  // left over from a size that was reached after the wait had ended
  }

  // Rejects new items from now on; queued ones can still be popped. Wakes all waiting threads.
  void Close() {
    if (closed_.exchange(true)) return;
    slots_.signal();
    items_.signal();
    filled_.signal();
  }

  uint32_t capacity() const { return capacity_; }
  // Approximate while other threads push and pop.
  uint64_t size() const { return static_cast<uint64_t>(queued_.load(std::memory_order_relaxed)); }

 private:
  static constexpr int64_t kNoSize = std::numeric_limits<int64_t>::max();

  // REQUIRES: a slot was taken. queued_ is incremented before closed_ is read, and Dequeue reads closed_
  // before queued_ (all sequentially consistent). So a consumer that sees "closed and none queued" knows that
  // no producer is still about to enqueue.
  template <typename U>
  bool Enqueue(U&& item) {
    const int64_t queued = queued_.fetch_add(1) + 1;
    if (closed_.load()) {
      queued_.fetch_sub(1);
      slots_.signal();
      return false;
    }
    queue_.enqueue(std::forward<U>(item));
    items_.signal();
    // WaitForSize() stores awaited_ and then reads queued_: one of the two sees the other's write.
    if (queued >= awaited_.load() && awaited_.exchange(kNoSize) != kNoSize) filled_.signal();
    return true;
  }

  // REQUIRES: a token of items_ was taken.
  std::optional<T> Dequeue() {
    T item;
    // The token guarantees that an item is there or about to appear. moodycamel may miss an item that another
    // thread is just publishing, so try again.
    while (!queue_.try_dequeue(item)) {
      if (closed_.load() && queued_.load() == 0) {
        items_.signal();
        return std::nullopt;
      }
    }
    queued_.fetch_sub(1);
    slots_.signal();
    return item;
  }

  const uint32_t capacity_;
  moodycamel::ConcurrentQueue<T> queue_;
  moodycamel::LightweightSemaphore slots_;
  moodycamel::LightweightSemaphore items_;
  moodycamel::LightweightSemaphore filled_;  // awaited_ was reached, or the queue closed
  std::atomic<int64_t> awaited_ = kNoSize;
  std::atomic<int64_t> queued_ = 0;
  std::atomic<bool> closed_ = false;
};

}  // namespace crivello
