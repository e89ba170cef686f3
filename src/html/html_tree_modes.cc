// SPDX-License-Identifier: Apache-2.0
// Chooses the rules for a token, and has those for the outer parts of a page: before, in and after head,
// templates, framesets, the end.
#include "html/html_tree_builder.h"

namespace crivello::html {
namespace {

using Content = HtmlTokenizer::Content;

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

// Beyond max_nodes, tokens are dropped.
bool HtmlTreeBuilder::IsCut() {
  if (tree_.nodes_.size() < options_.max_nodes) return false;
  tree_.cut_ = true;
  return true;
}

void HtmlTreeBuilder::OnStartTag(const TagToken& tag) {
  if (IsCut()) return;
  if (options_.observer != nullptr) options_.observer->OnStartTag(tag);
  skip_newline_ = false;
  while (!StartTag(tag)) {
  }
  tokenizer_.set_cdata_allowed(!stack_.empty() && AdjustedCurrent().ns != Namespace::kHtml);
}

void HtmlTreeBuilder::OnEndTag(const TagToken& tag) {
  if (IsCut()) return;
  if (options_.observer != nullptr) options_.observer->OnEndTag(tag);
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
      return true;  // not reached: only an end tag can follow text
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

// How the modes for the outer parts handle a token without a rule: insert the missing element and change to
// the next mode, which then gets the token.
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

// The end of the input, for each mode.
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

}  // namespace crivello::html
