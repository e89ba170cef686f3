// SPDX-License-Identifier: Apache-2.0
#include "succinct/hyper_log_log.h"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "succinct/hyper_log_log_max.h"

namespace crivello::succinct {
namespace {

// 2^-r for each value r of a register.
constexpr std::array<double, 64> kInversePowers = [] {
  std::array<double, 64> powers = {};
  double power = 1;
  for (double& p : powers) {
    p = power;
    power /= 2;
  }
  return powers;
}();

// The constant that removes the bias of the estimate (Flajolet et al., figure 3).
double Alpha(unsigned registers) {
  switch (registers) {
    case 16:
      return 0.673;
    case 32:
      return 0.697;
    case 64:
      return 0.709;
    default:
      return 0.7213 / (1 + 1.079 / registers);
  }
}

}  // namespace

double HyperLogLogShape::Estimate(const uint64_t* counter) const {
  const unsigned m = registers();
  double sum = 0;
  unsigned empty = 0;
  for (unsigned j = 0; j < m; j++) {
    const unsigned value = GetRegister(counter, j, width);
    sum += kInversePowers[value];
    empty += value == 0;
  }
  return EstimateFrom(sum, empty);
}

double HyperLogLogShape::EstimateFrom(double inverse_powers, unsigned empty) const {
  const unsigned m = registers();
  const double estimate = Alpha(m) * m * m / inverse_powers;
  // With few elements, registers stay empty, and their number is a better estimate (linear counting).
  if (estimate <= 2.5 * m && empty > 0) return m * std::log(static_cast<double>(m) / empty);
  return estimate;
}

double HyperLogLogShape::RelativeStandardDeviation() const {
  const double beta = log_registers == 4   ? 1.106
                      : log_registers == 5 ? 1.070
                      : log_registers == 6 ? 1.054
                                           : 1.046;
  return beta / std::sqrt(registers());
}

Result<HyperLogLogArray> HyperLogLogArray::FromImage(Bytes image) {
  ImageReader reader(image, "array of HyperLogLog counters");
  CRV_ASSIGN(const uint64_t log, reader.WordAtMost(HyperLogLogShape::kMaxLog, "log of the registers"));
  CRV_ASSIGN(const uint64_t width, reader.WordAtMost(6, "width of a register"));
  CRV_ASSIGN(const uint64_t counters,
             reader.WordAtMost(HyperLogLogShape::kMaxCounters, "number of counters"));
  if (log < HyperLogLogShape::kMinLog) return reader.Damaged("fewer than 16 registers");
  if (width < 5) return reader.Damaged("registers of less than 5 bits");
  HyperLogLogArray array;
  array.shape_ = {.log_registers = static_cast<unsigned>(log),
                  .width = static_cast<unsigned>(width),
                  .counters = counters};
  CRV_ASSIGN(const auto words, reader.Words(counters * array.shape_.words_per_counter() + 2));
  CRV_TRY(reader.Finish());
  array.words_ = words.data() + 1;
  return array;
}

Description HyperLogLogArray::Describe() const {
  return {{"counters", size()},
          {"registers", uint64_t{shape_.registers()}},
          {"register-bits", uint64_t{shape_.width}},
          {"relative-standard-deviation", shape_.RelativeStandardDeviation()}};
}

HyperLogLogBuilder::HyperLogLogBuilder(uint64_t counters, unsigned log_registers, uint64_t max_distinct)
    : shape_{.log_registers = log_registers,
             .width = HyperLogLogShape::WidthFor(max_distinct),
             .counters = counters},
      words_(counters * shape_.words_per_counter() + 2) {
  assert(log_registers >= HyperLogLogShape::kMinLog && log_registers <= HyperLogLogShape::kMaxLog);
  assert(counters <= HyperLogLogShape::kMaxCounters);
}

bool HyperLogLogBuilder::Add(uint64_t i, uint64_t hash) {
  uint64_t* const counter = words_.data() + 1 + i * shape_.words_per_counter();
  const auto j = static_cast<unsigned>(hash & LowBits(shape_.log_registers));
  // Ranks too large for a register count as its maximum.
  const unsigned greatest = (1u << shape_.width) - 1;
  const auto zeros = static_cast<unsigned>(std::countr_zero(hash >> shape_.log_registers));
  const unsigned rank = zeros < greatest ? zeros + 1 : greatest;
  if (rank <= GetRegister(counter, j, shape_.width)) return false;
  SetRegister(counter, j, shape_.width, rank);
  return true;
}

bool HyperLogLogBuilder::Unite(uint64_t i, const uint64_t* counter) {
  return MaxBySimd(words_.data() + 1 + i * shape_.words_per_counter(), counter, shape_.words_per_counter(),
                   shape_.width);
}

void HyperLogLogBuilder::AppendTo(ImageWriter& image) const {
  image.Word(shape_.log_registers);
  image.Word(shape_.width);
  image.Word(shape_.counters);
  image.Words(words_);
}

}  // namespace crivello::succinct
