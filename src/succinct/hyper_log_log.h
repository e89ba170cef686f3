// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "succinct/broadword.h"

namespace crivello::succinct {

// Register j of a packed counter. It may span two words.
inline unsigned GetRegister(const uint64_t* words, unsigned j, unsigned width) {
  const unsigned bit = j * width, shift = bit % 64;
  uint64_t value = words[bit / 64] >> shift;
  if (shift + width > 64) value |= words[bit / 64 + 1] << (64 - shift);
  return static_cast<unsigned>(value & LowBits(width));
}
inline void SetRegister(uint64_t* words, unsigned j, unsigned width, uint64_t value) {
  const unsigned bit = j * width, shift = bit % 64;
  words[bit / 64] = (words[bit / 64] & ~(LowBits(width) << shift)) | (value << shift);
  if (shift + width > 64) {
    uint64_t& next = words[bit / 64 + 1];
    next = (next & ~(LowBits(width) >> (64 - shift))) | (value >> (64 - shift));
  }
}

// The dimensions of an array of HyperLogLog counters (Flajolet, Fusy, Gandouet, Meunier, 2007). A counter
// estimates how many distinct hashes were added to it, with a relative standard deviation of 1.04 / sqrt(m),
// using m registers. Each hash belongs to one register, which keeps the greatest rank (one more than the
// trailing zeros) of its hashes. The counter of a union of sets is the register-wise maximum.
struct HyperLogLogShape {
  static constexpr unsigned kMinLog = 4;
  static constexpr unsigned kMaxLog = 16;
  static constexpr uint64_t kMaxCounters = uint64_t{1} << 40;

  unsigned log_registers = kMinLog;  // m = 2^log_registers, from 16 to 65536
  unsigned width = 5;                // bits per register: 5 for up to 2^32 distinct hashes, else 6
  uint64_t counters = 0;

  static unsigned WidthFor(uint64_t max_distinct) { return max_distinct <= LowBits(32) + 1 ? 5 : 6; }
  unsigned registers() const { return 1u << log_registers; }
  // A counter starts at a word boundary; the bits after its last register are zero.
  unsigned words_per_counter() const { return (registers() * width + 63) / 64; }
  // The estimate of a counter, in O(m).
  double Estimate(const uint64_t* counter) const;
  // The same from the sum of 2^-r over all registers r, and the number of empty registers.
  double EstimateFrom(double inverse_powers, unsigned empty) const;
  // About 1.04 / sqrt(m), but exact for small m too.
  double RelativeStandardDeviation() const;
};

// Read-only counters in an image, without copying. A view of its image, which must outlive it; immutable. No
// access goes outside the image, whatever its bits are. Format: docs/formats/hyper-log-log.md.
class HyperLogLogArray {
 public:
  static constexpr FileKind kFileKind = {.name = "hyper-log-log", .version = 1};

  HyperLogLogArray() = default;
  static Result<HyperLogLogArray> FromImage(Bytes image);

  uint64_t size() const { return shape_.counters; }
  const HyperLogLogShape& shape() const { return shape_; }
  // REQUIRES: i < size(), here and in all functions below.
  double Estimate(uint64_t i) const { return shape_.Estimate(Counter(i)); }
  unsigned Register(uint64_t i, unsigned j) const { return GetRegister(Counter(i), j, shape_.width); }
  // shape().words_per_counter() words; the words just before and after them can be read too.
  const uint64_t* Counter(uint64_t i) const { return words_ + i * shape_.words_per_counter(); }

  Description Describe() const;

 private:
  HyperLogLogShape shape_;
  const uint64_t* words_ = nullptr;
};

// Counters in memory, for adding and union. Different threads may change different counters.
class HyperLogLogBuilder {
 public:
  // `counters` empty counters of 2^log_registers registers, for sets of up to max_distinct elements.
  // REQUIRES: 4 <= log_registers <= 16, counters <= 2^40.
  HyperLogLogBuilder(uint64_t counters, unsigned log_registers, uint64_t max_distinct);

  uint64_t size() const { return shape_.counters; }
  const HyperLogLogShape& shape() const { return shape_; }
  // REQUIRES: i < size(), here and in all functions below.
  double Estimate(uint64_t i) const { return shape_.Estimate(Counter(i)); }
  unsigned Register(uint64_t i, unsigned j) const { return GetRegister(Counter(i), j, shape_.width); }
  // Like HyperLogLogArray::Counter().
  const uint64_t* Counter(uint64_t i) const { return words_.data() + 1 + i * shape_.words_per_counter(); }

  // Adds the element with this hash to the set of counter i, and returns whether that changed the counter.
  // Hashes must be uniform on 64 bits.
  bool Add(uint64_t i, uint64_t hash);
  // Adds the set of another counter, of this array or one of the same shape, to the set of counter i. Returns
  // whether that changed the counter.
  bool Unite(uint64_t i, const uint64_t* counter);

  void AppendTo(ImageWriter& image) const;

 private:
  HyperLogLogShape shape_;
  std::vector<uint64_t> words_;  // with an extra word at each end, for MaxBySimd
};

}  // namespace crivello::succinct
