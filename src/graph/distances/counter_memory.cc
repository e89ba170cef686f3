// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/counter_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace crivello::graph {

Result<CounterMemory> CounterMemory::InMemory(uint64_t size_bytes) {
  if (size_bytes == 0) return CounterMemory();
  void* const data =
      mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    return Status::Unavailable(
        fmt::format("not enough memory for {} bytes of counters; give a smaller memory limit", size_bytes));
  }
#ifdef MADV_HUGEPAGE
  madvise(data, size_bytes, MADV_HUGEPAGE);  // counters are read at random; this is only a hint
#endif
  return CounterMemory(static_cast<std::byte*>(data), size_bytes);
}

Result<CounterMemory> CounterMemory::OnDisk(const std::string& folder, uint64_t size_bytes) {
  if (size_bytes == 0) return CounterMemory();
  std::string path = folder + "/counters-XXXXXX";
  const int fd = mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) return Status::FromErrno("create a scratch file for counters", path, errno);
  unlink(path.c_str());
  // If the disk was full, writing to the mapping would raise a signal instead of an error.
  if (const int error = posix_fallocate(fd, 0, static_cast<off_t>(size_bytes)); error != 0) {
    close(fd);
    return Status::FromErrno(fmt::format("take {} bytes of disk for counters", size_bytes), folder, error);
  }
  void* const data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int error = errno;
  close(fd);  // the mapping keeps the file
  if (data == MAP_FAILED) return Status::FromErrno("map a scratch file for counters", path, error);
  return CounterMemory(static_cast<std::byte*>(data), size_bytes);
}

CounterMemory::CounterMemory(CounterMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

CounterMemory& CounterMemory::operator=(CounterMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

CounterMemory::~CounterMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace crivello::graph
