// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace crivello::graph {

// Zeroed bytes for random reads and writes, which need not fit in memory.  Threads may write different bytes
// at the same time.
class CounterMemory {
 public:
  // In memory, in large pages if available.  Unavailable if there is not enough memory.
  static Result<CounterMemory> InMemory(uint64_t size_bytes);
  // In an unnamed file in this folder, which is deleted with the object or the process.  The system keeps the
  // used parts in memory.  Disk space is allocated at once: IoError if there is not enough.
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
