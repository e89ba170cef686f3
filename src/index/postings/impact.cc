// SPDX-License-Identifier: Apache-2.0
#include "index/postings/impact.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace crivello::index {
namespace {

constexpr unsigned kMantissa = 4;
constexpr uint32_t kExact = 2u << kMantissa;  // codes below this are the values themselves
constexpr uint8_t kLastCode = 255;
constexpr uint32_t kNone = ~uint32_t{0};

}  // namespace

uint8_t CodeOfLength(uint32_t x) {
  if (x < kExact) return static_cast<uint8_t>(x);
  const auto shift = static_cast<unsigned>(std::bit_width(x)) - 1 - kMantissa;  // from 1 on
  return static_cast<uint8_t>(std::min<uint32_t>((shift << kMantissa) + (x >> shift), kLastCode));
}

uint32_t LengthOfCode(uint8_t code) {
  if (code < kExact) return code;
  const unsigned shift = (code >> kMantissa) - 1u;
  return (code - (shift << kMantissa)) << shift;
}

uint8_t CodeOfLargeCount(uint32_t x) {
  const uint8_t below = CodeOfLength(x);
  return static_cast<uint8_t>(below + (below < kLastCode && LengthOfCode(below) < x ? 1 : 0));
}

uint32_t CountOfCode(uint8_t code) { return code < kLastCode ? LengthOfCode(code) : kNone; }

void AppendImpacts(const ImpactBlock& block, std::vector<uint8_t>* out) {
  for (const Impact& impact : block) {
    out->push_back(CodeOfCount(impact.count));
    out->push_back(CodeOfLength(impact.length));
  }
}

ImpactBlock ReadImpacts(const std::byte* from) {
  ImpactBlock block;
  for (Impact& impact : block) {
    impact = {CountOfCode(static_cast<uint8_t>(from[0])), LengthOfCode(static_cast<uint8_t>(from[1]))};
    from += 2;
  }
  return block;
}

ImpactCollector::ImpactCollector(uint32_t mean_length) : mean_length_(std::clamp(mean_length, 1u, 1u << 20)) {
  least_length_.fill(kNone);
}

// BM25 with k1 = 1.2 and b = 3/4, in units of 2^-20: c / (c + 0.3 + 0.9 length / mean).  Uses integers,
// because the bytes of an index depend on it.
uint64_t ImpactCollector::Bound(const Impact& impact) const {
  const uint64_t count = 10 * mean_length_ * std::min(impact.count, 1u << 16);
  const uint64_t length = 3 * mean_length_ + 9 * uint64_t{impact.length};
  return (count << 20) / (count + length);
}

// Merges neighbours of the front until at most `most` are left; returns how many are left.  Neighbours (c,
// l), (c', l') with c > c' and l > l' become (c, l'), which dominates both.  Only the largest bound matters,
// so the pair with the smallest merged bound goes first, whatever its own bounds were.
size_t ImpactCollector::MergeDownTo(size_t most, std::span<Impact> front) const {
  if (front.size() <= most) return front.size();
  std::array<uint64_t, 256> bounds;  // of each element merged with the next
  size_t size = front.size();
  for (size_t i = 0; i + 1 < size; i++) bounds[i] = Bound({front[i].count, front[i + 1].length});
  for (; size > most; size--) {
    const auto best =
        static_cast<size_t>(std::min_element(bounds.data(), bounds.data() + size - 1) - bounds.data());
    front[best].length = front[best + 1].length;
    std::copy(front.data() + best + 2, front.data() + size, front.data() + best + 1);
    std::copy(bounds.data() + best + 1, bounds.data() + size - 1, bounds.data() + best);
    if (best > 0) bounds[best - 1] = Bound({front[best - 1].count, front[best].length});
    if (best + 2 < size) bounds[best] = Bound({front[best].count, front[best + 1].length});
  }
  return size;
}

ImpactBlock ImpactCollector::Finish() {
  std::array<Impact, 256> front;  // counts and lengths decrease
  size_t size = 0;
  for (size_t word = used_.size(); word-- > 0; used_[word] = 0) {
    for (uint64_t used = used_[word]; used != 0;) {
      const auto bit = static_cast<size_t>(std::bit_width(used)) - 1;
      used ^= uint64_t{1} << bit;
      uint32_t& least = least_length_[64 * word + bit];
      const Impact impact = {CountOfCode(static_cast<uint8_t>(64 * word + bit)),
                             LengthOfCode(CodeOfLength(least))};
      least = kNone;
      if (size == 0 || impact.length < front[size - 1].length) front[size++] = impact;
    }
  }
  size = MergeDownTo(kMaxImpacts, std::span(front).first(size));
  ImpactBlock block;
  for (size_t i = 0; i < kMaxImpacts && size > 0; i++) block[i] = front[std::min(i, size - 1)];
  return block;
}

}  // namespace crivello::index
