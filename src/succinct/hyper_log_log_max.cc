// SPDX-License-Identifier: Apache-2.0
#include "succinct/hyper_log_log_max.h"

#include "succinct/hyper_log_log.h"

namespace crivello::succinct {
namespace {

// x - y - borrow; sets the resulting borrow.
inline uint64_t Subtract(uint64_t x, uint64_t y, bool& borrow) {
  const uint64_t difference = x - y;
  const uint64_t result = difference - borrow;
  borrow = (x < y) | (difference < borrow);
  return result;
}

template <unsigned kWidth>
bool MaxByBroadwordOf(uint64_t* to, const uint64_t* from, unsigned words) {
  constexpr auto kTops = RegisterTops<kWidth>();
  constexpr unsigned kPeriod = MaskPeriod(kWidth);
  bool compare_borrow = false, mask_borrow = false;
  // The top bits of those registers of a word in which `from` is greater.
  const auto greater = [&](unsigned i, unsigned phase) {
    const uint64_t x = to[i], y = from[i], tops = kTops[phase];
    const uint64_t difference = Subtract(x | tops, y & ~tops, compare_borrow);
    return ~((difference | (x ^ y)) ^ (y & ~x)) & tops;
  };
  uint64_t changes = 0;
  uint64_t current = greater(0, 0);
  for (unsigned i = 0, phase = 0; i < words; i++) {
    phase = phase + 1 == kPeriod ? 0 : phase + 1;
    const uint64_t next = i + 1 < words ? greater(i + 1, phase) : 0;
    // Extend each register's top bit to all its bits: minus its lowest bit, plus the top bit.
    const uint64_t bottoms = (current >> (kWidth - 1)) | (next << (65 - kWidth));
    const uint64_t mask = Subtract(current, bottoms, mask_borrow) | current;
    to[i] ^= (to[i] ^ from[i]) & mask;
    changes |= mask;
    current = next;
  }
  return changes != 0;
}

}  // namespace

bool MaxByBroadword(uint64_t* to, const uint64_t* from, unsigned words, unsigned width) {
  return width == 5 ? MaxByBroadwordOf<5>(to, from, words) : MaxByBroadwordOf<6>(to, from, words);
}

bool MaxByRegisters(uint64_t* to, const uint64_t* from, unsigned registers, unsigned width) {
  bool changed = false;
  for (unsigned j = 0; j < registers; j++) {
    const unsigned value = GetRegister(from, j, width);
    if (value > GetRegister(to, j, width)) {
      SetRegister(to, j, width, value);
      changed = true;
    }
  }
  return changed;
}

}  // namespace crivello::succinct
