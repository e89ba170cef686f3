// SPDX-License-Identifier: Apache-2.0
#include "lab/svg.h"

#include <fmt/format.h>

#include <utility>

#include "charset/escape.h"

namespace crivello::lab {

Svg::Svg(double width, double height, std::string_view title) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n<rect width=\"100%\" "
      "height=\"100%\" "
      "fill=\"#ffffff\"/>\n",
      width, height, charset::XmlEscaped(title));
  Text(20, 26, title);
}

void Svg::Text(double x, double y, std::string_view text, std::string_view colour, std::string_view anchor) {
  out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y,
                      colour, anchor, charset::XmlEscaped(text));
}

void Svg::Box(double x, double y, double width, double height, std::string_view fill) {
  out_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"#888888\"/>\n",
      x, y, width, height, fill);
}

void Svg::Line(double x1, double y1, double x2, double y2, std::string_view colour) {
  out_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", x1,
                      y1, x2, y2, colour);
}

void Svg::Dot(double x, double y, std::string_view colour) {
  out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x, y, colour);
}

double Svg::Cells(double x, double y, std::string_view characters, std::string_view fill) {
  for (const char c : characters) {
    Box(x, y, kCell, kCell, fill);
    Text(x + kCell / 2, y + 13, std::string(1, c), "#222222", "middle");
    x += kCell;
  }
  return x;
}

std::string Svg::Finish() && { return std::move(out_) + "</svg>\n"; }

}  // namespace crivello::lab
