// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/image.h"
#include "base/status.h"
#include "succinct/rank_select_bits.h"

namespace crivello::succinct {

// A binary tree of n nodes in 2 n + 1 bits, plus what rank and select add (Jacobson: Space-efficient static
// trees and graphs, 1989). The nodes are written level by level, with a one for each node and a zero for each
// missing child: n ones and n + 1 zeros. The node preceded by j ones has its children at 2 j + 1 and 2 j + 2;
// the parent of a node at p is preceded by (p - 1) / 2 ones. There are C(2n, n) / (n + 1) such trees, so any
// representation takes at least 2 n - O(log n) bits.
//
// A node is identified by its position; Rank(node) is its number in level order, 0 to n - 1. All steps take
// constant time. A view of the bits, whose image must outlive it; immutable. Bits that are not a tree give
// wrong results, but every result is the position of a one within the bits.
class SuccinctTree {
 public:
  using Node = uint64_t;

  explicit SuccinctTree(RankSelectBits bits) : bits_(bits) {}

  uint64_t size() const { return bits_.ones(); }
  std::optional<Node> Root() const { return At(0); }
  std::optional<Node> Left(Node node) const { return At(2 * bits_.Rank(node) + 1); }
  std::optional<Node> Right(Node node) const { return At(2 * bits_.Rank(node) + 2); }
  // nullopt for the root.
  std::optional<Node> Parent(Node node) const {
    if (node == 0 || (node - 1) / 2 >= bits_.ones()) return std::nullopt;
    return At(bits_.Select1((node - 1) / 2));
  }
  // The number of a node in level order, as an index into an array with data of the nodes.
  uint64_t Rank(Node node) const { return bits_.Rank(node); }

 private:
  std::optional<Node> At(uint64_t position) const {
    if (position >= bits_.size() || !bits_.Get(position)) return std::nullopt;
    return position;
  }

  RankSelectBits bits_;
};

// The children of a node, as indices of other nodes; negative if missing.
using TreeChildren = std::pair<int64_t, int64_t>;
// Appends the image of the bits (docs/formats/bit-vector.md) of the tree with root node 0; without nodes, the
// empty tree. InvalidArgument unless each other node is a child exactly once.
Status AppendTree(std::span<const TreeChildren> nodes, ImageWriter& image);

}  // namespace crivello::succinct
