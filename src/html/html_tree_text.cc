// SPDX-License-Identifier: Apache-2.0
// Text in every mode. A run is split into stretches with one rule each; each rule returns how much it
// consumed (0: the mode changed, and the new mode gets the text).
#include "base/ascii.h"
#include "charset/utf8.h"
#include "html/html_tree_builder.h"

namespace crivello::html {

// Text. A run is split into stretches with one rule each; each rule returns how much it consumed (0: the mode
// changed).

void HtmlTreeBuilder::OnText(std::string_view text) {
  if (IsCut()) return;
  if (options_.observer != nullptr) options_.observer->OnText(text);
  if (skip_newline_) {
    skip_newline_ = false;
    if (text[0] == '\n') text.remove_prefix(1);
  }
  while (!text.empty()) text.remove_prefix(Text(text));
}

size_t HtmlTreeBuilder::Text(std::string_view text) {
  const bool nul = text[0] == '\0';  // a separate run
  if (IsForeignText()) {
    InsertText(nul ? charset::kReplacementCharacter : text);
    if (!nul && !IsAllSpace(text)) frameset_ok_ = false;
    return text.size();
  }
  size_t spaces = 0;
  while (spaces < text.size() && IsAsciiSpace(text[spaces])) ++spaces;
  switch (mode_) {
    case Mode::kInitial:
    case Mode::kBeforeHtml:
    case Mode::kBeforeHead:
      if (spaces == 0) AnythingElse();
      return spaces;
    case Mode::kInHead:
    case Mode::kInHeadNoscript:
    case Mode::kAfterHead:
      if (spaces == 0) AnythingElse();
      InsertText(text.substr(0, spaces));
      return spaces;
    case Mode::kText:
      InsertText(text);
      return text.size();
    case Mode::kInTable:
    case Mode::kInTableBody:
    case Mode::kInRow:
      if (current().ns == Namespace::kHtml) {
        switch (current().tag) {
          case Tag::kTable:
          case Tag::kTbody:
          case Tag::kTemplate:
          case Tag::kTfoot:
          case Tag::kThead:
          case Tag::kTr:
            table_text_.clear();
            original_mode_ = mode_;
            mode_ = Mode::kInTableText;
            return 0;
          default:
            break;
        }
      }
      foster_parenting_ = true;
      TextInBody(text);
      foster_parenting_ = false;
      return text.size();
    case Mode::kInTableText:
      if (!nul) table_text_ += text;
      return text.size();
    case Mode::kInColumnGroup:
      if (spaces == 0) return LeaveColumnGroup() ? text.size() : 0;
      InsertText(text.substr(0, spaces));
      return spaces;
    case Mode::kAfterBody:
    case Mode::kAfterAfterBody:
      if (spaces == 0) mode_ = Mode::kInBody;
      return TextInBody(text.substr(0, spaces));
    case Mode::kInFrameset:
    case Mode::kAfterFrameset:
    case Mode::kAfterAfterFrameset:
      if (spaces == 0) return 1;
      if (mode_ == Mode::kAfterAfterFrameset) return TextInBody(text.substr(0, spaces));
      InsertText(text.substr(0, spaces));
      return spaces;
    default:
      return TextInBody(text);
  }
}

size_t HtmlTreeBuilder::TextInBody(std::string_view text) {
  if (text.empty() || text[0] == '\0') return text.size();
  Reconstruct();
  InsertText(text);
  if (frameset_ok_ && !IsAllSpace(text)) frameset_ok_ = false;
  return text.size();
}

}  // namespace crivello::html
