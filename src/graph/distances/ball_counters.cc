// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/ball_counters.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "graph/distances/byte_registers.h"
#include "succinct/hyper_log_log_max.h"

namespace crivello::graph {
namespace {

succinct::HyperLogLogShape ShapeOf(uint64_t nodes, unsigned log_registers) {
  return {.log_registers = log_registers, .width = BallCounters::kPackedWidth, .counters = nodes};
}
size_t CounterBytes(const succinct::HyperLogLogShape& shape, bool packed) {
  return packed ? 8 * size_t{shape.words_per_counter()} : shape.registers();
}
constexpr size_t kPackedPad = 8;  // MaxBySimd reads a word beyond a counter

// Converts eight registers of 5 bits, starting at a byte boundary, to eight bytes.  Each step moves the upper
// half of each group to its place.  REQUIRES: 8 bytes can be read.
uint64_t EightRegisters(const std::byte* packed) {
  uint64_t x = 0;
  std::memcpy(&x, packed, sizeof x);
  x = (x & 0xfffff) | (x & 0xfffff00000) << 12;
  x = (x & 0x000003ff000003ff) | (x & 0x000ffc00000ffc00) << 6;
  return (x & 0x001f001f001f001f) | (x & 0x03e003e003e003e0) << 3;
}

}  // namespace

uint64_t BallCounters::SizeBytes(uint64_t nodes, unsigned log_registers, bool packed) {
  return nodes * CounterBytes(ShapeOf(nodes, log_registers), packed) + (packed ? 2 * kPackedPad : 0);
}

Result<BallCounters> BallCounters::Create(const Options& options) {
  BallCounters counters;
  counters.shape_ = ShapeOf(options.nodes, options.log_registers);
  counters.packed_ = options.packed;
  counters.counter_bytes_ = CounterBytes(counters.shape_, options.packed);
  counters.pad_ = options.packed ? kPackedPad : 0;
  const uint64_t size = SizeBytes(options.nodes, options.log_registers, options.packed);
  if (options.folder.empty()) {
    CRV_ASSIGN(counters.memory_, CounterMemory::InMemory(size));
  } else {
    CRV_ASSIGN(counters.memory_, CounterMemory::OnDisk(options.folder, size));
  }
  return counters;
}

void BallCounters::Reset(uint64_t begin, uint64_t end, uint64_t seed) {
  // Maps nodes to positions of a sequence of words that are far apart for different seeds.
  const uint64_t first = Mix64(seed ^ 0x6a09e667f3bcc909u);
  constexpr unsigned kGreatest = (1u << kPackedWidth) - 1;
  if (begin < end) std::memset(At(static_cast<Node>(begin)), 0, (end - begin) * counter_bytes_);
  for (uint64_t node = begin; node < end; node++) {
    const uint64_t hash = Mix64(first + node * 0x9e3779b97f4a7c15u);
    const auto j = static_cast<unsigned>(hash & (shape_.registers() - 1));
    const auto zeros = static_cast<unsigned>(std::countr_zero(hash >> shape_.log_registers));
    const unsigned rank = std::min(zeros + 1, kGreatest);
    std::byte* const counter = At(static_cast<Node>(node));
    if (packed_) {
      succinct::SetRegister(reinterpret_cast<uint64_t*>(counter), j, kPackedWidth, rank);
    } else {
      counter[j] = static_cast<std::byte>(rank);
    }
  }
}

bool BallCounters::Unite(Node node, std::span<const Node> others, Buffer& buffer) const {
  uint64_t* const to = buffer.words_.data() + 1;
  std::memcpy(to, At(node), counter_bytes_);
  if (!packed_) {
    UniteByteCounters(reinterpret_cast<uint8_t*>(to), counter_bytes_,
                      reinterpret_cast<const uint8_t*>(memory_.data()), others);
    return std::memcmp(to, At(node), counter_bytes_) != 0;
  }
  bool changed = false;
  for (const Node other : others) {
    changed |= succinct::MaxBySimd(to, reinterpret_cast<const uint64_t*>(At(other)),
                                   shape_.words_per_counter(), kPackedWidth);
  }
  return changed;
}

double BallCounters::EstimateBytes(const std::byte* counter, Buffer& buffer) const {
  const auto* registers = reinterpret_cast<const uint8_t*>(counter);
  if (packed_) {
    static_assert(std::endian::native == std::endian::little && kPackedWidth == 5);
    for (unsigned j = 0; j < shape_.registers(); j += 8) {
      const uint64_t eight = EightRegisters(counter + j / 8 * kPackedWidth);
      std::memcpy(buffer.registers_.data() + j, &eight, sizeof eight);
    }
    registers = buffer.registers_.data();
  }
  const RegisterSum sum = SumByteRegisters(registers, shape_.registers());
  return shape_.EstimateFrom(static_cast<double>(sum.inverse_powers) * 0x1p-31, sum.empty);
}

double BallCounters::Estimate(Buffer& buffer) const {
  return EstimateBytes(reinterpret_cast<const std::byte*>(buffer.words_.data() + 1), buffer);
}

double BallCounters::EstimateOf(Node node, Buffer& buffer) const { return EstimateBytes(At(node), buffer); }

void BallCounters::Set(Node node, std::span<const std::byte> bytes) {
  std::memcpy(At(node), bytes.data(), counter_bytes_);
}

}  // namespace crivello::graph
