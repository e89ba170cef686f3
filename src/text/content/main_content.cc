// SPDX-License-Identifier: Apache-2.0
#include "text/content/main_content.h"

#include <algorithm>

#include "text/content/dom_filter.h"

namespace crivello::text {
namespace {

constexpr size_t kFewMainBytes = 150;

// By the curve: a block is kept if at least half of its tokens are in a section.
std::vector<CutReason> FilterBySlope(const HtmlDocument& page) {
  std::vector<CutReason> cut(page.blocks.size(), CutReason::kTags);
  const std::vector<TokenRange> sections = FindLowSlopes(page.tags);
  size_t at = 0;
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const HtmlBlock& block = page.blocks[i];
    while (at < sections.size() && sections[at].last <= block.first_token) ++at;
    uint64_t inside = 0;
    for (size_t k = at; k < sections.size() && sections[k].first < block.last_token; ++k) {
      inside += std::min<uint64_t>(sections[k].last, block.last_token) -
                std::max<uint64_t>(sections[k].first, block.first_token);
    }
    if (block.hidden) {
      cut[i] = CutReason::kHidden;
    } else if (2 * inside >= block.last_token - block.first_token) {
      cut[i] = CutReason::kNone;
    }
  }
  return cut;
}

size_t BytesLeft(const HtmlDocument& page, const std::vector<CutReason>& cut) {
  size_t bytes = 0;
  for (size_t i = 0; i < cut.size(); ++i) {
    if (cut[i] == CutReason::kNone) bytes += page.document.blocks[i].text.size();
  }
  return bytes;
}

std::vector<CutReason> Joined(const HtmlDocument& page, const SiteTemplate* site) {
  std::vector<CutReason> cut = FilterByDom(page);
  if (site != nullptr && site->knows()) {
    const std::vector<CutReason> repeated = FilterByTemplate(page.document, *site);
    std::vector<CutReason> both = cut;
    for (size_t i = 0; i < cut.size(); ++i) {
      if (both[i] == CutReason::kNone) both[i] = repeated[i];
    }
    if (BytesLeft(page, both) > 0) cut = std::move(both);
  }
  const size_t left = BytesLeft(page, cut);
  if (left < kFewMainBytes) {
    std::vector<CutReason> slope = FilterBySlope(page);
    for (size_t i = 0; i < cut.size(); ++i) {
      if (slope[i] == CutReason::kNone && cut[i] != CutReason::kOutside) slope[i] = cut[i];
    }
    if (BytesLeft(page, slope) > 10 * left) return slope;
  }
  return cut;
}

}  // namespace

std::string_view ContentMethodName(ContentMethod method) {
  switch (method) {
    case ContentMethod::kSlope:
      return "slope";
    case ContentMethod::kDom:
      return "dom";
    case ContentMethod::kTemplate:
      return "template";
    case ContentMethod::kDefault:
      return "default";
  }
  return "unknown";
}

std::vector<CutReason> FindMainContent(const HtmlDocument& page, ContentMethod method,
                                       const SiteTemplate* site) {
  switch (method) {
    case ContentMethod::kSlope:
      return FilterBySlope(page);
    case ContentMethod::kDom:
      return FilterByDom(page);
    case ContentMethod::kTemplate:
      return FilterByTemplate(page.document, site == nullptr ? SiteTemplate() : *site);
    case ContentMethod::kDefault:
      break;
  }
  return Joined(page, site);
}

void MarkMainContent(HtmlDocument* page, const SiteTemplate* site) {
  const std::vector<CutReason> cut = FindMainContent(*page, ContentMethod::kDefault, site);
  for (size_t i = 0; i < cut.size(); ++i) {
    page->document.blocks[i].cut = cut[i];
    page->document.blocks[i].main = cut[i] == CutReason::kNone;
  }
}

}  // namespace crivello::text
