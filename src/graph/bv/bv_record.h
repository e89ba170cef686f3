// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "graph/bv/bv_format.h"
#include "graph/bv/node_list.h"

namespace crivello::graph {

// The record of a node in a BVGraph (Boldi, Vigna: The WebGraph framework I, 2004): its outdegree, the
// distance to its reference, the blocks that it copies from that list, and its other successors, as intervals
// and residuals.  docs/formats/bvgraph.md.

// The kinds of damage in a record.
enum class BvDamage : uint8_t {
  kNone,
  kOutdegree,  // more successors than nodes
  kReference,  // outside the window, before node 0, or with too long a chain
  kBlocks,     // copies more than the reference or this list has
  kIntervals,  // with more successors than the list has, or outside the graph
  kResiduals,  // outside the graph
  kRepeated,   // a successor twice
  kBits,       // the end of the stream, or an invalid codeword
  kArcs,       // more arcs than the properties say
};
const char* Describe(BvDamage damage);

// The parameters for reading a record.
struct BvShape {
  uint64_t nodes = 0;
  uint32_t window = 0;
  uint32_t min_interval = 0;
};

// Reusable memory for decoding.
struct BvScratch {
  NodeList copied;
  NodeList merged;
};

// The first two numbers of a record.
struct BvHead {
  uint64_t outdegree = 0;
  uint64_t reference = 0;  // 0: none
  BvDamage damage = BvDamage::kNone;
};

template <typename Source>
[[gnu::always_inline]] inline BvHead ReadBvHead(Source& source, const BvShape& shape, uint64_t node) {
  BvHead head;
  head.outdegree = source.Outdegree();
  if (head.outdegree == 0) {
    if (!source.ok()) [[unlikely]]
      head.damage = BvDamage::kBits;
    return head;
  }
  if (head.outdegree > shape.nodes) [[unlikely]] {
    head.damage = BvDamage::kOutdegree;
    return head;
  }
  if (shape.window == 0) return head;
  head.reference = source.Reference();
  if (head.reference > shape.window || head.reference > node) [[unlikely]] {
    head.damage = BvDamage::kReference;
  }
  return head;
}

namespace internal {

// Copies n nodes, and up to 7 more from and to the slack of both lists.
[[gnu::always_inline]] inline Node* CopyNodes(const Node* from, size_t n, Node* to) {
  for (size_t i = 0; i < n; i += 8) std::memcpy(to + i, from + i, 8 * sizeof(Node));
  return to + n;
}

// Merges a sorted base with increasing nodes that arrive one by one.
class Merge {
 public:
  Merge(const Node* base, Node* to) : base_(base), to_(to) {}
  // Copies the elements of the base below `node`.
  [[gnu::always_inline]] void TakeBelow(Node node) {
    while (*base_ < node) *to_++ = *base_++;
  }
  [[gnu::always_inline]] void Add(Node node) { *to_++ = node; }
  // The next element of the base; NodeList::kEnd at its end.
  Node next() const { return *base_; }
  const Node* base() const { return base_; }
  Node* to() const { return to_; }

 private:
  const Node* base_;
  Node* to_;
};

}  // namespace internal

// Reads the rest of a record, after its head, and builds the list of the node.  `reference` is the list of
// the node that the head refers to (ignored without a reference).  Costs a few operations per number and
// successor; touches nothing outside the lists, whatever the bits are. REQUIRES: head.outdegree > 0,
// head.damage is none; `list` and `reference` are different objects.
template <typename Source>
[[gnu::always_inline]] inline BvDamage DecodeBvRecord(Source& at, const BvShape& shape, uint64_t node,
                                                      const BvHead& head, const NodeList& reference,
                                                      BvScratch& scratch, NodeList& list) {
  using internal::CopyNodes;
  using internal::Merge;
  Source source = at;
  uint64_t left = head.outdegree;
  static constexpr Node kNothing[8] = {NodeList::kEnd, 0, 0, 0, 0, 0, 0, 0};
  const Node* base = kNothing;
  uint64_t base_size = 0;
  bool repeated = false;

  if (head.reference != 0) {
    const uint64_t blocks = source.BlockCount();
    if (blocks == 0) {
      base = reference.data();
      base_size = reference.size();
      if (base_size > left) return BvDamage::kBlocks;
    } else {
      // Alternating blocks to copy and to skip; the first may be empty, the others have at least 1 element.
      const Node* from = reference.data();
      uint64_t rest = reference.size();
      Node* const copied = scratch.copied.Reserve(rest < left ? rest : left);
      Node* to = copied;
      bool copying = true;
      for (uint64_t i = 0; i < blocks; i++) {
        const uint64_t length = source.Block() + (i > 0 ? 1 : 0);
        if (length > rest || (copying && length > left - static_cast<uint64_t>(to - copied))) {
          return BvDamage::kBlocks;
        }
        if (copying) to = CopyNodes(from, length, to);
        from += length;
        rest -= length;
        copying = !copying;
      }
      if (copying) {
        if (rest > left - static_cast<uint64_t>(to - copied)) return BvDamage::kBlocks;
        to = CopyNodes(from, rest, to);
      }
      base_size = static_cast<uint64_t>(to - copied);
      scratch.copied.SetSize(base_size);
      base = copied;
    }
    left -= base_size;
    if (left == 0) {
      at = source;
      if (!source.ok()) return BvDamage::kBits;
      if (blocks != 0) {
        swap(list, scratch.copied);
      } else {
        CopyNodes(base, base_size, list.Reserve(base_size));
        list.SetSize(base_size);
      }
      return BvDamage::kNone;
    }
  }

  if (shape.min_interval != 0) {
    const uint64_t intervals = source.Interval();
    if (intervals > 0) {
      if (intervals > left / shape.min_interval) return BvDamage::kIntervals;
      Merge merge(base, scratch.merged.Reserve(base_size + left));
      const uint64_t first = source.Interval();
      // The unsigned sum wraps like a signed one: a negative start becomes far larger than any node.
      uint64_t begin = node + (first >> 1 ^ (~(first & 1) + 1));
      for (uint64_t i = 0;;) {
        const uint64_t length = source.Interval() + shape.min_interval;
        if (length > left || begin > shape.nodes || length > shape.nodes - begin) return BvDamage::kIntervals;
        merge.TakeBelow(static_cast<Node>(begin));
        const uint64_t end = begin + length;
        repeated |= merge.next() < end;
        for (uint64_t x = begin; x < end; x++) merge.Add(static_cast<Node>(x));
        left -= length;
        if (++i == intervals) break;
        const uint64_t gap = source.Interval();
        if (gap >= shape.nodes) return BvDamage::kIntervals;
        begin = end + 1 + gap;
      }
      const auto merged = static_cast<uint64_t>(merge.to() - scratch.merged.data());
      base_size = head.outdegree - left;
      CopyNodes(merge.base(), base_size - merged, merge.to());
      scratch.merged.SetSize(base_size);
      base = scratch.merged.data();
      if (left == 0) {
        at = source;
        if (!source.ok()) return BvDamage::kBits;
        swap(list, scratch.merged);
        return repeated ? BvDamage::kRepeated : BvDamage::kNone;
      }
    }
  }

  Node* const out = list.Reserve(head.outdegree);
  Merge merge(base, out);
  const uint64_t first = source.Residual();
  uint64_t residual = node + (first >> 1 ^ (~(first & 1) + 1));
  for (;;) {
    if (residual >= shape.nodes) return BvDamage::kResiduals;
    merge.TakeBelow(static_cast<Node>(residual));
    repeated |= merge.next() == static_cast<Node>(residual);
    merge.Add(static_cast<Node>(residual));
    if (--left == 0) break;
    const uint64_t gap = source.Residual();
    if (gap >= shape.nodes) return BvDamage::kResiduals;
    residual += gap + 1;
  }
  at = source;
  CopyNodes(merge.base(), head.outdegree - static_cast<uint64_t>(merge.to() - out), merge.to());
  list.SetSize(head.outdegree);
  if (!source.ok()) return BvDamage::kBits;
  return repeated ? BvDamage::kRepeated : BvDamage::kNone;
}

// Skips the rest of a record.  `reference_size` is the outdegree of the node that the head refers to.
// REQUIRES: head.outdegree > 0, head.damage is none.
template <typename Source>
BvDamage SkipBvRecord(Source& at, const BvShape& shape, const BvHead& head, uint64_t reference_size) {
  Source source = at;
  uint64_t left = head.outdegree;
  if (head.reference != 0) {
    const uint64_t blocks = source.BlockCount();
    uint64_t rest = reference_size;
    uint64_t copied = 0;
    for (uint64_t i = 0; i < blocks; i++) {
      const uint64_t length = source.Block() + (i > 0 ? 1 : 0);
      if (length > rest) return BvDamage::kBlocks;
      if (i % 2 == 0) copied += length;
      rest -= length;
    }
    if (blocks % 2 == 0) copied += rest;
    if (copied > left) return BvDamage::kBlocks;
    left -= copied;
  }
  if (left > 0 && shape.min_interval != 0) {
    const uint64_t intervals = source.Interval();
    if (intervals > left / shape.min_interval) return BvDamage::kIntervals;
    for (uint64_t i = 0; i < intervals; i++) {
      source.Interval();
      const uint64_t length = source.Interval() + shape.min_interval;
      if (length > left) return BvDamage::kIntervals;
      left -= length;
    }
  }
  for (; left > 0 && source.ok(); left--) source.Residual();
  at = source;
  return source.ok() ? BvDamage::kNone : BvDamage::kBits;
}

}  // namespace crivello::graph
