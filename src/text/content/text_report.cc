// SPDX-License-Identifier: Apache-2.0
#include "text/content/text_report.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "charset/escape.h"
#include "text/content/main_content.h"

namespace crivello::text {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{0}</title><style>
body{{font:15px/1.4 sans-serif;margin:1.5em;max-width:70em}}
table{{border-collapse:collapse;width:100%}}
td,th{{border-bottom:1px solid #ddd;padding:.2em .5em;vertical-align:top;text-align:left}}
td.k{{background:#cfe8cf}} td.c{{background:#f3d6d2;color:#722;font-size:85%}}
td.t{{white-space:pre-wrap;overflow-wrap:anywhere}} tr.o td.t{{color:#888}}
small{{color:#777}}
</style></head><body>
<h1>{0}</h1>
)";

constexpr int kWidth = 800;
constexpr int kHeight = 500;
constexpr int kMargin = 40;

}  // namespace

std::string CompareReport(const HtmlDocument& page, const SiteTemplate* site) {
  std::vector<std::vector<CutReason>> found;
  std::string report;
  auto out = std::back_inserter(report);
  fmt::format_to(out, kHead, charset::HtmlEscaped(page.document.title));
  report += "<table><tr><th>block</th>";
  for (const ContentMethod method : kContentMethods) {
    found.push_back(FindMainContent(page, method, site));
    size_t bytes = 0;
    for (size_t i = 0; i < found.back().size(); ++i) {
      if (found.back()[i] == CutReason::kNone) bytes += page.document.blocks[i].text.size();
    }
    fmt::format_to(out, "<th>{}<br><small>{} bytes</small></th>", ContentMethodName(method), bytes);
  }
  report += "<th>text</th></tr>\n";
  for (size_t i = 0; i < page.document.blocks.size(); ++i) {
    const Block& block = page.document.blocks[i];
    fmt::format_to(out, "<tr{}><td>{} {}<br><small>{}</small></td>",
                   found.back()[i] == CutReason::kNone ? "" : " class=\"o\"", i, BlockKindName(block.kind),
                   charset::HtmlEscaped(block.path));
    for (const auto& cut : found) {
      if (cut[i] == CutReason::kNone) {
        report += "<td class=\"k\">kept</td>";
      } else {
        fmt::format_to(out, "<td class=\"c\">{}</td>", CutReasonName(cut[i]));
      }
    }
    fmt::format_to(out, "<td class=\"t\">{}</td></tr>\n", charset::HtmlEscaped(block.text));
  }
  report += "</table></body></html>\n";
  return report;
}

std::string SlopeDrawing(const HtmlDocument& page) {
  const TagRuns& tags = page.tags;
  const SlopePlateau plateau = FindPlateau(tags);
  const double tokens = static_cast<double>(std::max<uint64_t>(tags.size(), 1));
  const double height = static_cast<double>(std::max<uint64_t>(tags.tags(), 1));
  const auto x = [&](uint64_t token) { return kMargin + kWidth * static_cast<double>(token) / tokens; };
  const auto y = [&](uint64_t climbed) {
    return kMargin + kHeight - kHeight * static_cast<double>(climbed) / height;
  };
  std::string svg;
  auto out = std::back_inserter(svg);
  fmt::format_to(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth + 2 * kMargin, kHeight + 2 * kMargin, charset::HtmlEscaped(page.document.title));
  for (const TokenRange& section : FindLowSlopes(tags)) {
    fmt::format_to(out, "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"#cfe8cf\"/>\n",
                   x(section.first), kMargin, x(section.last) - x(section.first), kHeight);
  }
  svg += "<polyline fill=\"none\" stroke=\"#235\" stroke-width=\"1.5\" points=\"";
  for (const SlopePoint& point : SlopeCurve(tags, kWidth)) {
    fmt::format_to(out, "{:.2f},{:.2f} ", x(point.token), y(point.tags));
  }
  svg += "\"/>\n";
  int label = kMargin - 22;  // one above the other, because they may be close
  for (const auto& [name, token] : {std::pair{"i", plateau.i}, std::pair{"j", plateau.j}}) {
    fmt::format_to(out,
                   "<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#b22\" "
                   "stroke-dasharray=\"4\"/>\n<text x=\"{0:.2f}\" y=\"{3}\" fill=\"#b22\">{4} = {5}</text>\n",
                   x(token), kMargin, kMargin + kHeight, label, name, token);
    label += 16;
  }
  fmt::format_to(out, "<text x=\"{}\" y=\"{}\">{} tokens, {} of them tags; value {}</text>\n</svg>\n",
                 kMargin, kMargin + kHeight + 20, tags.size(), tags.tags(), plateau.value);
  return svg;
}

}  // namespace crivello::text
