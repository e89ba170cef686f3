// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace crivello::dedup {

// Disjoint sets of the numbers [0, size), which any number of threads can unite at once without a lock
// (Anderson, Woll: Wait-free parallel algorithms for the union-find problem, 1991; here a root is linked to
// the lesser root).
//
// Invariant: the parent of a number is not greater than the number. So parents never form a cycle, and once
// all unions have returned, the root of a set is its least number, regardless of order and threads: the
// result is deterministic. Links go by number instead of rank, so a path may be long; path halving keeps it
// short in practice. 4 bytes per number.
class UnionFind {
 public:
  explicit UnionFind(uint32_t size) : size_(size), parents_(new std::atomic<uint32_t>[size]) {
    for (uint32_t i = 0; i < size; i++) parents_[i].store(i, std::memory_order_relaxed);
  }

  uint32_t size() const { return size_; }

  // The root of a number's set at some moment during the call; once no union is running, the least number of
  // the set. Thread-safe.
  uint32_t Find(uint32_t number) {
    for (;;) {
      uint32_t parent = parents_[number].load(std::memory_order_relaxed);
      if (parent == number) return number;
      // A grandparent stays an ancestor forever, so a failed relaxed exchange only leaves the path longer.
      const uint32_t grandparent = parents_[parent].load(std::memory_order_relaxed);
      if (grandparent != parent) {
        parents_[number].compare_exchange_weak(parent, grandparent, std::memory_order_relaxed);
      }
      number = grandparent;
    }
  }

  // Thread-safe.
  void Unite(uint32_t a, uint32_t b) {
    for (;;) {
      a = Find(a);
      b = Find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      // Only a root may be linked: if a has got a parent meanwhile, find its new root.
      uint32_t expected = a;
      if (parents_[a].compare_exchange_strong(expected, b, std::memory_order_relaxed)) return;
    }
  }

 private:
  uint32_t size_;
  std::unique_ptr<std::atomic<uint32_t>[]> parents_;
};

}  // namespace crivello::dedup
