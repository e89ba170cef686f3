// SPDX-License-Identifier: Apache-2.0
#include "succinct/bloom_layout.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace crivello::succinct {
namespace {

constexpr double kLine = static_cast<double>(BloomShape::kLineBits);
constexpr unsigned kMaxBlockedProbes = 24;  // slightly more than the least error needs

uint64_t WholeLines(double bits) {
  return static_cast<uint64_t>(std::max(1.0, std::ceil(bits / kLine))) * BloomShape::kLineBits;
}

uint64_t Ones(std::span<const uint64_t> words) {
  uint64_t ones = 0;
  for (const uint64_t word : words) ones += static_cast<uint64_t>(std::popcount(word));
  return ones;
}

// The error of a blocked filter with an average of so many keys per block: the mean error of a one-block
// Bloom filter whose number of keys has a Poisson distribution.
double BlockedError(double keys_per_block, unsigned probes) {
  if (keys_per_block > 128 * kLine) return 1;  // no zero is left; also guards against a damaged header
  const double zero = std::log1p(-1 / kLine) * probes;  // log of P(a bit is 0 after one key)
  const double last = keys_per_block + 12 * std::sqrt(keys_per_block) + 30;
  double log_probability = -keys_per_block;
  double error = 0;
  for (double keys = 1; keys <= last; keys++) {
    log_probability += std::log(keys_per_block / keys);
    error += std::exp(log_probability) * std::pow(-std::expm1(zero * keys), probes);
  }
  return error;
}

}  // namespace

BloomShape BloomLayout::For(uint64_t keys, double error) {
  assert(error >= kLeastError && error <= BloomShape::kMostError);
  const double probes = std::clamp(std::round(-std::log2(error)), 1.0, double{BloomShape::kMaxProbes});
  // (1 - e^(-d n / m))^d = error, solved for m: d n / ln 2 if the error is 2^-d.
  const double bits = -probes * static_cast<double>(keys) / std::log1p(-std::pow(error, 1 / probes));
  return {.bits = WholeLines(bits), .probes = static_cast<unsigned>(probes)};
}

double BloomLayout::ErrorFor(const BloomShape& shape, double keys) {
  return std::pow(-std::expm1(-keys * shape.probes / static_cast<double>(shape.bits)), shape.probes);
}

double BloomLayout::ErrorOf(const BloomShape& shape, std::span<const uint64_t> words) {
  return std::pow(static_cast<double>(Ones(words)) / static_cast<double>(shape.bits), shape.probes);
}

BloomShape BlockedBloomLayout::For(uint64_t keys, double error) {
  assert(error >= kLeastError && error <= BloomShape::kMostError);
  // For each number of probes, find the fullest blocks with this error, which grows with the keys per block.
  double most_keys = 0;
  unsigned best = 1;
  for (unsigned probes = 1; probes <= kMaxBlockedProbes; probes++) {
    if (BlockedError(most_keys, probes) > error) continue;
    double low = most_keys;
    double high = kLine * M_LN2 * M_LN2 / -std::log(error);  // the capacity of the best unblocked filter
    while (high - low > 1e-4 * high) {
      const double middle = (low + high) / 2;
      (BlockedError(middle, probes) <= error ? low : high) = middle;
    }
    if (low > most_keys) {
      most_keys = low;
      best = probes;
    }
  }
  return {.bits = WholeLines(static_cast<double>(keys) / most_keys * kLine), .probes = best};
}

double BlockedBloomLayout::ErrorFor(const BloomShape& shape, double keys) {
  return BlockedError(keys * kLine / static_cast<double>(shape.bits), shape.probes);
}

double BlockedBloomLayout::ErrorOf(const BloomShape& shape, std::span<const uint64_t> words) {
  constexpr size_t kLineWords = BloomShape::kLineBits / 64;
  double sum = 0;
  for (size_t at = 0; at + kLineWords <= words.size(); at += kLineWords)
    sum += std::pow(static_cast<double>(Ones(words.subspan(at, kLineWords))) / kLine, shape.probes);
  return sum * kLine / static_cast<double>(shape.bits);
}

}  // namespace crivello::succinct
