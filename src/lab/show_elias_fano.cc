// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "lab/demonstration.h"
#include "lab/svg.h"
#include "succinct/elias_fano.h"

namespace crivello::lab {
namespace {

constexpr size_t kMostElements = 24;
constexpr uint64_t kMostUpperBits = 96;

std::string WordOfBits(uint64_t number, unsigned width) {
  std::string bits;
  for (unsigned i = width; i-- > 0;) bits += (number >> i & 1) != 0 ? '1' : '0';
  return bits;
}

}  // namespace

Result<Demonstration> ShowEliasFano(std::span<const uint64_t> numbers, uint64_t universe,
                                    uint64_t successor_of) {
  if (numbers.empty() || numbers.size() > kMostElements) {
    return Status::InvalidArgument(
        fmt::format("expected 1 to {} numbers, got {}", kMostElements, numbers.size()));
  }
  for (size_t i = 1; i < numbers.size(); i++) {
    if (numbers[i] < numbers[i - 1]) {
      return Status::InvalidArgument(
          fmt::format("the numbers must not decrease: {} follows {}", numbers[i], numbers[i - 1]));
    }
  }
  if (universe == 0) universe = numbers.back();
  if (universe < numbers.back()) {
    return Status::InvalidArgument(fmt::format("the upper bound {} is below {}", universe, numbers.back()));
  }
  // The program's own structure, which answers the queries below; its l is max(0, floor(log u / n)).
  succinct::EliasFanoBuilder builder(numbers.size(), universe);
  for (const uint64_t number : numbers) builder.Add(number);
  ImageWriter writer;
  CRV_TRY(builder.AppendTo(writer));
  const auto image = std::move(writer).Release();
  CRV_ASSIGN(const auto sequence, succinct::EliasFano::FromImage(std::as_bytes(std::span(image))));
  const uint64_t n = numbers.size();
  const unsigned l = universe / n == 0 ? 0 : static_cast<unsigned>(std::bit_width(universe / n)) - 1;

  std::vector<std::string> lower;
  std::string upper;
  uint64_t zeros = 0;
  std::vector<size_t> ones;
  Demonstration shown;
  shown.steps.push_back(
      fmt::format("{} numbers, none above u = {}: {}\nl = floor(log u/n) = {}: each number has {} lower bits",
                  n, universe, fmt::join(numbers, ", "), l, l));
  std::string split = "number  upper  lower bits";
  for (const uint64_t number : numbers) {
    lower.push_back(WordOfBits(number, l));
    split += fmt::format("\n{:>6}  {:>5}  {}", number, number >> l, lower.back());
  }
  shown.steps.push_back(std::move(split));
  for (const uint64_t number : numbers) {
    if (number >> l > kMostUpperBits) return Status::InvalidArgument("the upper bits are too many to draw");
    for (; zeros < number >> l; zeros++) upper += '0';
    ones.push_back(upper.size());
    upper += '1';
  }
  shown.steps.push_back(
      fmt::format("the differences of the upper values in unary, zeros and a one for each number:\n{}\n{} + "
                  "{} bits for {} numbers",
                  upper, upper.size(), l * n, n));
  const uint64_t middle = n / 2;
  shown.steps.push_back(
      fmt::format("number {}: its one is at position {}, so {} zeros come before it: {} · 2^{} + {} = {}",
                  middle, ones[middle], ones[middle] - middle, ones[middle] - middle, l,
                  numbers[middle] & ((uint64_t{1} << l) - 1), sequence.Access(middle)));
  const auto found = sequence.SeekTo(successor_of);
  shown.steps.push_back(
      fmt::format("the first number that is at least {}: skip {} / 2^{} = {} zeros, then read on: {}",
                  successor_of, successor_of, l, successor_of >> l,
                  found.index == n ? std::string("there is none")
                                   : fmt::format("number {}, which is {}", found.index, found.value)));

  Svg svg(60 + static_cast<double>(std::max<size_t>(upper.size(), n * (l + 1))) * Svg::kCell + 40, 230,
          "Elias–Fano");
  svg.Text(20, 62, "upper");
  svg.Cells(70, 48, upper, Svg::kPale);
  svg.Text(20, 132, "lower");
  double x = 70;
  for (size_t i = 0; i < n; i++) {
    const double to = svg.Cells(x, 118, lower[i], "#ffffff");
    svg.Text((x + std::max(to, x + Svg::kCell)) / 2, 160, std::to_string(numbers[i]), Svg::kRed, "middle");
    svg.Line(70 + (static_cast<double>(ones[i]) + 0.5) * Svg::kCell, 66, (x + to) / 2, 118, Svg::kBlue);
    x = std::max(to, x + Svg::kCell) + Svg::kCell / 2;
  }
  svg.Text(20, 200, fmt::format("l = {}, {} + {} bits", l, upper.size(), l * n));
  shown.svg = std::move(svg).Finish();
  return shown;
}

}  // namespace crivello::lab
