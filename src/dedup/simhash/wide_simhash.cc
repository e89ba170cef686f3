// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash/wide_simhash.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crivello::dedup {

void WideSimHash::Add(Signature128 hash, int64_t weight) {
  const auto add = [weight](uint64_t word, int64_t* votes) {
    // Adds the weight if the bit is set, else subtracts it, without a branch.
    for (unsigned bit = 0; bit < 64; bit++) {
      const int64_t sign = static_cast<int64_t>(word >> bit & 1) - 1;  // 0 or -1
      votes[bit] += (weight ^ sign) - sign;
    }
  };
  add(hash.low, votes_.data());
  if (width_ > 64) add(hash.high, votes_.data() + 64);
}

Signature128 WideSimHash::Value() const {
  Signature128 value;
  for (unsigned bit = 0; bit < width_; bit++) {
    if (votes_[bit] > 0) (bit < 64 ? value.low : value.high) |= uint64_t{1} << (bit % 64);
  }
  return value;
}

double EqualBitChance(double cosine) {
  return 1 - std::acos(std::clamp(cosine, -1.0, 1.0)) / std::numbers::pi;
}

double WithinDistanceChance(double cosine, unsigned bits, unsigned distance) {
  const double equal = EqualBitChance(cosine);
  double chance = 0;
  double choices = 1;  // binomial coefficient, bits over i
  for (unsigned i = 0; i <= std::min(distance, bits); i++) {
    chance += choices * std::pow(1 - equal, i) * std::pow(equal, bits - i);
    choices *= static_cast<double>(bits - i) / static_cast<double>(i + 1);
  }
  return std::min(chance, 1.0);
}

}  // namespace crivello::dedup
