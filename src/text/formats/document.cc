// SPDX-License-Identifier: Apache-2.0
#include "text/formats/document.h"

namespace crivello::text {

std::string_view BlockKindName(BlockKind kind) {
  switch (kind) {
    case BlockKind::kParagraph:
      return "paragraph";
    case BlockKind::kHeading:
      return "heading";
    case BlockKind::kListItem:
      return "list item";
    case BlockKind::kQuote:
      return "quote";
    case BlockKind::kCode:
      return "code";
    case BlockKind::kTable:
      return "table";
    case BlockKind::kCaption:
      return "caption";
  }
  return "unknown";
}

std::string_view CutReasonName(CutReason reason) {
  switch (reason) {
    case CutReason::kNone:
      return "main";
    case CutReason::kHidden:
      return "hidden";
    case CutReason::kTitle:
      return "title";
    case CutReason::kNavigation:
      return "navigation";
    case CutReason::kComments:
      return "comments";
    case CutReason::kAside:
      return "aside";
    case CutReason::kByline:
      return "byline";
    case CutReason::kCaption:
      return "caption";
    case CutReason::kLinks:
      return "links";
    case CutReason::kForm:
      return "form";
    case CutReason::kOutside:
      return "outside";
    case CutReason::kTemplate:
      return "template";
    case CutReason::kTags:
      return "tags";
  }
  return "unknown";
}

std::string Document::MainText() const {
  std::string text;
  for (const Block& block : blocks) {
    if (!block.main || block.text.empty()) continue;
    if (!text.empty()) text += "\n\n";
    text += block.text;
  }
  return text;
}

}  // namespace crivello::text
