// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace crivello::graph {

// Zeroed bytes to read and write at random, which need not fit in memory.  Threads may write different bytes
// at the same time.
class CounterMemory {
 public:
  // In memory, in large pages where the system has them.  Unavailable if there is not enough.
  static Result<CounterMemory> InMemory(uint64_t size_bytes);
  // In a file in this folder that has no name and goes away with the object or the process.  The system keeps
  // in memory what is in use.  Room on the disk is taken at once: IoError if there is not enough.
  static Result<CounterMemory> OnDisk(const std::string& folder, uint64_t size_bytes);

  CounterMemory() = default;
  CounterMemory(CounterMemory&& other) noexcept;
  CounterMemory& operator=(CounterMemory&& other) noexcept;
  ~CounterMemory();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }

 private:
  CounterMemory(std::byte* data, uint64_t size) : data_(data), size_(size) {}

  std::byte* data_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace crivello::graph
