// SPDX-License-Identifier: Apache-2.0
// The insertion modes of tables.
#include "base/ascii.h"
#include "html/html_tree_builder.h"

namespace crivello::html {

// Pops until the current node is what the mode's rules start from: table, table body or row (or <template>,
// <html>).
void HtmlTreeBuilder::ClearStackTo(Mode context) {
  for (;; Pop()) {
    if (current().ns != Namespace::kHtml) continue;
    switch (current().tag) {
      case Tag::kHtml:
      case Tag::kTemplate:
        return;
      case Tag::kTable:
        if (context == Mode::kInTable) return;
        break;
      case Tag::kTbody:
      case Tag::kTfoot:
      case Tag::kThead:
        if (context == Mode::kInTableBody) return;
        break;
      case Tag::kTr:
        if (context == Mode::kInRow) return;
        break;
      default:
        break;
    }
  }
}

// The text between the parts of a table: white space stays there, other text goes before the table.
void HtmlTreeBuilder::FlushTableText() {
  mode_ = original_mode_;
  if (IsAllSpace(table_text_)) {
    InsertText(table_text_);
  } else {
    foster_parenting_ = true;
    TextInBody(table_text_);
    foster_parenting_ = false;
  }
  table_text_.clear();
}

bool HtmlTreeBuilder::StartFostered(const TagToken& tag) {
  foster_parenting_ = true;
  const bool done = StartInBody(tag);
  foster_parenting_ = false;
  return done;
}

bool HtmlTreeBuilder::StartInTable(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kCaption:
      ClearStackTo(Mode::kInTable);
      PushMarker();
      InsertPart(tag);
      mode_ = Mode::kInCaption;
      return true;
    case Tag::kColgroup:
      ClearStackTo(Mode::kInTable);
      InsertPart(tag);
      mode_ = Mode::kInColumnGroup;
      return true;
    case Tag::kCol:
      ClearStackTo(Mode::kInTable);
      InsertImplied(Tag::kColgroup);
      mode_ = Mode::kInColumnGroup;
      return false;
    case Tag::kTbody:
    case Tag::kTfoot:
    case Tag::kThead:
      ClearStackTo(Mode::kInTable);
      InsertPart(tag);
      mode_ = Mode::kInTableBody;
      return true;
    case Tag::kTd:
    case Tag::kTh:
    case Tag::kTr:
      ClearStackTo(Mode::kInTable);
      InsertImplied(Tag::kTbody);
      mode_ = Mode::kInTableBody;
      return false;
    case Tag::kTable:
      if (!InScope(Tag::kTable, Scope::kTable)) return true;
      PopUntil(Tag::kTable);
      ResetInsertionMode();
      return false;
    case Tag::kStyle:
    case Tag::kScript:
    case Tag::kTemplate:
      return StartInHead(tag);
    case Tag::kInput: {
      const std::string_view* type = tag.Find("type");
      if (type == nullptr || !EqualsIgnoringCase(*type, "hidden")) return StartFostered(tag);
      InsertVoid(tag);
      return true;
    }
    case Tag::kForm: {
      if (IsOpen(Tag::kTemplate) || form_ != kNoNode) return true;
      const NodeId form = NewElement(tag);
      Insert(form, AppropriatePlace());
      form_ = form;
      return true;
    }
    default:
      return StartFostered(tag);
  }
}

bool HtmlTreeBuilder::EndInTable(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kTable:
      if (!InScope(Tag::kTable, Scope::kTable)) return true;
      PopUntil(Tag::kTable);
      ResetInsertionMode();
      return true;
    case Tag::kBody:
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kHtml:
    case Tag::kTbody:
    case Tag::kTd:
    case Tag::kTfoot:
    case Tag::kTh:
    case Tag::kThead:
    case Tag::kTr:
      return true;
    case Tag::kTemplate:
      EndTemplate();
      return true;
    default: {
      foster_parenting_ = true;
      const bool done = EndInBody(tag);
      foster_parenting_ = false;
      return done;
    }
  }
}

bool HtmlTreeBuilder::StartInTableBody(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kTr:
      ClearStackTo(Mode::kInTableBody);
      InsertPart(tag);
      mode_ = Mode::kInRow;
      return true;
    case Tag::kTh:
    case Tag::kTd:
      ClearStackTo(Mode::kInTableBody);
      InsertImplied(Tag::kTr);
      mode_ = Mode::kInRow;
      return false;
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kTbody:
    case Tag::kTfoot:
    case Tag::kThead:
      return LeaveTableBody();
    default:
      return StartInTable(tag);
  }
}

// Closes the table body, if there is one; true: there is none, and the token is ignored.
bool HtmlTreeBuilder::LeaveTableBody() {
  if (!InScope(Tag::kTbody, Scope::kTable) && !InScope(Tag::kThead, Scope::kTable) &&
      !InScope(Tag::kTfoot, Scope::kTable)) {
    return true;
  }
  ClearStackTo(Mode::kInTableBody);
  Pop();
  mode_ = Mode::kInTable;
  return false;
}

bool HtmlTreeBuilder::EndInTableBody(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kTbody:
    case Tag::kTfoot:
    case Tag::kThead:
      if (InScope(tag.tag, Scope::kTable)) LeaveTableBody();
      return true;
    case Tag::kTable:
      return LeaveTableBody();
    case Tag::kBody:
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kHtml:
    case Tag::kTd:
    case Tag::kTh:
    case Tag::kTr:
      return true;
    default:
      return EndInTable(tag);
  }
}

bool HtmlTreeBuilder::StartInRow(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kTh:
    case Tag::kTd:
      ClearStackTo(Mode::kInRow);
      InsertPart(tag);
      mode_ = Mode::kInCell;
      PushMarker();
      return true;
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kTbody:
    case Tag::kTfoot:
    case Tag::kThead:
    case Tag::kTr:
      return LeaveRow();
    default:
      return StartInTable(tag);
  }
}

bool HtmlTreeBuilder::LeaveRow() {
  if (!InScope(Tag::kTr, Scope::kTable)) return true;
  ClearStackTo(Mode::kInRow);
  Pop();
  mode_ = Mode::kInTableBody;
  return false;
}

bool HtmlTreeBuilder::EndInRow(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kTr:
      LeaveRow();
      return true;
    case Tag::kTable:
      return LeaveRow();
    case Tag::kTbody:
    case Tag::kTfoot:
    case Tag::kThead:
      return InScope(tag.tag, Scope::kTable) ? LeaveRow() : true;
    case Tag::kBody:
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kHtml:
    case Tag::kTd:
    case Tag::kTh:
      return true;
    default:
      return EndInTable(tag);
  }
}

void HtmlTreeBuilder::CloseCell() {
  GenerateImpliedEndTags();
  while (!CurrentIs(Tag::kTd) && !CurrentIs(Tag::kTh)) Pop();
  Pop();
  ClearToMarker();
  mode_ = Mode::kInRow;
}

bool HtmlTreeBuilder::StartInCell(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kTbody:
    case Tag::kTd:
    case Tag::kTfoot:
    case Tag::kTh:
    case Tag::kThead:
    case Tag::kTr:
      if (!InScope(Tag::kTd, Scope::kTable) && !InScope(Tag::kTh, Scope::kTable)) return true;
      CloseCell();
      return false;
    default:
      return StartInBody(tag);
  }
}

bool HtmlTreeBuilder::EndInCell(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kTd:
    case Tag::kTh:
      if (!InScope(tag.tag, Scope::kTable)) return true;
      GenerateImpliedEndTags();
      PopUntil(tag.tag);
      ClearToMarker();
      mode_ = Mode::kInRow;
      return true;
    case Tag::kBody:
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kHtml:
      return true;
    case Tag::kTable:
    case Tag::kTbody:
    case Tag::kTfoot:
    case Tag::kThead:
    case Tag::kTr:
      if (!InScope(tag.tag, Scope::kTable)) return true;
      if (!InScope(Tag::kTd, Scope::kTable) && !InScope(Tag::kTh, Scope::kTable)) return true;
      CloseCell();
      return false;
    default:
      return EndInBody(tag);
  }
}

bool HtmlTreeBuilder::LeaveCaption() {
  if (!InScope(Tag::kCaption, Scope::kTable)) return true;
  GenerateImpliedEndTags();
  PopUntil(Tag::kCaption);
  ClearToMarker();
  mode_ = Mode::kInTable;
  return false;
}

bool HtmlTreeBuilder::StartInCaption(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kCaption:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kTbody:
    case Tag::kTd:
    case Tag::kTfoot:
    case Tag::kTh:
    case Tag::kThead:
    case Tag::kTr:
      return LeaveCaption();
    default:
      return StartInBody(tag);
  }
}

bool HtmlTreeBuilder::EndInCaption(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kCaption:
      LeaveCaption();
      return true;
    case Tag::kTable:
      return LeaveCaption();
    case Tag::kBody:
    case Tag::kCol:
    case Tag::kColgroup:
    case Tag::kHtml:
    case Tag::kTbody:
    case Tag::kTd:
    case Tag::kTfoot:
    case Tag::kTh:
    case Tag::kThead:
    case Tag::kTr:
      return true;
    default:
      return EndInBody(tag);
  }
}

bool HtmlTreeBuilder::LeaveColumnGroup() {
  if (!CurrentIs(Tag::kColgroup)) return true;
  Pop();
  mode_ = Mode::kInTable;
  return false;
}

bool HtmlTreeBuilder::StartInColumnGroup(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kHtml:
      return StartInBody(tag);
    case Tag::kCol:
      InsertVoid(tag);
      return true;
    case Tag::kTemplate:
      return StartInHead(tag);
    default:
      return LeaveColumnGroup();
  }
}

bool HtmlTreeBuilder::EndInColumnGroup(const TagToken& tag) {
  switch (tag.tag) {
    case Tag::kColgroup:
      LeaveColumnGroup();
      return true;
    case Tag::kCol:
      return true;
    case Tag::kTemplate:
      EndTemplate();
      return true;
    default:
      return LeaveColumnGroup();
  }
}

}  // namespace crivello::html
