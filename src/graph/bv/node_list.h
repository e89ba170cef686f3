// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "graph/graph.h"

namespace crivello::graph {

// A successor list being decoded, in memory that grows and is reused.  It is followed by a number above
// all nodes, so that a merge need not check for the end, and then by room for copying several nodes at a
// time.
class NodeList {
 public:
  static constexpr size_t kSlack = 16;
  static constexpr Node kEnd = ~Node{0};

  NodeList() { Grow(0); }

  // Makes room for `size` nodes; the contents are lost if it must grow.
  [[gnu::always_inline]] Node* Reserve(size_t size) {
    if (size > capacity_) [[unlikely]]
      Grow(size);
    return nodes_.get();
  }
  // REQUIRES: this many were reserved.
  void SetSize(size_t size) {
    assert(size <= capacity_);
    size_ = size;
    nodes_[size] = kEnd;
  }

  const Node* data() const { return nodes_.get(); }
  size_t size() const { return size_; }
  std::span<const Node> span() const { return {nodes_.get(), size_}; }

  friend void swap(NodeList& a, NodeList& b) noexcept {
    std::swap(a.nodes_, b.nodes_);
    std::swap(a.size_, b.size_);
    std::swap(a.capacity_, b.capacity_);
  }

 private:
  [[gnu::noinline]] void Grow(size_t size) {
    capacity_ = std::max({size, capacity_ + capacity_ / 2, size_t{32}});
    nodes_ = std::make_unique<Node[]>(capacity_ + kSlack);
    SetSize(0);
  }

  std::unique_ptr<Node[]> nodes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace crivello::graph
