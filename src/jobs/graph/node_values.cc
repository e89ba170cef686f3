// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/node_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/line_reader.h"

namespace crivello::jobs {
namespace {

constexpr uint64_t kValuesBetweenLooks = 1 << 14;
constexpr std::string_view kBlanks = " \t";
// Marks nodes that no line has named yet.
constexpr double kNotNamed = std::numeric_limits<double>::quiet_NaN();

std::string_view WithoutBlankEnds(std::string_view line) {
  const size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

// The lower of the two middle ones, as in an index.
double MedianOfNamed(const std::vector<double>& values) {
  std::vector<double> named;
  std::copy_if(values.begin(), values.end(), std::back_inserter(named),
               [](double value) { return !std::isnan(value); });
  const auto middle = named.begin() + static_cast<std::ptrdiff_t>((named.size() - 1) / 2);
  std::nth_element(named.begin(), middle, named.end());
  return *middle;
}

}  // namespace

Result<NodeValue> ParseNodeValue(std::string_view line) {
  line = WithoutBlankEnds(line);
  const size_t blank = line.find_last_of(kBlanks);
  NodeValue parsed;
  if (blank != std::string_view::npos) {
    const std::string_view number = line.substr(blank + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), parsed.value);
    parsed.name = WithoutBlankEnds(line.substr(0, blank));
    if (error == std::errc() && end == number.data() + number.size() && std::isfinite(parsed.value) &&
        !std::signbit(parsed.value)) {
      return parsed;
    }
  }
  return Status::Corruption(
      fmt::format("invalid value '{}': expected a URL, a host or a node, and a number that is at least 0",
                  line.substr(0, 100)));
}

Result<NodeValues> ReadNodeValues(const std::string& path, const OpenedGraph& graph, UnnamedNodes unnamed,
                                  std::stop_token stop) {
  NodeValues read;
  read.values.assign(graph.graph->nodes(), kNotNamed);
  CRV_ASSIGN(LineReader lines, LineReader::Open(path));
  while (lines.Next()) {
    if (lines.number() % kValuesBetweenLooks == 0 && stop.stop_requested())
      return Status::Unavailable("reading of the values was stopped");
    const std::string_view line = WithoutBlankEnds(lines.line());
    if (line.empty() || line.front() == '#') continue;
    const auto parsed = ParseNodeValue(line);
    if (!parsed.ok()) return lines.AtLine(parsed.status());
    read.lines++;
    const auto node = graph.Find(std::string(parsed->name));
    if (!node.ok()) continue;
    double& value = read.values[*node];
    if (std::isnan(value)) read.named++;
    value = parsed->value;
  }
  CRV_TRY(lines.status());
  if (read.named == 0) {
    return Status::InvalidArgument(
        fmt::format("{}: none of its {} lines names a node of {}; check that the file and the graph are of "
                    "the same pages or hosts",
                    path, read.lines, graph.basename));
  }
  const double rest = unnamed == UnnamedNodes::kZero ? 0 : MedianOfNamed(read.values);
  for (double& value : read.values) {
    if (std::isnan(value)) value = rest;
  }
  return read;
}

}  // namespace crivello::jobs
