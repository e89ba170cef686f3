// SPDX-License-Identifier: Apache-2.0
// The insertion mode "in body".
#include "base/ascii.h"
#include "html/html_tree_builder.h"

namespace crivello::html {
namespace {

using Content = HtmlTokenizer::Content;

bool IsHeading(Tag tag) { return tag >= Tag::kH1 && tag <= Tag::kH6; }
static_assert(static_cast<int>(Tag::kH6) - static_cast<int>(Tag::kH1) == 5);

}  // namespace

void HtmlTreeBuilder::ClosePInButtonScope() {
  if (!InScope(Tag::kP, Scope::kButton)) return;
  GenerateImpliedEndTags(Tag::kP);
  PopUntil(Tag::kP);
}

bool HtmlTreeBuilder::StartInBody(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kAddress:
    case Tag::kArticle:
    case Tag::kAside:
    case Tag::kBlockquote:
    case Tag::kCenter:
    case Tag::kDetails:
    case Tag::kDialog:
    case Tag::kDir:
    case Tag::kDiv:
    case Tag::kDl:
    case Tag::kFieldset:
    case Tag::kFigcaption:
    case Tag::kFigure:
    case Tag::kFooter:
    case Tag::kHeader:
    case Tag::kHgroup:
    case Tag::kMain:
    case Tag::kMenu:
    case Tag::kNav:
    case Tag::kOl:
    case Tag::kP:
    case Tag::kSearch:
    case Tag::kSection:
    case Tag::kSummary:
    case Tag::kUl:
      ClosePInButtonScope();
      InsertElement(tag);
      return true;
    case Tag::kH1:
    case Tag::kH2:
    case Tag::kH3:
    case Tag::kH4:
    case Tag::kH5:
    case Tag::kH6:
      ClosePInButtonScope();
      if (current().ns == Namespace::kHtml && IsHeading(current().tag)) Pop();
      InsertElement(tag);
      return true;
    case Tag::kPre:
    case Tag::kListing:
      ClosePInButtonScope();
      InsertElement(tag);
      skip_newline_ = true;
      frameset_ok_ = false;
      return true;
    case Tag::kLi:
    case Tag::kDd:
    case Tag::kDt:
      StartListItem(tag);
      return true;
    case Tag::kA:
      if (const size_t entry = LastFormatting(Tag::kA); entry < formatting_.size()) {
        const NodeId id = formatting_[entry].id;
        RunAdoptionAgency(tag);
        const size_t left = FormattingIndex(id);
        if (left < formatting_.size()) formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(left));
        RemoveFromStack(id);
      }
      Reconstruct();
      if (InsertElement(tag)) PushFormatting(tag);
      return true;
    case Tag::kB:
    case Tag::kBig:
    case Tag::kCode:
    case Tag::kEm:
    case Tag::kFont:
    case Tag::kI:
    case Tag::kS:
    case Tag::kSmall:
    case Tag::kStrike:
    case Tag::kStrong:
    case Tag::kTt:
    case Tag::kU:
      Reconstruct();
      if (InsertElement(tag)) PushFormatting(tag);
      return true;
    case Tag::kArea:
    case Tag::kBr:
    case Tag::kEmbed:
    case Tag::kImg:
    case Tag::kKeygen:
    case Tag::kWbr:
      Reconstruct();
      InsertVoid(tag);
      frameset_ok_ = false;
      return true;
    case Tag::kTable:
      if (!tree_.quirks_) ClosePInButtonScope();
      if (InsertElement(tag)) mode_ = Mode::kInTable;
      frameset_ok_ = false;
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
      return StartInHead(tag);
    default:
      return StartInBodyRare(tag);
  }
}

bool HtmlTreeBuilder::StartInBodyRare(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kHtml:
      if (!IsOpen(Tag::kTemplate)) AddMissingAttributes(tag, stack_[0].id);
      return true;
    case Tag::kBody:
      if (stack_.size() == 1 || !stack_[1].Is(Tag::kBody) || IsOpen(Tag::kTemplate)) return true;
      frameset_ok_ = false;
      AddMissingAttributes(tag, stack_[1].id);
      return true;
    case Tag::kFrameset:
      StartFrameset(tag);
      return true;
    case Tag::kForm:
      if (form_ != kNoNode && !IsOpen(Tag::kTemplate)) return true;
      ClosePInButtonScope();
      if (InsertElement(tag) && !IsOpen(Tag::kTemplate)) form_ = current().id;
      return true;
    case Tag::kPlaintext:
      ClosePInButtonScope();
      InsertElement(tag);
      tokenizer_.SetContent(Content::kPlaintext);
      return true;
    case Tag::kButton:
      if (InScope(Tag::kButton)) {
        GenerateImpliedEndTags();
        PopUntil(Tag::kButton);
      }
      Reconstruct();
      InsertElement(tag);
      frameset_ok_ = false;
      return true;
    case Tag::kNobr:
      Reconstruct();
      if (InScope(Tag::kNobr)) {
        RunAdoptionAgency(tag);
        Reconstruct();
      }
      if (InsertElement(tag)) PushFormatting(tag);
      return true;
    case Tag::kApplet:
    case Tag::kMarquee:
    case Tag::kObject:
      Reconstruct();
      if (InsertElement(tag)) PushMarker();
      frameset_ok_ = false;
      return true;
    case Tag::kInput:
      StartInput(tag);
      return true;
    case Tag::kParam:
    case Tag::kSource:
    case Tag::kTrack:
      InsertVoid(tag);
      return true;
    case Tag::kImage: {
      TagToken img = tag;
      img.tag = Tag::kImg;
      img.name = TagName(Tag::kImg);
      return StartInBody(img);
    }
    case Tag::kTextarea:
      InsertTextElement(tag, Content::kRcdata);
      skip_newline_ = true;
      frameset_ok_ = false;
      return true;
    case Tag::kXmp:
      ClosePInButtonScope();
      Reconstruct();
      frameset_ok_ = false;
      InsertTextElement(tag, Content::kRawtext);
      return true;
    case Tag::kIframe:
      frameset_ok_ = false;
      InsertTextElement(tag, Content::kRawtext);
      return true;
    case Tag::kNoembed:
      InsertTextElement(tag, Content::kRawtext);
      return true;
    case Tag::kNoscript:
      if (options_.scripting) {
        InsertTextElement(tag, Content::kRawtext);
        return true;
      }
      break;
    case Tag::kHr:
    case Tag::kSelect:
    case Tag::kOptgroup:
    case Tag::kOption:
      StartSelectPart(tag);
      return true;
    case Tag::kRb:
    case Tag::kRtc:
    case Tag::kRp:
    case Tag::kRt:
      if (InScope(Tag::kRuby)) {
        GenerateImpliedEndTags(tag.tag == Tag::kRp || tag.tag == Tag::kRt ? Tag::kRtc : Tag::kUnknown);
      }
      InsertElement(tag);
      return true;
    case Tag::kMath:
    case Tag::kSvg:
      Reconstruct();
      InsertForeign(tag, tag.tag == Tag::kSvg ? Namespace::kSvg : Namespace::kMathMl);
      return true;
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kFrame:
    case Tag::kHead:
    case Tag::kTbody:
    case Tag::kTd:
    case Tag::kTfoot:
    case Tag::kTh:
    case Tag::kThead:
    case Tag::kTr:
      return true;
    default:
      break;
  }
  Reconstruct();
  InsertElement(tag);
  return true;
}

void HtmlTreeBuilder::StartFrameset(const TagToken& tag) {
  if (stack_.size() == 1 || !stack_[1].Is(Tag::kBody) || !frameset_ok_) return;
  Remove(stack_[1].id);
  while (stack_.size() > 1) Pop();
  InsertPart(tag);
  mode_ = Mode::kInFrameset;
}

void HtmlTreeBuilder::StartListItem(const TagToken& tag) {
  frameset_ok_ = false;
  const bool item = tag.tag == Tag::kLi;
  for (size_t i = stack_.size(); i-- > 0;) {
    const Open& open = stack_[i];
    const bool same = item ? open.Is(Tag::kLi) : open.Is(Tag::kDd) || open.Is(Tag::kDt);
    if (same) {
      const Tag found = open.tag;
      GenerateImpliedEndTags(found);
      PopUntil(found);
      break;
    }
    if (IsSpecial(open) && !open.Is(Tag::kAddress) && !open.Is(Tag::kDiv) && !open.Is(Tag::kP)) break;
  }
  ClosePInButtonScope();
  InsertElement(tag);
}

// <select> and its parts; since 2025 it may have any content.
void HtmlTreeBuilder::StartSelectPart(const TagToken& tag) {
  if (tag.tag == Tag::kHr) ClosePInButtonScope();
  const bool in_select = InScope(Tag::kSelect);
  if (tag.tag == Tag::kSelect) {
    if (context_.id != kNoNode && context_.Is(Tag::kSelect)) return;
    if (in_select) {
      PopUntil(Tag::kSelect);
      return;
    }
    frameset_ok_ = false;
  } else if (in_select) {
    GenerateImpliedEndTags(tag.tag == Tag::kOption ? Tag::kOptgroup : Tag::kUnknown);
  } else if (tag.tag != Tag::kHr && CurrentIs(Tag::kOption)) {
    Pop();
  }
  if (tag.tag == Tag::kHr) {
    InsertVoid(tag);
    frameset_ok_ = false;
    return;
  }
  Reconstruct();
  InsertElement(tag);
}

void HtmlTreeBuilder::StartInput(const TagToken& tag) {
  if (context_.id != kNoNode && context_.Is(Tag::kSelect)) return;
  if (InScope(Tag::kSelect)) PopUntil(Tag::kSelect);
  Reconstruct();
  InsertVoid(tag);
  const std::string_view* type = tag.Find("type");
  if (type == nullptr || !EqualsIgnoringCase(*type, "hidden")) frameset_ok_ = false;
}

bool HtmlTreeBuilder::EndInBody(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kTemplate:
      EndTemplate();
      return true;
    case Tag::kBody:
    case Tag::kHtml:
      if (!InScope(Tag::kBody)) return true;
      mode_ = Mode::kAfterBody;
      return tag.tag == Tag::kBody;
    case Tag::kAddress:
    case Tag::kArticle:
    case Tag::kAside:
    case Tag::kBlockquote:
    case Tag::kButton:
    case Tag::kCenter:
    case Tag::kDetails:
    case Tag::kDialog:
    case Tag::kDir:
    case Tag::kDiv:
    case Tag::kDl:
    case Tag::kFieldset:
    case Tag::kFigcaption:
    case Tag::kFigure:
    case Tag::kFooter:
    case Tag::kHeader:
    case Tag::kHgroup:
    case Tag::kListing:
    case Tag::kMain:
    case Tag::kMenu:
    case Tag::kNav:
    case Tag::kOl:
    case Tag::kPre:
    case Tag::kSearch:
    case Tag::kSection:
    case Tag::kSelect:
    case Tag::kSummary:
    case Tag::kUl:
      if (!InScope(tag.tag)) return true;
      GenerateImpliedEndTags();
      PopUntil(tag.tag);
      return true;
    case Tag::kForm:
      EndFormInBody();
      return true;
    case Tag::kP:
      if (!InScope(Tag::kP, Scope::kButton)) InsertImplied(Tag::kP);
      ClosePInButtonScope();
      return true;
    case Tag::kLi:
    case Tag::kDd:
    case Tag::kDt:
      if (!InScope(tag.tag, tag.tag == Tag::kLi ? Scope::kListItem : Scope::kDefault)) return true;
      GenerateImpliedEndTags(tag.tag);
      PopUntil(tag.tag);
      return true;
    case Tag::kH1:
    case Tag::kH2:
    case Tag::kH3:
    case Tag::kH4:
    case Tag::kH5:
    case Tag::kH6: {
      bool in_scope = false;
      for (int i = 0; i < 6; ++i) {
        in_scope = in_scope || InScope(static_cast<Tag>(static_cast<int>(Tag::kH1) + i));
      }
      if (!in_scope) return true;
      GenerateImpliedEndTags();
      while (current().ns != Namespace::kHtml || !IsHeading(current().tag)) Pop();
      Pop();
      return true;
    }
    case Tag::kA:
    case Tag::kB:
    case Tag::kBig:
    case Tag::kCode:
    case Tag::kEm:
    case Tag::kFont:
    case Tag::kI:
    case Tag::kNobr:
    case Tag::kS:
    case Tag::kSmall:
    case Tag::kStrike:
    case Tag::kStrong:
    case Tag::kTt:
    case Tag::kU:
      RunAdoptionAgency(tag);
      return true;
    case Tag::kApplet:
    case Tag::kMarquee:
    case Tag::kObject:
      if (!InScope(tag.tag)) return true;
      GenerateImpliedEndTags();
      PopUntil(tag.tag);
      ClearToMarker();
      return true;
    case Tag::kBr: {
      TagToken br;
      br.tag = Tag::kBr;
      br.name = TagName(Tag::kBr);
      return StartInBody(br);
    }
    default:
      AnyOtherEndTag(tag);
      return true;
  }
}

void HtmlTreeBuilder::EndFormInBody() {
  if (IsOpen(Tag::kTemplate)) {
    if (!InScope(Tag::kForm)) return;
    GenerateImpliedEndTags();
    PopUntil(Tag::kForm);
    return;
  }
  const NodeId form = form_;
  form_ = kNoNode;
  if (form == kNoNode || StackIndex(form) == stack_.size() || stack_[StackIndex(form)].tag != Tag::kForm ||
      !InScope(form)) {
    return;
  }
  GenerateImpliedEndTags();
  RemoveFromStack(form);
}

void HtmlTreeBuilder::AnyOtherEndTag(const TagToken& tag) {
  if (!IsOpen(tag.tag)) return;
  for (size_t i = stack_.size(); i-- > 0;) {
    const Open& open = stack_[i];
    if (open.Is(tag.tag) && (tag.tag != Tag::kUnknown || tree_.nodes_[open.id].text == tag.name)) {
      GenerateImpliedEndTags(tag.tag == Tag::kUnknown ? Tag::kCount : tag.tag);
      while (stack_.size() > i) Pop();
      return;
    }
    if (IsSpecial(open)) return;
  }
}

}  // namespace crivello::html
