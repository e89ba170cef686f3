// SPDX-License-Identifier: Apache-2.0
#include "sieve/signature_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace crivello::sieve {
namespace {

constexpr size_t kSmallPart = 1 << 14;
constexpr size_t kInsertion = 24;
constexpr unsigned kMaxDigitBits = 10;

struct Digit {
  unsigned shift;
  uint64_t mask;
  size_t of(uint64_t signature) const { return static_cast<size_t>((signature >> shift) & mask); }
};

// The digit of `bits` bits starting at the highest bit in which the keys differ. REQUIRES: two keys differ.
Digit TopDigit(uint64_t differing, unsigned bits) {
  const auto width = static_cast<unsigned>(std::bit_width(differing));
  return {.shift = width > bits ? width - bits : 0, .mask = (uint64_t{1} << bits) - 1};
}

uint64_t DifferingBits(std::span<const uint64_t> keys) {
  uint64_t differing = 0;
  for (const uint64_t key : keys) differing |= key ^ keys[0];
  return differing;
}

using Starts = std::array<uint32_t, (size_t{1} << kMaxDigitBits) + 1>;

// Where the keys of each digit start.
void CountDigits(std::span<const uint64_t> keys, Digit digit, Starts& starts) {
  std::fill_n(starts.begin(), digit.mask + 2, uint32_t{0});
  for (const uint64_t key : keys) starts[digit.of(key) + 1]++;
  for (size_t d = 1; d <= digit.mask + 1; d++) starts[d] += starts[d - 1];
}

}  // namespace

void SignatureSort::SortPart(Part part, Part scratch) {
  if (part.size <= kInsertion) {
    for (size_t i = 1; i < part.size; i++) {
      const uint64_t signature = part.signatures[i];
      const uint32_t position = part.positions[i];
      size_t j = i;
      for (; j > 0 && part.signatures[j - 1] > signature; j--) {
        part.signatures[j] = part.signatures[j - 1];
        part.positions[j] = part.positions[j - 1];
      }
      part.signatures[j] = signature;
      part.positions[j] = position;
    }
    return;
  }
  const std::span<const uint64_t> keys(part.signatures, part.size);
  const uint64_t differing = DifferingBits(keys);
  if (differing == 0) return;
  // Parts of about four keys, if the bits are uniform.
  const unsigned bits = std::clamp(static_cast<unsigned>(std::bit_width(part.size)) - 2, 1u, kMaxDigitBits);
  const Digit digit = TopDigit(differing, bits);
  Starts starts;
  CountDigits(keys, digit, starts);
  Starts next = starts;
  for (size_t i = 0; i < part.size; i++) {
    const uint32_t to = next[digit.of(part.signatures[i])]++;
    scratch.signatures[to] = part.signatures[i];
    scratch.positions[to] = part.positions[i];
  }
  std::memcpy(part.signatures, scratch.signatures, part.size * sizeof(uint64_t));
  std::memcpy(part.positions, scratch.positions, part.size * sizeof(uint32_t));
  for (size_t d = 0; d <= digit.mask; d++) {
    const size_t size = starts[d + 1] - starts[d];
    if (size > 1) {
      SortPart({part.signatures + starts[d], part.positions + starts[d], size},
               {scratch.signatures, scratch.positions, size});
    }
  }
}

void SignatureSort::Sort(std::span<uint64_t> keys) {
  assert(keys.size() < uint64_t{1} << 32);
  signatures_.resize(keys.size());
  positions_.resize(keys.size());
  if (keys.empty()) return;
  small_signatures_.resize(kSmallPart);
  small_positions_.resize(kSmallPart);

  const unsigned bits =
      std::clamp(static_cast<unsigned>(std::bit_width(keys.size() / kInsertion)), 1u, kMaxDigitBits);
  const Digit digit = TopDigit(DifferingBits(keys) | 1, bits);
  Starts starts;
  CountDigits(keys, digit, starts);
  Starts next = starts;
  for (size_t i = 0; i < keys.size(); i++) {
    const uint32_t to = next[digit.of(keys[i])]++;
    signatures_[to] = keys[i];
    positions_[to] = static_cast<uint32_t>(i);
  }
  for (size_t d = 0; d <= digit.mask; d++) {
    const size_t begin = starts[d];
    const size_t size = starts[d + 1] - begin;
    const Part part = {signatures_.data() + begin, positions_.data() + begin, size};
    if (size <= kSmallPart) {
      SortPart(part, {small_signatures_.data(), small_positions_.data(), size});
    } else {
      if (large_positions_.size() < size) large_positions_.resize(size);
      SortPart(part, {keys.data(), large_positions_.data(), size});
    }
  }
}

void SignatureSort::Deduplicate() {
  size_t kept = 0;
  for (size_t i = 0; i < signatures_.size(); i++) {
    if (i > 0 && signatures_[i] == signatures_[kept - 1]) continue;
    signatures_[kept] = signatures_[i];
    positions_[kept] = positions_[i];
    kept++;
  }
  signatures_.resize(kept);
  positions_.resize(kept);
}

}  // namespace crivello::sieve
