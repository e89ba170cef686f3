// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "bits/bit_stream.h"
#include "bits/code_registry.h"
#include "lab/demonstration.h"
#include "lab/svg.h"

namespace crivello::lab {
namespace {

constexpr size_t kMostNumbers = 12;
constexpr uint64_t kMostCoded = 1'000'000;
constexpr uint64_t kMostDrawnBits = 32;
constexpr std::array<std::string_view, 5> kShownCodes = {"unary", "gamma", "delta", "golomb3", "nibble"};

std::string BitsOfNumber(uint64_t number, unsigned width) {
  std::string bits;
  for (unsigned i = width; i-- > 0;) bits += (number >> i & 1) != 0 ? '1' : '0';
  return bits;
}

Result<std::string> WordOfCode(const bits::Code& code, uint64_t number) {
  bits::BitWriter writer;
  CRV_TRY(code.Encode({&number, 1}, writer));
  const uint64_t length = writer.position();
  const auto image = writer.Finish();
  bits::BitReader reader(image);
  std::string word;
  for (uint64_t i = 0; i < length; i++) word += reader.ReadBits(1) != 0 ? '1' : '0';
  return word;
}

// How a gamma codeword is constructed, in the words of the lecture notes.
std::string GammaInWords(uint64_t number) {
  const auto width = static_cast<unsigned>(std::bit_width(number + 1)) - 1;
  return fmt::format(
      "gamma: {} + 1 = {} is {} in binary; without its first 1, the reduced form has {} bits: {}\n"
      "       {} in unary is {}1, so the word is {}1{}",
      number, number + 1, BitsOfNumber(number + 1, width + 1), width,
      width == 0 ? "(none)" : BitsOfNumber(number + 1, width), width, std::string(width, '0'),
      std::string(width, '0'), BitsOfNumber(number + 1, width));
}

}  // namespace

Result<Demonstration> ShowCodes(std::span<const uint64_t> numbers) {
  if (numbers.empty() || numbers.size() > kMostNumbers) {
    return Status::InvalidArgument(
        fmt::format("expected 1 to {} numbers, got {}", kMostNumbers, numbers.size()));
  }
  const uint64_t largest = *std::max_element(numbers.begin(), numbers.end());
  if (largest > kMostCoded) {
    return Status::InvalidArgument(fmt::format("{} is too large to show: at most {}", largest, kMostCoded));
  }
  Demonstration shown;
  const double height = 60 + static_cast<double>(numbers.size()) * (kShownCodes.size() + 1) * 22;
  Svg svg(120 + kMostDrawnBits * Svg::kCell + 60, height, "Instantaneous codes of integers");
  double y = 44;
  std::array<uint64_t, kShownCodes.size()> totals = {};
  for (const uint64_t number : numbers) {
    std::string step = fmt::format("{}\n{}", number, GammaInWords(number));
    svg.Text(20, y + 14, std::to_string(number), Svg::kRed);
    for (size_t i = 0; i < kShownCodes.size(); i++) {
      CRV_ASSIGN(const auto code, bits::FindCode(kShownCodes[i]));
      const uint64_t length = code->Length(number);
      totals[i] += length;
      std::string word = "(long)";
      if (length <= 64) {
        CRV_ASSIGN(word, WordOfCode(*code, number));
      }
      step +=
          fmt::format("\n{:<8} {:>7} {:<5} {}", kShownCodes[i], length, length == 1 ? "bit" : "bits", word);
      svg.Text(112, y + 14, kShownCodes[i], "#222222", "end");
      if (length <= kMostDrawnBits) {
        svg.Cells(120, y, word, i == 0 ? "#ffffff" : Svg::kPale);
      } else {
        svg.Text(124, y + 14, fmt::format("{} bits", length), Svg::kGrey);
      }
      y += 22;
    }
    y += 22;
    shown.steps.push_back(std::move(step));
  }
  std::string total = "in all";
  for (size_t i = 0; i < kShownCodes.size(); i++)
    total += fmt::format("\n{:<8} {:>7} bits", kShownCodes[i], totals[i]);
  shown.steps.push_back(std::move(total));
  shown.svg = std::move(svg).Finish();
  return shown;
}

}  // namespace crivello::lab
