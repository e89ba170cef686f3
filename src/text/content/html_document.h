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

// An element that begins and ends a line, or that its names set apart.  Its blocks are a range, and so are
// the parts inside of it.
struct HtmlPart {
  html::NodeId node = html::kNoNode;
  uint32_t parent = kNoPart;
  uint32_t end = 0;  // the part after the last one inside of it
  uint32_t first_block = 0;
  uint32_t last_block = 0;  // one past
  uint32_t hints = 0;       // element_hints.h
  html::Tag tag = html::Tag::kUnknown;
};

// Where a block of the document comes from.
struct HtmlBlock {
  uint32_t part = kNoPart;   // the innermost that holds it
  uint32_t first_token = 0;  // of the page as tags and words
  uint32_t last_token = 0;   // one past
  bool hidden = false;
};

// A page as a document, with what main content is found by.  Owns its bytes but for the numbers of nodes,
// which are the tree's.
struct HtmlDocument {
  Document document;
  std::vector<HtmlPart> parts;    // in document order; the first is the body
  std::vector<HtmlBlock> blocks;  // one for each of the document's
  TagRuns tags;                   // the page as tags and words
};

struct HtmlDocumentOptions {
  std::string_view url;  // of the page: its host may tell the site's name, its path the date
};

// All text of a page as blocks, none of them judged yet (main is true but where the text is hidden); title,
// author, date and the like from wherever the page says them.  Linear in the tree, no recursion.
HtmlDocument ReadHtmlDocument(const html::HtmlTree& tree, const HtmlDocumentOptions& options = {});

}  // namespace crivello::text
