// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::text {

// What a run of text is in its document.  The numbers are stored on disk, in text cells
// (docs/formats/table.md) and in the signatures of site templates: never renumber or reuse one; a new kind
// takes the next number.
enum class BlockKind : uint8_t {
  kParagraph = 0,
  kHeading = 1,  // level says which
  kListItem = 2,
  kQuote = 3,
  kCode = 4,   // white space as written
  kTable = 5,  // one row; tabs separate its cells
  kCaption = 6,
};
std::string_view BlockKindName(BlockKind kind);

// Why a block is not what the page is about.
enum class CutReason : uint8_t {
  kNone,        // it is
  kHidden,      // not shown: by its attributes or inline style, or in its background's colour
  kTitle,       // says the title again
  kNavigation,  // menus, footers, breadcrumbs, pages before and after
  kComments,    // what readers wrote under it
  kAside,       // related pages, share bars, newsletters, notices, advertisements
  kByline,      // author, date, tags
  kCaption,     // of an image
  kLinks,       // a list of links
  kForm,        // buttons, fields
  kOutside,     // outside of the part of the page that holds its text
  kTemplate,    // repeats over the pages of the site
  kTags,        // in a stretch of more tags than words
};
std::string_view CutReasonName(CutReason reason);

// A run of text that a reader sees as one, in the order of the document.
struct Block {
  BlockKind kind = BlockKind::kParagraph;
  uint8_t level = 0;                 // of a heading, 1 to 6; of a list item or quote its nesting, from 1
  bool main = true;                  // what the page is about; the rest is its surroundings, and stays here
  CutReason cut = CutReason::kNone;  // of one that is not main
  uint16_t depth = 0;                // of its element in the tree (at most 65535)
  uint32_t linked = 0;               // of the bytes of its text, those inside links
  std::string text;                  // UTF-8; white space collapsed but in code
  std::string path;                  // the elements above it that say something: "article/section/p"
};

struct DocumentLink {
  std::string href;  // as written
  std::string text;
  uint32_t block = ~0u;  // the block it stands in, if it stands in one
};

// Any document, whatever it was converted from.  Owns its bytes.
struct Document {
  std::string title;
  std::string author;
  std::string site;  // the name of the publication
  std::string description;
  std::string language;              // as the document itself says (BCP 47), else empty
  std::optional<int64_t> published;  // seconds since 1970
  std::vector<Block> blocks;
  std::vector<DocumentLink> links;

  // The texts of the main blocks, a line each, an empty line between them.
  std::string MainText() const;
};

}  // namespace crivello::text
