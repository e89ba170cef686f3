// SPDX-License-Identifier: Apache-2.0
#include "succinct/filter_plan.h"

#include <cmath>
#include <string>

#include "succinct/static_function.h"

namespace crivello::succinct {
namespace {

constexpr uint64_t kMostPlanned = uint64_t{1} << 50;
// Slots per key of the default graph, from 600 thousand keys on (static_function.h); measured by the test.
constexpr double kDictionarySlots = 1.08;

}  // namespace

Result<FilterPlan> PlanFilter(uint64_t keys, double error) {
  if (keys == 0 || keys > kMostPlanned) {
    return Status::InvalidArgument("a filter is planned for 1 to 2^50 keys, got " + std::to_string(keys));
  }
  if (!(error >= BloomLayout::kLeastError && error <= BloomShape::kMostError)) {
    return Status::InvalidArgument("the error of a filter must be from 2^-60 to 1/2, got " +
                                   std::to_string(error));
  }
  FilterPlan plan = {.keys = keys, .error = error, .bloom = BloomLayout::For(keys, error)};
  const auto n = static_cast<double>(keys);
  plan.probes_negative = NegativeProbes(plan.bloom, n);
  if (error >= BlockedBloomLayout::kLeastError) plan.blocked = BlockedBloomLayout::For(keys, error);
  plan.least_bits = n * -std::log2(error);
  const double signature = std::ceil(-std::log2(error));
  if (signature <= kMaxSignatureBits) plan.dictionary_bits = kDictionarySlots * n * signature;
  return plan;
}

double NegativeProbes(const BloomShape& shape, double keys) {
  const double set = -std::expm1(-keys * shape.probes / static_cast<double>(shape.bits));  // P(a bit is one)
  // Probe i + 1 is made if i probes have found ones. Keys that find only ones are positives: take the mean
  // over the others.
  double probes = 0, before = 1;
  for (unsigned i = 0; i < shape.probes; i++) {
    probes += static_cast<double>(i + 1) * before * (1 - set);
    before *= set;
  }
  return before < 1 ? probes / (1 - before) : shape.probes;
}

double ExpectedCollisions(double keys, unsigned bits) {
  return keys * (keys - 1) / 2 * std::ldexp(1.0, -static_cast<int>(bits));
}

double CollisionProbability(double keys, unsigned bits) {
  return -std::expm1(-ExpectedCollisions(keys, bits));
}

}  // namespace crivello::succinct
