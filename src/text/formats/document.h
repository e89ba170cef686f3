// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::text {

// The role of a run of text in its document. The numbers are stored on disk, in text cells
// (docs/formats/table.md) and in the signatures of site templates: never renumber or reuse one; a new kind
// takes the next number.
enum class BlockKind : uint8_t {
  kParagraph = 0,
  kHeading = 1,  // level: 1 to 6
  kListItem = 2,
  kQuote = 3,
  kCode = 4,   // white space as written
  kTable = 5,  // one row; tabs separate its cells
  kCaption = 6,
};
std::string_view BlockKindName(BlockKind kind);

// Why a block is not main content.
enum class CutReason : uint8_t {
  kNone,        // it is main content
  kHidden,      // not visible: by attributes or inline style, or in the colour of its background
  kTitle,       // repeats the title
  kNavigation,  // menus, footers, breadcrumbs, links to the previous and next page
  kComments,    // readers' comments
  kAside,       // related pages, share bars, newsletters, notices, advertisements
  kByline,      // author, date, tags
  kCaption,     // of an image
  kLinks,       // a list of links
  kForm,        // buttons, fields
  kOutside,     // outside the part of the page that holds its text
  kTemplate,    // repeats on the pages of the site
  kTags,        // in a stretch with more tags than words
};
std::string_view CutReasonName(CutReason reason);

// A run of text that a reader sees as a unit, in document order.
struct Block {
  BlockKind kind = BlockKind::kParagraph;
  uint8_t level = 0;                 // of a heading, 1 to 6; nesting of a list item or quote, from 1
  bool main = true;                  // main content; the surroundings stay in the document too
  CutReason cut = CutReason::kNone;  // set if not main
  uint16_t depth = 0;                // of its element in the tree (at most 65535)
  uint32_t linked = 0;               // bytes of its text that are inside links
  std::string text;                  // UTF-8; white space collapsed, except in code
  std::string path;                  // the informative elements above it: "article/section/p"
};

struct DocumentLink {
  std::string href;  // as written
  std::string text;
  uint32_t block = ~0u;  // the block that contains it, if any
};

// A document converted from any format. Owns its bytes.
struct Document {
  std::string title;
  std::string author;
  std::string site;  // the name of the publication
  std::string description;
  std::string language;              // as stated by the document itself (BCP 47), else empty
  std::optional<int64_t> published;  // seconds since 1970
  std::vector<Block> blocks;
  std::vector<DocumentLink> links;

  // The texts of the main blocks, one line each, separated by empty lines.
  std::string MainText() const;
};

}  // namespace crivello::text
