// SPDX-License-Identifier: Apache-2.0
#include "bits/code_registry.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "bits/code_table.h"
#include "bits/codes.h"

namespace crivello::bits {
namespace {

constexpr uint64_t kLargest = internal::kAllOnes;

constexpr CodeFamily kFamilies[] = {
    {.name = "minimal-binary",
     .parameter = "number of integers, from 0",
     .min_parameter = 1,
     .max_parameter = kLargest,
     .example = "minimal-binary7",
     .summary = "uniform distribution over a finite range"},
    {.name = "unary", .parameter = {}, .example = "unary", .summary = "x zeros and a one"},
    {.name = "gamma", .parameter = {}, .example = "gamma", .summary = "Elias: the length in unary"},
    {.name = "delta", .parameter = {}, .example = "delta", .summary = "Elias: the length in gamma"},
    {.name = "zeta",
     .parameter = "k",
     .min_parameter = 1,
     .max_parameter = 64,
     .example = "zeta3",
     .summary = "Boldi, Vigna: power laws of exponent near 1 + 1/k"},
    {.name = "golomb",
     .parameter = "modulus",
     .min_parameter = 1,
     .max_parameter = kLargest,
     .example = "golomb3",
     .summary = "quotient in unary, remainder in minimal binary: geometric distributions"},
    {.name = "nibble", .parameter = {}, .example = "nibble", .summary = "blocks of 4 bits, 3 of them data"},
    {.name = "vbyte", .parameter = {}, .example = "vbyte", .summary = "blocks of 8 bits, 7 of them data"},
    {.name = "vbyte-prefix",
     .parameter = {},
     .example = "vbyte-prefix",
     .summary = "whole bytes; the first gives their number"},
};

template <typename C>
class CodeOf final : public Code {
 public:
  CodeOf(std::string name, bool complete, C code, uint64_t max)
      : Code(std::move(name), complete, max), code_(code) {
    if (WorthATable(code)) table_.emplace(code);
  }
  uint64_t Length(uint64_t x) const override { return code_.Length(x); }
  Status Decode(BitReader& reader, std::span<uint64_t> out) const override {
    return table_ ? table_->Decode(reader, out) : bits::Decode(code_, reader, out);
  }
  Status Skip(BitReader& reader, uint64_t count) const override {
    for (; count > 0 && reader.ok(); count--) code_.Skip(reader);
    return reader.Check();
  }

 protected:
  void Write(std::span<const uint64_t> numbers, BitWriter& writer) const override {
    for (uint64_t x : numbers) code_.Write(writer, x);
  }

 private:
  C code_;
  std::optional<CodeTable<C>> table_;
};

template <typename C>
std::unique_ptr<const Code> Make(std::string name, bool complete, C code, uint64_t max = kLargest) {
  return std::make_unique<CodeOf<C>>(std::move(name), complete, code, max);
}

std::unique_ptr<const Code> Make(std::string_view family, std::string name, uint64_t parameter) {
  if (family == "minimal-binary") {
    return Make(std::move(name), true, MinimalBinaryCode(parameter - 1), parameter - 1);
  }
  if (family == "unary") return Make(std::move(name), true, UnaryCode());
  if (family == "gamma") return Make(std::move(name), true, GammaCode());
  if (family == "delta") return Make(std::move(name), true, DeltaCode());
  if (family == "zeta") return Make(std::move(name), true, ZetaCode(static_cast<unsigned>(parameter)));
  if (family == "golomb") return Make(std::move(name), true, GolombCode(parameter));
  if (family == "nibble") return Make(std::move(name), false, NibbleCode());
  if (family == "vbyte") return Make(std::move(name), false, ByteCode());
  assert(family == "vbyte-prefix");
  return Make(std::move(name), false, PrefixByteCode());
}

}  // namespace

double Code::Probability(uint64_t x) const { return std::exp2(-static_cast<double>(Length(x))); }

Status Code::Encode(std::span<const uint64_t> numbers, BitWriter& writer) const {
  for (uint64_t x : numbers) {
    if (x > max_) {
      return Status::InvalidArgument(name_ + ": " + std::to_string(x) + " is above its largest number, " +
                                     std::to_string(max_));
    }
    if (Length(x) > kMaxWordBits) {
      return Status::InvalidArgument(name_ + ": the word of " + std::to_string(x) + " has more than " +
                                     std::to_string(kMaxWordBits) + " bits");
    }
  }
  Write(numbers, writer);
  return Status::Ok();
}

std::span<const CodeFamily> AllCodes() { return kFamilies; }

Result<std::unique_ptr<const Code>> FindCode(std::string_view name) {
  const size_t digits = name.find_last_not_of("0123456789") + 1;  // 0 if there are only digits
  const std::string_view number = name.substr(digits);
  std::string_view family_name = name.substr(0, digits);
  if (family_name.ends_with(':')) family_name.remove_suffix(1);
  for (const CodeFamily& family : kFamilies) {
    if (family.name != family_name) continue;
    if (family.parameter.empty()) {
      if (name != family.name) break;
      return Make(family.name, std::string(name), 0);
    }
    uint64_t parameter = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), parameter);
    if (parsed.ec != std::errc() || parameter < family.min_parameter || parameter > family.max_parameter) {
      return Status::InvalidArgument("code \"" + std::string(name) + "\": its parameter (" +
                                     std::string(family.parameter) + ") must be from " +
                                     std::to_string(family.min_parameter) + " to " +
                                     std::to_string(family.max_parameter));
    }
    return Make(family.name, std::string(family.name) + std::to_string(parameter), parameter);
  }
  std::string known;
  for (const CodeFamily& family : kFamilies)
    known += (known.empty() ? "" : ", ") + std::string(family.example);
  return Status::InvalidArgument("unknown code \"" + std::string(name) + "\"; choose one of " + known);
}

}  // namespace crivello::bits
