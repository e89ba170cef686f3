// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "html/html_tree.h"
#include "text/content/slope.h"
#include "text/formats/document.h"

namespace crivello::text {

inline constexpr uint32_t kNoPart = ~0u;

// An element that begins and ends a line, or that its names set apart. Its blocks form a range, and so do the
// parts inside it.
struct HtmlPart {
  html::NodeId node = html::kNoNode;
  uint32_t parent = kNoPart;
  uint32_t end = 0;  // the part after the last one inside it
  uint32_t first_block = 0;
  uint32_t last_block = 0;  // one past
  uint32_t hints = 0;       // element_hints.h
  html::Tag tag = html::Tag::kUnknown;
};

// Where a block of the document is in the page.
struct HtmlBlock {
  uint32_t part = kNoPart;   // the innermost part that contains it
  uint32_t first_token = 0;  // of the page as a sequence of tags and words
  uint32_t last_token = 0;   // one past
  bool hidden = false;
};

// A page as a document, with the data for finding the main content. Owns its bytes; the node numbers refer to
// the tree.
struct HtmlDocument {
  Document document;
  std::vector<HtmlPart> parts;    // in document order; the first is the body
  std::vector<HtmlBlock> blocks;  // one for each block of the document
  TagRuns tags;                   // the page as a sequence of tags and words
};

struct HtmlDocumentOptions {
  std::string_view url;  // of the page: may supply the site's name and the date
};

// All text of a page as blocks, none judged yet (main is false only for hidden text), with title, author,
// date and the like from wherever the page states them. Linear in the tree, no recursion.
HtmlDocument ReadHtmlDocument(const html::HtmlTree& tree, const HtmlDocumentOptions& options = {});

}  // namespace crivello::text
