// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace crivello::html {

// Memory that is allocated piece by piece and freed all at once: the names, values and texts of a page.
// Allocated bytes never move. An allocation only advances a pointer; a chunk is a system allocation of
// kChunkBytes, or of the requested size if that is larger. Owns its memory. One thread at a time.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept {
    chunks_ = std::exchange(other.chunks_, {});
    next_ = std::exchange(other.next_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    return *this;
  }

  // Uninitialised memory, aligned to `align` (a power of two, at most alignof(max_align_t)).
  char* Allocate(size_t bytes, size_t align = 1) {
    const size_t pad = (align - reinterpret_cast<size_t>(next_) % align) % align;
    if (bytes + pad > static_cast<size_t>(end_ - next_)) return AllocateChunk(bytes);
    char* result = next_ + pad;
    next_ = result + bytes;
    return result;
  }

  template <typename T>
  T* AllocateArray(size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    return reinterpret_cast<T*>(Allocate(n * sizeof(T), alignof(T)));
  }

  std::string_view Copy(std::string_view bytes) {
    if (bytes.empty()) return {};
    char* to = Allocate(bytes.size());
    std::memcpy(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
  }

  // Extends the allocation that ends at `end` by `bytes`, if it was the last one and there is room.
  bool Extend(const char* end, size_t bytes) {
    if (end != next_ || bytes > static_cast<size_t>(end_ - next_)) return false;
    next_ += bytes;
    return true;
  }

  // Frees all allocations; keeps the first chunk for reuse.
  void Reset() {
    if (chunks_.empty()) return;
    if (chunks_.size() > 1) chunks_.resize(1);
    next_ = chunks_[0].bytes.get();
    end_ = next_ + chunks_[0].size;
  }

  // The memory held, in bytes.
  size_t size_bytes() const {
    size_t sum = 0;
    for (const Chunk& chunk : chunks_) sum += chunk.size;
    return sum;
  }

 private:
  static constexpr size_t kChunkBytes = 64 << 10;
  struct Chunk {
    std::unique_ptr<char[]> bytes;
    size_t size;
  };

  // new char[] is aligned for every fundamental type. The rest of the last chunk is wasted: less than the
  // failed allocation. A large allocation gets its own chunk, and the last chunk stays in use.
  char* AllocateChunk(size_t bytes) {
    const bool own = bytes > kChunkBytes / 2 && !chunks_.empty();
    const size_t size = own || bytes > kChunkBytes ? bytes : kChunkBytes;
    chunks_.push_back({std::unique_ptr<char[]>(new char[size]), size});
    char* result = chunks_.back().bytes.get();
    if (!own) {
      next_ = result + bytes;
      end_ = result + size;
    }
    return result;
  }

  std::vector<Chunk> chunks_;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace crivello::html
