// SPDX-License-Identifier: Apache-2.0
// Which rules a token goes to, and those of the outer parts of a page: before, in and after head, templates,
// framesets, the end.
#include <algorithm>

#include "web/html_chars.h"
#include "web/html_tree_builder.h"

namespace crivello::web {
namespace {

using Content = HtmlTokenizer::Content;

bool StartsWithLower(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && EqualsLower(text.substr(0, lower.size()), lower);
}

bool IsQuirky(const DoctypeToken& doctype) {
  if (doctype.force_quirks || doctype.name != "html") return true;
  for (const std::string_view id :
       {"-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"}) {
    if (EqualsLower(doctype.public_id, id)) return true;
  }
  if (EqualsLower(doctype.system_id, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"))
    return true;
  static constexpr std::string_view kPrefixes[] = {
      "+//silmaril//dtd html pro v0r11 19970101//",
      "-//as//dtd html 3.0 aswedit + extensions//",
      "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
      "-//ietf//dtd html 2.0 level 1//",
      "-//ietf//dtd html 2.0 level 2//",
      "-//ietf//dtd html 2.0 strict level 1//",
      "-//ietf//dtd html 2.0 strict level 2//",
      "-//ietf//dtd html 2.0 strict//",
      "-//ietf//dtd html 2.0//",
      "-//ietf//dtd html 2.1e//",
      "-//ietf//dtd html 3.0//",
      "-//ietf//dtd html 3.2 final//",
      "-//ietf//dtd html 3.2//",
      "-//ietf//dtd html 3//",
      "-//ietf//dtd html level 0//",
      "-//ietf//dtd html level 1//",
      "-//ietf//dtd html level 2//",
      "-//ietf//dtd html level 3//",
      "-//ietf//dtd html strict level 0//",
      "-//ietf//dtd html strict level 1//",
      "-//ietf//dtd html strict level 2//",
      "-//ietf//dtd html strict level 3//",
      "-//ietf//dtd html strict//",
      "-//ietf//dtd html//",
      "-//metrius//dtd metrius presentational//",
      "-//microsoft//dtd internet explorer 2.0 html strict//",
      "-//microsoft//dtd internet explorer 2.0 html//",
      "-//microsoft//dtd internet explorer 2.0 tables//",
      "-//microsoft//dtd internet explorer 3.0 html strict//",
      "-//microsoft//dtd internet explorer 3.0 html//",
      "-//microsoft//dtd internet explorer 3.0 tables//",
      "-//netscape comm. corp.//dtd html//",
      "-//netscape comm. corp.//dtd strict html//",
      "-//o'reilly and associates//dtd html 2.0//",
      "-//o'reilly and associates//dtd html extended 1.0//",
      "-//o'reilly and associates//dtd html extended relaxed 1.0//",
      "-//sq//dtd html 2.0 hotmetal + extensions//",
      "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
      "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
      "-//spyglass//dtd html 2.0 extended//",
      "-//sun microsystems corp.//dtd hotjava html//",
      "-//sun microsystems corp.//dtd hotjava strict html//",
      "-//w3c//dtd html 3 1995-03-24//",
      "-//w3c//dtd html 3.2 draft//",
      "-//w3c//dtd html 3.2 final//",
      "-//w3c//dtd html 3.2//",
      "-//w3c//dtd html 3.2s draft//",
      "-//w3c//dtd html 4.0 frameset//",
      "-//w3c//dtd html 4.0 transitional//",
      "-//w3c//dtd html experimental 19960712//",
      "-//w3c//dtd html experimental 970421//",
      "-//w3c//dtd w3 html//",
      "-//w3o//dtd w3 html 3.0//",
      "-//webtechs//dtd mozilla html 2.0//",
      "-//webtechs//dtd mozilla html//"};
  for (const std::string_view prefix : kPrefixes) {
    if (StartsWithLower(doctype.public_id, prefix)) return true;
  }
  const bool html401 = StartsWithLower(doctype.public_id, "-//w3c//dtd html 4.01 frameset//") ||
                       StartsWithLower(doctype.public_id, "-//w3c//dtd html 4.01 transitional//");
  return html401 && !doctype.has_system_id;
}

}  // namespace

void HtmlTreeBuilder::OnDoctype(const DoctypeToken& doctype) {
  if (mode_ == Mode::kInTableText) FlushTableText();
  skip_newline_ = false;
  if (mode_ != Mode::kInitial) return;
  const NodeId id = NewNode(NodeType::kDoctype, tree_.arena_.Copy(doctype.name));
  if (!doctype.public_id.empty() || !doctype.system_id.empty()) {
    auto* ids = tree_.arena_.AllocateArray<TreeAttribute>(2);
    ids[0] = {"public", tree_.arena_.Copy(doctype.public_id), AttributeNamespace::kNone};
    ids[1] = {"system", tree_.arena_.Copy(doctype.system_id), AttributeNamespace::kNone};
    tree_.nodes_[id].attribute_data = ids;
    tree_.nodes_[id].attribute_count = 2;
  }
  Insert(id, {HtmlTree::kDocument});
  tree_.quirks_ = IsQuirky(doctype);
  mode_ = Mode::kBeforeHtml;
}

void HtmlTreeBuilder::OnComment(std::string_view data) {
  if (IsCut()) return;
  if (mode_ == Mode::kInTableText) FlushTableText();
  skip_newline_ = false;
  InsertMisc(NewNode(NodeType::kComment, tree_.arena_.Copy(data)));
}

void HtmlTreeBuilder::OnProcessingInstruction(std::string_view target, std::string_view data) {
  if (IsCut()) return;
  if (mode_ == Mode::kInTableText) FlushTableText();
  skip_newline_ = false;
  const NodeId id = NewNode(NodeType::kInstruction, tree_.arena_.Copy(target));
  auto* value = tree_.arena_.AllocateArray<TreeAttribute>(1);
  value[0] = {"data", tree_.arena_.Copy(data), AttributeNamespace::kNone};
  tree_.nodes_[id].attribute_data = value;
  tree_.nodes_[id].attribute_count = 1;
  InsertMisc(id);
}

// Once there are max_nodes, tokens are dropped.
bool HtmlTreeBuilder::IsCut() {
  if (tree_.nodes_.size() < options_.max_nodes) return false;
  tree_.cut_ = true;
  return true;
}

void HtmlTreeBuilder::OnStartTag(const TagToken& tag) {
  if (IsCut()) return;
  skip_newline_ = false;
  while (!StartTag(tag)) {
  }
  tokenizer_.set_cdata_allowed(!stack_.empty() && AdjustedCurrent().ns != Namespace::kHtml);
}

void HtmlTreeBuilder::OnEndTag(const TagToken& tag) {
  if (IsCut()) return;
  skip_newline_ = false;
  if (mode_ != Mode::kText && CloseShut(tag.tag)) return;
  if (stack_.empty() || AdjustedCurrent().ns == Namespace::kHtml || !EndInForeign(tag)) {
    while (!EndInMode(mode_, tag)) {
    }
  }
  tokenizer_.set_cdata_allowed(!stack_.empty() && AdjustedCurrent().ns != Namespace::kHtml);
}

bool HtmlTreeBuilder::StartTag(const TagToken& tag) {
  if (IsForeign(tag)) return StartInForeign(tag);
  return StartInMode(mode_, tag);
}

bool HtmlTreeBuilder::StartInMode(Mode mode, const TagToken& tag) {
  switch (mode) {
    case Mode::kInitial:
      tree_.quirks_ = true;
      mode_ = Mode::kBeforeHtml;
      return false;
    case Mode::kBeforeHtml:
      return StartBeforeHtml(tag);
    case Mode::kBeforeHead:
      return StartBeforeHead(tag);
    case Mode::kInHead:
      return StartInHead(tag);
    case Mode::kInHeadNoscript:
      return StartInHeadNoscript(tag);
    case Mode::kAfterHead:
      return StartAfterHead(tag);
    case Mode::kText:
      return true;  // not reached: only an end tag follows text
    case Mode::kInBody:
      return StartInBody(tag);
    case Mode::kInTable:
      return StartInTable(tag);
    case Mode::kInTableText:
      FlushTableText();
      return false;
    case Mode::kInCaption:
      return StartInCaption(tag);
    case Mode::kInColumnGroup:
      return StartInColumnGroup(tag);
    case Mode::kInTableBody:
      return StartInTableBody(tag);
    case Mode::kInRow:
      return StartInRow(tag);
    case Mode::kInCell:
      return StartInCell(tag);
    case Mode::kInTemplate:
      return StartInTemplate(tag);
    case Mode::kInFrameset:
      return StartInFrameset(tag);
    case Mode::kAfterBody:
    case Mode::kAfterAfterBody:
      if (tag.tag == Tag::kHtml) return StartInBody(tag);
      mode_ = Mode::kInBody;
      return false;
    case Mode::kAfterFrameset:
    case Mode::kAfterAfterFrameset:
      if (tag.tag == Tag::kHtml) return StartInBody(tag);
      if (tag.tag == Tag::kNoframes) return StartInHead(tag);
      return true;
  }
  return true;
}

bool HtmlTreeBuilder::EndInMode(Mode mode, const TagToken& tag) {
  const bool closes_page = tag.tag == Tag::kBody || tag.tag == Tag::kHtml || tag.tag == Tag::kBr;
  switch (mode) {
    case Mode::kInitial:
      tree_.quirks_ = true;
      mode_ = Mode::kBeforeHtml;
      return false;
    case Mode::kBeforeHtml:
    case Mode::kBeforeHead:
      return closes_page || tag.tag == Tag::kHead ? AnythingElse() : true;
    case Mode::kInHead:
      return EndInHead(tag);
    case Mode::kInHeadNoscript:
      if (tag.tag == Tag::kNoscript) {
        Pop();
        mode_ = Mode::kInHead;
        return true;
      }
      return tag.tag == Tag::kBr ? AnythingElse() : true;
    case Mode::kAfterHead:
      if (tag.tag == Tag::kTemplate) return EndInHead(tag);
      return closes_page ? AnythingElse() : true;
    case Mode::kText:
      Pop();
      mode_ = original_mode_;
      return true;
    case Mode::kInBody:
      return EndInBody(tag);
    case Mode::kInTable:
      return EndInTable(tag);
    case Mode::kInTableText:
      FlushTableText();
      return false;
    case Mode::kInCaption:
      return EndInCaption(tag);
    case Mode::kInColumnGroup:
      return EndInColumnGroup(tag);
    case Mode::kInTableBody:
      return EndInTableBody(tag);
    case Mode::kInRow:
      return EndInRow(tag);
    case Mode::kInCell:
      return EndInCell(tag);
    case Mode::kInTemplate:
      if (tag.tag == Tag::kTemplate) EndTemplate();
      return true;
    case Mode::kInFrameset:
      return EndInFrameset(tag);
    case Mode::kAfterBody:
      if (tag.tag == Tag::kHtml) {
        if (context_.id == kNoNode) mode_ = Mode::kAfterAfterBody;
        return true;
      }
      mode_ = Mode::kInBody;
      return false;
    case Mode::kAfterAfterBody:
      mode_ = Mode::kInBody;
      return false;
    case Mode::kAfterFrameset:
      if (tag.tag == Tag::kHtml) mode_ = Mode::kAfterAfterFrameset;
      return true;
    case Mode::kAfterAfterFrameset:
      return true;
  }
  return true;
}

// What a mode of the page's outer parts does with a token that it has no rule for: makes the element that
// must be there and goes on to the next mode, for the token to be given again.
bool HtmlTreeBuilder::AnythingElse() {
  switch (mode_) {
    case Mode::kInitial:
      tree_.quirks_ = true;
      mode_ = Mode::kBeforeHtml;
      break;
    case Mode::kBeforeHtml: {
      const NodeId html = NewElement(Tag::kHtml, Namespace::kHtml, "html");
      Insert(html, {HtmlTree::kDocument});
      Push({html, Tag::kHtml, Namespace::kHtml, false});
      mode_ = Mode::kBeforeHead;
      break;
    }
    case Mode::kBeforeHead:
      InsertImplied(Tag::kHead);
      head_ = current().id;
      mode_ = Mode::kInHead;
      break;
    case Mode::kInHead:
      Pop();
      mode_ = Mode::kAfterHead;
      break;
    case Mode::kInHeadNoscript:
      Pop();
      mode_ = Mode::kInHead;
      break;
    default:  // kAfterHead
      InsertImplied(Tag::kBody);
      mode_ = Mode::kInBody;
      break;
  }
  return false;
}

bool HtmlTreeBuilder::StartBeforeHtml(const TagToken& tag) {
  if (tag.tag != Tag::kHtml) return AnythingElse();
  const NodeId html = NewElement(tag);
  Insert(html, {HtmlTree::kDocument});
  Push({html, Tag::kHtml, Namespace::kHtml, false});
  mode_ = Mode::kBeforeHead;
  return true;
}

bool HtmlTreeBuilder::StartBeforeHead(const TagToken& tag) {
  if (tag.tag == Tag::kHtml) return StartInBody(tag);
  if (tag.tag != Tag::kHead) return AnythingElse();
  InsertPart(tag);
  head_ = current().id;
  mode_ = Mode::kInHead;
  return true;
}

bool HtmlTreeBuilder::StartInHead(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kHtml:
      return StartInBody(tag);
    case Tag::kBase:
    case Tag::kBasefont:
    case Tag::kBgsound:
    case Tag::kLink:
    case Tag::kMeta:
      InsertVoid(tag);
      return true;
    case Tag::kTitle:
      InsertTextElement(tag, Content::kRcdata);
      return true;
    case Tag::kNoscript:
      if (options_.scripting) {
        InsertTextElement(tag, Content::kRawtext);
      } else {
        InsertPart(tag);
        mode_ = Mode::kInHeadNoscript;
      }
      return true;
    case Tag::kNoframes:
    case Tag::kStyle:
      InsertTextElement(tag, Content::kRawtext);
      return true;
    case Tag::kScript:
      InsertTextElement(tag, Content::kScript);
      return true;
    case Tag::kTemplate:
      StartTemplate(tag);
      return true;
    case Tag::kHead:
      return true;
    default:
      return AnythingElse();
  }
}

bool HtmlTreeBuilder::EndInHead(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kHead:
      Pop();
      mode_ = Mode::kAfterHead;
      return true;
    case Tag::kTemplate:
      EndTemplate();
      return true;
    case Tag::kBody:
    case Tag::kHtml:
    case Tag::kBr:
      return AnythingElse();
    default:
      return true;
  }
}

void HtmlTreeBuilder::StartTemplate(const TagToken& tag) {
  if (!InsertElement(tag)) return;
  Insert(NewNode(NodeType::kContent, {}), {current().id});
  PushMarker();
  frameset_ok_ = false;
  mode_ = Mode::kInTemplate;
  template_modes_.push_back(Mode::kInTemplate);
}

void HtmlTreeBuilder::EndTemplate() {
  if (!IsOpen(Tag::kTemplate)) return;
  GenerateImpliedEndTags(Tag::kUnknown, kImpliedEnd | kTableEnd);
  PopUntil(Tag::kTemplate);
  ClearToMarker();
  template_modes_.pop_back();
  ResetInsertionMode();
}

bool HtmlTreeBuilder::StartInHeadNoscript(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kHtml:
      return StartInBody(tag);
    case Tag::kBasefont:
    case Tag::kBgsound:
    case Tag::kLink:
    case Tag::kMeta:
    case Tag::kNoframes:
    case Tag::kStyle:
      return StartInHead(tag);
    case Tag::kHead:
    case Tag::kNoscript:
      return true;
    default:
      return AnythingElse();
  }
}

bool HtmlTreeBuilder::StartAfterHead(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kHtml:
      return StartInBody(tag);
    case Tag::kBody:
      InsertPart(tag);
      frameset_ok_ = false;
      mode_ = Mode::kInBody;
      return true;
    case Tag::kFrameset:
      InsertPart(tag);
      mode_ = Mode::kInFrameset;
      return true;
    case Tag::kBase:
    case Tag::kBasefont:
    case Tag::kBgsound:
    case Tag::kLink:
    case Tag::kMeta:
    case Tag::kNoframes:
    case Tag::kScript:
    case Tag::kStyle:
    case Tag::kTemplate:
    case Tag::kTitle:
      Push({head_, Tag::kHead, Namespace::kHtml, false});
      StartInHead(tag);
      RemoveFromStack(head_);
      return true;
    case Tag::kHead:
      return true;
    default:
      return AnythingElse();
  }
}

bool HtmlTreeBuilder::StartInTemplate(const TagToken& tag) {
  Mode mode = Mode::kInBody;
  switch (tag.tag) {
    case Tag::kBase:
    case Tag::kBasefont:
    case Tag::kBgsound:
    case Tag::kLink:
    case Tag::kMeta:
    case Tag::kNoframes:
    case Tag::kScript:
    case Tag::kStyle:
    case Tag::kTemplate:
    case Tag::kTitle:
      return StartInHead(tag);
    case Tag::kCaption:
    case Tag::kColgroup:
    case Tag::kTbody:
    case Tag::kTfoot:
    case Tag::kThead:
      mode = Mode::kInTable;
      break;
    case Tag::kCol:
      mode = Mode::kInColumnGroup;
      break;
    case Tag::kTr:
      mode = Mode::kInTableBody;
      break;
    case Tag::kTd:
    case Tag::kTh:
      mode = Mode::kInRow;
      break;
    default:
      break;
  }
  template_modes_.back() = mode;
  mode_ = mode;
  return false;
}

bool HtmlTreeBuilder::StartInFrameset(const TagToken& tag) {
  if (tag.tag == Tag::kHtml) return StartInBody(tag);
  if (tag.tag == Tag::kFrameset) InsertElement(tag);
  if (tag.tag == Tag::kFrame) InsertVoid(tag);
  if (tag.tag == Tag::kNoframes) return StartInHead(tag);
  return true;
}

bool HtmlTreeBuilder::EndInFrameset(const TagToken& tag) {
  if (tag.tag != Tag::kFrameset || stack_.size() == 1) return true;
  Pop();
  if (context_.id == kNoNode && !CurrentIs(Tag::kFrameset)) mode_ = Mode::kAfterFrameset;
  return true;
}

void HtmlTreeBuilder::ResetInsertionMode() {
  for (size_t i = stack_.size(); i-- > 0;) {
    const bool last = i == 0;
    const Open& open = last && context_.id != kNoNode ? context_ : stack_[i];
    if (open.ns == Namespace::kHtml) {
      switch (open.tag) {
        case Tag::kTd:
        case Tag::kTh:
          if (last) break;
          mode_ = Mode::kInCell;
          return;
        case Tag::kTr:
          mode_ = Mode::kInRow;
          return;
        case Tag::kTbody:
        case Tag::kThead:
        case Tag::kTfoot:
          mode_ = Mode::kInTableBody;
          return;
        case Tag::kCaption:
          mode_ = Mode::kInCaption;
          return;
        case Tag::kColgroup:
          mode_ = Mode::kInColumnGroup;
          return;
        case Tag::kTable:
          mode_ = Mode::kInTable;
          return;
        case Tag::kTemplate:
          mode_ = template_modes_.back();
          return;
        case Tag::kHead:
          if (last) break;
          mode_ = Mode::kInHead;
          return;
        case Tag::kBody:
          mode_ = Mode::kInBody;
          return;
        case Tag::kFrameset:
          mode_ = Mode::kInFrameset;
          return;
        case Tag::kHtml:
          mode_ = head_ == kNoNode ? Mode::kBeforeHead : Mode::kAfterHead;
          return;
        default:
          break;
      }
    }
    if (last) mode_ = Mode::kInBody;
  }
}

// Text.  Runs are taken in stretches that a rule covers; each rule says how much it took (0: the mode
// changed).

void HtmlTreeBuilder::OnText(std::string_view text) {
  if (IsCut()) return;
  if (skip_newline_) {
    skip_newline_ = false;
    if (text[0] == '\n') text.remove_prefix(1);
  }
  while (!text.empty()) text.remove_prefix(Text(text));
}

size_t HtmlTreeBuilder::Text(std::string_view text) {
  const bool nul = text[0] == '\0';  // a run of its own
  if (IsForeignText()) {
    InsertText(nul ? kReplacementCharacter : text);
    if (!nul && !IsAllSpace(text)) frameset_ok_ = false;
    return text.size();
  }
  size_t spaces = 0;
  while (spaces < text.size() && IsHtmlSpace(text[spaces])) ++spaces;
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

// The end of the input, mode by mode.
void HtmlTreeBuilder::End() {
  for (;;) {
    switch (mode_) {
      case Mode::kInitial:
      case Mode::kBeforeHtml:
      case Mode::kBeforeHead:
      case Mode::kInHead:
      case Mode::kInHeadNoscript:
      case Mode::kAfterHead:
        AnythingElse();
        continue;
      case Mode::kText:
        Pop();
        mode_ = original_mode_;
        continue;
      case Mode::kInTableText:
        FlushTableText();
        continue;
      default:
        break;
    }
    if (template_modes_.empty() || !IsOpen(Tag::kTemplate)) return;
    PopUntil(Tag::kTemplate);
    ClearToMarker();
    template_modes_.pop_back();
    ResetInsertionMode();
  }
}

}  // namespace crivello::web
