// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/distances/counter_memory.h"
#include "graph/graph.h"
#include "succinct/hyper_log_log.h"

namespace crivello::graph {

// A HyperLogLog counter for each node of a graph.  Registers have the same values whether stored as bytes or
// packed: ranks above 31, which 2^32 nodes do not reach, count as 31.  Different threads may write different
// counters.
class BallCounters {
 public:
  struct Options {
    uint64_t nodes = 0;
    unsigned log_registers = 4;
    bool packed = false;
    std::string folder = {};  // empty: in memory; otherwise on disk, in this folder
  };
  static constexpr unsigned kPackedWidth = 5;

  // The size of all counters.
  static uint64_t SizeBytes(uint64_t nodes, unsigned log_registers, bool packed);
  static Result<BallCounters> Create(const Options& options);

  // The working memory in which a thread computes a union.
  class Buffer {
   public:
    explicit Buffer(const BallCounters& counters)
        : words_(counters.counter_bytes() / 8 + 2), registers_(counters.shape_.registers()) {}

   private:
    friend class BallCounters;
    std::vector<uint64_t> words_;     // a counter from word 1 on: MaxBySimd reads beyond its ends
    std::vector<uint8_t> registers_;  // for a packed counter
  };

  // Sets the counter of each node in a range to that of the set {node}.
  void Reset(uint64_t begin, uint64_t end, uint64_t seed);
  // Computes the union of the sets of a node and of others in the buffer; returns whether it is larger than
  // the node's set.  Does not change the node's counter.
  bool Unite(Node node, std::span<const Node> others, Buffer& buffer) const;
  // The bytes of the counter in the buffer, and its estimated number of elements.
  std::span<const std::byte> Bytes(const Buffer& buffer) const {
    return std::as_bytes(std::span(buffer.words_)).subspan(8, counter_bytes_);
  }
  double Estimate(Buffer& buffer) const;
  // The same for the counter of a node.
  double EstimateOf(Node node, Buffer& buffer) const;
  // Sets the counter of a node to bytes returned by Bytes().
  void Set(Node node, std::span<const std::byte> bytes);

  size_t counter_bytes() const { return counter_bytes_; }
  const succinct::HyperLogLogShape& shape() const { return shape_; }

 private:
  std::byte* At(Node node) { return memory_.data() + pad_ + node * counter_bytes_; }
  const std::byte* At(Node node) const { return memory_.data() + pad_ + node * counter_bytes_; }
  double EstimateBytes(const std::byte* counter, Buffer& buffer) const;

  succinct::HyperLogLogShape shape_;
  bool packed_ = false;
  size_t counter_bytes_ = 0;
  size_t pad_ = 0;  // before the first counter and after the last one
  CounterMemory memory_;
};

}  // namespace crivello::graph
