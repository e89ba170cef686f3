// SPDX-License-Identifier: Apache-2.0
#include "revisit/freshness_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace crivello::revisit {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 360;
constexpr double kMargin = 50;
constexpr std::array<std::string_view, 4> kLines = {"#1f5fa8", "#c8501e", "#3c8c3c", "#7a4aa0"};

}  // namespace

std::string DrawFreshness(const FreshnessPlot& plot) {
  std::string svg;
  const auto add = [&svg]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg), format, std::forward<Args>(args)...);
    svg += '\n';
  };
  size_t cycles = 1;
  for (const FreshnessCurve& curve : plot.curves) cycles = std::max(cycles, curve.by_cycle.size());
  const auto x = [cycles](double cycle) {
    return kMargin + cycle / static_cast<double>(cycles) * (kWidth - 2 * kMargin);
  };
  const auto y = [](double share) { return kHeight - kMargin - share * (kHeight - 2 * kMargin); };
  add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" font-family="sans-serif" font-size="12">)",
      kWidth, kHeight);
  add(R"(<rect width="100%" height="100%" fill="#fff"/>)");
  add(R"(<text x="{}" y="20">{}</text>)", kMargin, plot.title);
  add(R"(<path d="M{0} {1}V{2}H{3}" fill="none" stroke="#888"/>)", kMargin, kMargin, kHeight - kMargin,
      kWidth - kMargin);
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    add(R"(<text x="{}" y="{:.1f}" text-anchor="end">{}</text>)", kMargin - 6, y(tenth / 10.0) + 4,
        tenth / 10.0);
  }
  for (size_t cycle = 0; cycle <= cycles; cycle += 5) {
    add(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", x(static_cast<double>(cycle)),
        kHeight - kMargin + 16, cycle);
  }
  add(R"(<text x="{}" y="{}" text-anchor="middle">visits per page</text>)", kWidth / 2, kHeight - 12);
  add(R"(<path d="M{:.1f} {:.1f}H{:.1f}" stroke="#444" stroke-dasharray="5 4"/>)", x(0), y(plot.optimum),
      kWidth - kMargin);
  add(R"(<text x="{}" y="{:.1f}" text-anchor="end" fill="#444">optimum {:.3f}</text>)", kWidth - kMargin,
      y(plot.optimum) - 5, plot.optimum);
  for (size_t i = 0; i < plot.curves.size(); i++) {
    const FreshnessCurve& curve = plot.curves[i];
    const std::string_view colour = kLines[i % kLines.size()];
    std::string path;
    for (size_t cycle = 0; cycle < curve.by_cycle.size(); cycle++) {
      fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", cycle == 0 ? 'M' : 'L',
                     x(static_cast<double>(cycle) + 0.5), y(curve.by_cycle[cycle]));
    }
    add(R"(<path d="{}" fill="none" stroke="{}" stroke-width="2"/>)", path, colour);
    add(R"(<text x="{}" y="{}" fill="{}">{}</text>)", kMargin + 12,
        kHeight - kMargin - 12 - 16 * static_cast<double>(i), colour, curve.name);
  }
  return svg + "</svg>\n";
}

}  // namespace crivello::revisit
