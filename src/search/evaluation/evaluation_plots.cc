// SPDX-License-Identifier: Apache-2.0
#include "search/evaluation/evaluation_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "charset/escape.h"

namespace crivello::search {
namespace {

constexpr double kLeft = 60;
constexpr double kTop = 30;
constexpr double kWidth = 560;
constexpr double kHeight = 360;
constexpr std::array<std::string_view, 4> kColours = {"#1f5fa8", "#c8501e", "#3c8c3c", "#7a4aa0"};

std::string Text(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     charset::XmlEscaped(text));
}
std::string Line(double x1, double y1, double x2, double y2) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#888\"/>\n", x1, y1, x2, y2);
}
std::string Picture(std::string_view title, const std::string& content) {
  const double width = kLeft + kWidth + 30;
  const double height = kTop + kHeight + 50;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"#fff\"/>\n",
             width, height) +
         Text(kLeft, 18, "start", title) + content + "</svg>\n";
}
double X(double share) { return kLeft + share * kWidth; }
double Y(double share) { return kTop + (1 - share) * kHeight; }

}  // namespace

std::array<double, 11> PrecisionByRecall(const RankedRun& run, const Judgements& judgements) {
  std::array<double, 11> sums = {};
  size_t topics = 0;
  for (const auto& [topic, grades] : judgements) {
    const auto relevant = static_cast<size_t>(
        std::count_if(grades.begin(), grades.end(), [](const auto& grade) { return grade.second > 0; }));
    if (relevant == 0) continue;
    topics++;
    const auto found = run.find(topic);
    if (found == run.end()) continue;
    std::array<double, 11> best = {};
    size_t hits = 0;
    for (size_t i = 0; i < found->second.size(); i++) {
      const auto grade = grades.find(found->second[i].document);
      if (grade == grades.end() || grade->second <= 0) continue;
      hits++;
      // The levels of recall that are reached here.
      const double precision = static_cast<double>(hits) / static_cast<double>(i + 1);
      for (size_t level = 0; level <= 10 && level * relevant <= hits * 10; level++) {
        best[level] = std::max(best[level], precision);
      }
    }
    for (size_t level = 0; level <= 10; level++) sums[level] += best[level];
  }
  for (double& sum : sums) sum /= static_cast<double>(std::max<size_t>(topics, 1));
  return sums;
}

std::string PlotPrecisionByRecall(const std::vector<Curve>& curves) {
  std::string content = Line(X(0), Y(0), X(1), Y(0)) + Line(X(0), Y(0), X(0), Y(1));
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    const double share = tenth / 10.0;
    content += Text(X(share), Y(0) + 18, "middle", fmt::format("{}", share));
    content += Text(X(0) - 8, Y(share) + 4, "end", fmt::format("{}", share));
  }
  content += Text(X(0.5), Y(0) + 38, "middle", "recall");
  for (size_t i = 0; i < curves.size(); i++) {
    const std::string_view colour = kColours[i % kColours.size()];
    std::string path;
    for (size_t level = 0; level <= 10; level++) {
      path += fmt::format("{}{:.1f} {:.1f}", level == 0 ? 'M' : 'L', X(static_cast<double>(level) / 10),
                          Y(curves[i].values[level]));
    }
    content += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path, colour);
    const double y = kTop + 16 + 18 * static_cast<double>(i);
    content += fmt::format("<g fill=\"{}\">{}</g>\n", colour, Text(X(1), y, "end", curves[i].name));
  }
  return Picture("precision by recall", content);
}

std::string PlotDifferences(const Differences& differences) {
  std::vector<size_t> order(differences.values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return differences.values[a] > differences.values[b]; });
  double largest = 1e-9;
  for (const double value : differences.values) largest = std::max(largest, std::fabs(value));
  std::string content = Line(X(0), Y(0.5), X(1), Y(0.5)) + Line(X(0), Y(0), X(0), Y(1));
  content += Text(X(0) - 8, Y(1) + 4, "end", fmt::format("{:+.2f}", largest));
  content += Text(X(0) - 8, Y(0.5) + 4, "end", "0");
  content += Text(X(0) - 8, Y(0) + 4, "end", fmt::format("{:+.2f}", -largest));
  const double step = 1 / static_cast<double>(std::max<size_t>(order.size(), 1));
  for (size_t i = 0; i < order.size(); i++) {
    const double value = differences.values[order[i]];
    const double height = std::fabs(value) / largest / 2;
    content += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" fill=\"{}\"><title>{} "
        "{:+.4f}</title></rect>\n",
        X(static_cast<double>(i) * step), value > 0 ? Y(0.5 + height) : Y(0.5), step * kWidth * 0.9,
        height * kHeight, kColours[value > 0 ? 0 : 1], charset::XmlEscaped(differences.topics[order[i]]),
        value);
  }
  return Picture(differences.measure + ", difference by topic", content);
}

std::string PlotSurface(const Surface& surface) {
  double least = INFINITY;
  double greatest = -INFINITY;
  for (const std::vector<double>& row : surface.values) {
    for (const double value : row) {
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  }
  const double width = 1 / static_cast<double>(std::max<size_t>(surface.columns.size(), 1));
  const double height = 1 / static_cast<double>(std::max<size_t>(surface.rows.size(), 1));
  std::string content;
  for (size_t i = 0; i < surface.rows.size(); i++) {
    const double y = Y(static_cast<double>(i + 1) * height);
    content += Text(X(0) - 8, y + height * kHeight / 2 + 4, "end", fmt::format("{}", surface.rows[i]));
    for (size_t j = 0; j < surface.columns.size(); j++) {
      const double value = surface.values[i][j];
      const double share = greatest > least ? (value - least) / (greatest - least) : 1;
      content += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#1f5fa8\" "
          "fill-opacity=\"{:.2f}\"/>\n",
          X(static_cast<double>(j) * width), y, width * kWidth, height * kHeight, 0.05 + 0.75 * share);
      content += Text(X((static_cast<double>(j) + 0.5) * width), y + height * kHeight / 2 + 4, "middle",
                      fmt::format("{:.4f}", value));
    }
  }
  for (size_t j = 0; j < surface.columns.size(); j++) {
    content += Text(X((static_cast<double>(j) + 0.5) * width), Y(0) + 18, "middle",
                    fmt::format("{}", surface.columns[j]));
  }
  content += Text(X(0.5), Y(0) + 38, "middle", surface.column_name);
  content += Text(14, Y(0.5), "start", surface.row_name);
  return Picture(surface.measure, content);
}

}  // namespace crivello::search
