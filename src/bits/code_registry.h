// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "bits/bit_stream.h"

namespace crivello::bits {

// The codes of codes.h by name, behind one interface, for commands and options. One virtual call processes a
// block of numbers.

// Code::Encode rejects longer words (which unary and Golomb have): 128 KiB for one number.
constexpr uint64_t kMaxWordBits = uint64_t{1} << 20;

// An instantaneous code.  Immutable.
class Code {
 public:
  virtual ~Code() = default;
  // As accepted by FindCode: "gamma", "zeta3".
  const std::string& name() const { return name_; }
  // Whether the sum of 2^-Length(x) over all x is one.
  bool complete() const { return complete_; }
  // The largest number that has a word.
  uint64_t max() const { return max_; }
  // In bits; saturates at 2^64 - 1.  REQUIRES: x <= max().
  virtual uint64_t Length(uint64_t x) const = 0;
  // The intended distribution, 2^-Length(x); sums to less than one for incomplete codes.
  double Probability(uint64_t x) const;
  // InvalidArgument, with nothing written, if a number exceeds max() or its word kMaxWordBits.
  Status Encode(std::span<const uint64_t> numbers, BitWriter& writer) const;
  // Corruption if the reader failed; the numbers from there on are 0.
  virtual Status Decode(BitReader& reader, std::span<uint64_t> out) const = 0;
  virtual Status Skip(BitReader& reader, uint64_t count) const = 0;

 protected:
  Code(std::string name, bool complete, uint64_t max)
      : name_(std::move(name)), complete_(complete), max_(max) {}
  virtual void Write(std::span<const uint64_t> numbers, BitWriter& writer) const = 0;

 private:
  std::string name_;
  bool complete_;
  uint64_t max_;
};

// A family of codes: a single code without a parameter, or one code for each parameter value.
struct CodeFamily {
  std::string_view name;
  std::string_view parameter;  // the meaning of the number after the name; empty if there is none
  uint64_t min_parameter = 0;
  uint64_t max_parameter = 0;
  std::string_view example;  // a name accepted by FindCode
  std::string_view summary;
};
// In teaching order.
std::span<const CodeFamily> AllCodes();

// Finds a code by name: "unary", "gamma", "delta", "zeta3" or "zeta:3", "golomb7", "minimal-binary7",
// "nibble", "vbyte", "vbyte-prefix". InvalidArgument for unknown names and missing or invalid parameters.
Result<std::unique_ptr<const Code>> FindCode(std::string_view name);

}  // namespace crivello::bits
