// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// A static distribution over the symbols 0, 1, ... for asymmetric numeral systems, range variant (Duda:
// Asymmetric numeral systems, 2013). Symbol s has probability f_s / 2^d, where d is the precision. Of 2^d
// slots, it owns the f_s that start at c_s, the sum of the frequencies before it. A symbol of frequency 0
// cannot be coded. Immutable; thread-safe.
class RansModel {
 public:
  static constexpr int kMaxPrecision = 16;
  static constexpr size_t kMaxSymbols = 4096;

  // InvalidArgument unless there are 1 to kMaxSymbols frequencies that sum to 2^precision.
  static Result<RansModel> Create(int precision, std::vector<uint32_t> frequencies);
  // The model for which a sequence with these counts is shortest, or nearly, if every symbol that occurs gets
  // at least one slot. InvalidArgument if none occurs, or more than there are slots. O(k log k).
  static Result<RansModel> FromCounts(int precision, std::span<const uint64_t> counts);

  // Appends the model without its precision. Similar neighbours make it small: for each frequency it has the
  // difference of its width from the last one, in unary, and the bits below its highest.
  void AppendTo(std::vector<uint8_t>* out) const;
  // Reads a model from the start of `in` and sets `*bytes` to its size. Corruption if there is none.
  static Result<RansModel> Read(int precision, Bytes in, size_t* bytes);

  int precision() const { return precision_; }
  size_t symbols() const { return cumulative_.size() - 1; }
  // REQUIRES: symbol < symbols().
  uint32_t frequency(size_t symbol) const { return cumulative_[symbol + 1] - cumulative_[symbol]; }
  // c_s; for symbols() it is 2^d.
  uint32_t cumulative(size_t symbol) const { return cumulative_[symbol]; }
  // The symbol that owns a slot, in O(log k). REQUIRES: slot < 2^d.
  size_t SymbolOf(uint32_t slot) const;
  // The cost of a sequence with these counts, by entropy. REQUIRES: each symbol that occurs has a frequency.
  double CostInBits(std::span<const uint64_t> counts) const;

 private:
  RansModel(int precision, std::vector<uint32_t> cumulative)
      : precision_(precision), cumulative_(std::move(cumulative)) {}

  int precision_;
  std::vector<uint32_t> cumulative_;
};

// The numeral system itself, on a natural number without renormalisation: a sequence of symbols is a number,
// and pushing a symbol multiplies it by 1 / p_s. The symbol pushed last is popped first. The practical
// version is rans.h.

// InvalidArgument if the symbol has no slot, or the number would exceed 64 bits.
Result<uint64_t> RansPush(const RansModel& model, uint64_t state, size_t symbol);

struct RansPopped {
  uint64_t state;
  size_t symbol;
};
RansPopped RansPop(const RansModel& model, uint64_t state);

}  // namespace crivello::bits
