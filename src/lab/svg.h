// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crivello::lab {

// Builds a picture for a slide from boxes, lines and text on white.  Text is escaped.  One thread at a
// time.
class Svg {
 public:
  static constexpr std::string_view kBlue = "#1f5fa8";
  static constexpr std::string_view kRed = "#c8501e";
  static constexpr std::string_view kGreen = "#3c8c3c";
  static constexpr std::string_view kPale = "#e8eef6";
  static constexpr std::string_view kGrey = "#888888";

  Svg(double width, double height, std::string_view title);

  void Text(double x, double y, std::string_view text, std::string_view colour = "#222222",
            std::string_view anchor = "start");
  void Box(double x, double y, double width, double height, std::string_view fill);
  void Line(double x1, double y1, double x2, double y2, std::string_view colour = kGrey);
  void Dot(double x, double y, std::string_view colour);
  // A row of cells with one character each, from (x, y) to the right; returns where it ends.
  double Cells(double x, double y, std::string_view characters, std::string_view fill);
  std::string Finish() &&;

  static constexpr double kCell = 18;

 private:
  std::string out_;
};

}  // namespace crivello::lab
