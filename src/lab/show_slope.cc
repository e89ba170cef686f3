// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "html/html_tree.h"
#include "lab/demonstration.h"
#include "text/content/html_document.h"
#include "text/content/slope.h"
#include "text/content/text_report.h"

namespace crivello::lab {

Result<Demonstration> ShowSlope(std::string_view html) {
  constexpr size_t kMostHtml = size_t{1} << 20;
  if (html.size() > kMostHtml) return Status::InvalidArgument("the page is too large to show: at most 1 MiB");
  const html::HtmlTree tree = html::ParseHtml(html);
  const text::HtmlDocument page = text::ReadHtmlDocument(tree, {.url = {}});
  if (page.tags.size() == 0) return Status::InvalidArgument("the page has no tokens");
  Demonstration shown;
  std::string bits;
  constexpr size_t kMostShown = 400;
  for (const text::TagRuns::Run& run : page.tags.runs()) {
    bits += std::string(std::min<size_t>(run.length, kMostShown), run.tag ? '1' : '0');
  }
  if (bits.size() > kMostShown) bits = bits.substr(0, kMostShown) + "…";
  shown.steps.push_back(
      fmt::format("the page as tokens, 1 for a tag and 0 for a word: {} tokens, {} of them tags\n{}",
                  page.tags.size(), page.tags.tags(), bits));
  const text::SlopePlateau plateau = text::FindPlateau(page.tags);
  shown.steps.push_back(
      fmt::format("maximise the tags before i and after j plus the words from i to j\ni = {}, j = {}, the "
                  "sum is {} of {}",
                  plateau.i, plateau.j, plateau.value, page.tags.size()));
  std::string sections = "better: every section of low slope";
  for (const text::TokenRange& section : text::FindLowSlopes(page.tags)) {
    sections += fmt::format("\n{} to {}", section.first, section.last);
  }
  shown.steps.push_back(std::move(sections));
  shown.svg = text::SlopeDrawing(page);
  return shown;
}

}  // namespace crivello::lab
