// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <utility>

#include "base/mutex.h"

namespace crivello::page {

// Bounds the memory of the pages that threads read at the same time. A tree takes up to ten times the size of
// its page, and a response of a few kB may decompress to the maximum page size. Thread-safe.
class ReadingRoom {
 public:
  explicit ReadingRoom(uint64_t bytes) : bytes_(bytes) {}
  ReadingRoom(const ReadingRoom&) = delete;
  ReadingRoom& operator=(const ReadingRoom&) = delete;

  // A reservation of memory, released by the destructor.
  class Seat {
   public:
    Seat() = default;
    Seat(Seat&& other) noexcept : room_(std::exchange(other.room_, nullptr)), bytes_(other.bytes_) {}
    Seat& operator=(Seat&& other) noexcept {
      std::swap(room_, other.room_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Seat() {
      if (room_ != nullptr) room_->Leave(bytes_);
    }

   private:
    friend class ReadingRoom;
    Seat(ReadingRoom& room, uint64_t bytes) : room_(&room), bytes_(bytes) {}
    ReadingRoom* room_ = nullptr;
    uint64_t bytes_ = 0;
  };

  // Waits until there is room. A page that needs more than the whole room is read alone. REQUIRES: the thread
  // has no seat.
  Seat Enter(uint64_t bytes) {
    bytes = std::min(bytes, bytes_);
    MutexLock lock(mu_);
    left_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return taken_ + bytes <= bytes_; });
    taken_ += bytes;
    return {*this, bytes};
  }

 private:
  void Leave(uint64_t bytes) {
    MutexLock lock(mu_);
    taken_ -= bytes;
    left_.notify_all();
  }

  const uint64_t bytes_;
  Mutex mu_;
  std::condition_variable_any left_;
  uint64_t taken_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace crivello::page
