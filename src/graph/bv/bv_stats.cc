// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_stats.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "base/hash.h"
#include "graph/bv/bv_code_writer.h"

namespace crivello::graph {
namespace {

using WideSum = Uint128;

// Formats like java.text.DecimalFormat("0.###"); 0 if the denominator is 0.
std::string ThreeDigits(double numerator, double denominator) {
  if (denominator == 0) return "0";
  std::string text = fmt::format("{:.3f}", numerator / denominator);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}
std::string ThreeDigits(uint64_t numerator, uint64_t denominator) {
  return ThreeDigits(static_cast<double>(numerator), static_cast<double>(denominator));
}

uint64_t CountOf(const GapBins& bins) {
  uint64_t count = 0;
  for (const uint64_t bin : bins) count += bin;
  return count;
}

std::string FormatBins(const GapBins& bins) {
  size_t size = bins.size();
  while (size > 0 && bins[size - 1] == 0) size--;
  std::string text;
  for (size_t i = 0; i < size; i++) text += fmt::format("{}{}", i == 0 ? "" : ",", bins[i]);
  return text;
}

// The sum over the gaps of the middle of their bins, with three decimals, rounding half to even.
std::string FormatMeanGap(const GapBins& bins) {
  const WideSum divisor = WideSum{2} * CountOf(bins);
  if (divisor == 0) return "0";
  WideSum sum = 0;
  for (size_t i = 0; i < bins.size(); i++) sum += ((WideSum{3} << i) - 1) * bins[i];
  WideSum thousandths = sum * 1000 / divisor;
  const WideSum rest = sum * 1000 % divisor;
  if (2 * rest > divisor || (2 * rest == divisor && thousandths % 2 == 1)) thousandths++;
  return fmt::format("{}.{:03}", static_cast<uint64_t>(thousandths / 1000),
                     static_cast<uint64_t>(thousandths % 1000));
}

// ln n!, by Stirling's formula.
double LogFactorial(double n) { return n * std::log(n) - n + std::log(2 * std::numbers::pi * n) / 2; }

// The bits divided by the number needed to choose this many of all possible arcs.
std::string CompressionRatio(const BvStats& stats) {
  const double possible = static_cast<double>(stats.nodes) * static_cast<double>(stats.nodes);
  const auto arcs = static_cast<double>(stats.arcs);
  if (arcs == 0 || arcs == possible) return "0";
  return ThreeDigits(static_cast<double>(stats.graph_bits()) * std::numbers::ln2,
                     LogFactorial(possible) - LogFactorial(arcs) - LogFactorial(possible - arcs));
}

}  // namespace

BvStats& BvStats::operator+=(const BvStats& other) {
  nodes += other.nodes;
  arcs += other.arcs;
  copied_arcs += other.copied_arcs;
  interval_arcs += other.interval_arcs;
  residual_arcs += other.residual_arcs;
  outdegree_bits += other.outdegree_bits;
  reference_bits += other.reference_bits;
  block_bits += other.block_bits;
  interval_bits += other.interval_bits;
  residual_bits += other.residual_bits;
  chain_lengths += other.chain_lengths;
  reference_distances += other.reference_distances;
  for (size_t i = 0; i < successor_gaps.size(); i++) {
    successor_gaps[i] += other.successor_gaps[i];
    residual_gaps[i] += other.residual_gaps[i];
  }
  return *this;
}

void CountGaps(uint64_t node, std::span<const Node> list, GapBins& bins) {
  if (list.empty()) return;
  const uint64_t first = SignedToNatural(list[0], node);
  if (first != 0) bins[static_cast<size_t>(std::bit_width(first)) - 1]++;
  for (size_t i = 1; i < list.size(); i++)
    bins[static_cast<size_t>(std::bit_width(list[i] - list[i - 1])) - 1]++;
}

double MeanLogGap(const GapBins& bins) {
  const uint64_t count = CountOf(bins);
  if (count == 0) return 0;
  double sum = 0;
  size_t size = bins.size();
  while (size > 0 && bins[size - 1] == 0) size--;
  for (size_t i = 0; i < size; i++) {
    const auto middle = static_cast<double>((uint64_t{3} << i) + 1);
    sum += (std::log(middle) / std::numbers::ln2 - 1) * static_cast<double>(bins[i]);
  }
  return sum / static_cast<double>(count);
}

JavaProperties MakeBvProperties(const BvStats& stats, const BvParameters& parameters) {
  JavaProperties properties;
  const BvCode residuals = parameters.codes.residuals;
  // The edition of WebGraph for large graphs, with 64-bit nodes, reads both classes.
  properties["graphclass"] =
      stats.nodes > 0x7fffffff ? "it.unimi.dsi.big.webgraph.BVGraph" : "it.unimi.dsi.webgraph.BVGraph";
  properties["version"] = "0";
  properties["nodes"] = fmt::to_string(stats.nodes);
  properties["arcs"] = fmt::to_string(stats.arcs);
  properties["windowsize"] = fmt::to_string(parameters.window);
  properties["maxrefcount"] = fmt::to_string(parameters.max_ref_count);
  properties["minintervallength"] = fmt::to_string(parameters.min_interval);
  if (residuals.kind == BvCode::Kind::kZeta || residuals.kind == BvCode::Kind::kGolomb) {
    properties["zetak"] = fmt::to_string(residuals.parameter);
  }
  properties["compressionflags"] = FormatCompressionFlags(parameters.codes);
  properties["avgref"] = ThreeDigits(stats.chain_lengths, stats.nodes);
  properties["avgdist"] = ThreeDigits(stats.reference_distances, stats.nodes);
  properties["copiedarcs"] = fmt::to_string(stats.copied_arcs);
  properties["intervalisedarcs"] = fmt::to_string(stats.interval_arcs);
  properties["residualarcs"] = fmt::to_string(stats.residual_arcs);
  properties["bitsperlink"] = ThreeDigits(stats.graph_bits(), stats.arcs);
  properties["bitspernode"] = ThreeDigits(stats.graph_bits(), stats.nodes);
  properties["compratio"] = CompressionRatio(stats);
  const auto add_bits = [&](const std::string& part, uint64_t bits) {
    properties["bitsfor" + part] = fmt::to_string(bits);
    properties["avgbitsfor" + part] = ThreeDigits(bits, stats.nodes);
  };
  add_bits("outdegrees", stats.outdegree_bits);
  add_bits("references", stats.reference_bits);
  add_bits("blocks", stats.block_bits);
  add_bits("intervals", stats.interval_bits);
  add_bits("residuals", stats.residual_bits);
  const auto add_gaps = [&](const std::string& of, const GapBins& bins) {
    properties[of + "expstats"] = FormatBins(bins);
    properties[of + "avggap"] = FormatMeanGap(bins);
    properties[of + "avgloggap"] = fmt::to_string(MeanLogGap(bins));
  };
  add_gaps("successor", stats.successor_gaps);
  add_gaps("residual", stats.residual_gaps);
  return properties;
}

}  // namespace crivello::graph
