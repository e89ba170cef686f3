// SPDX-License-Identifier: Apache-2.0
// The machine behind html_tree.h; only included in this module.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html/html_tokenizer.h"
#include "html/html_tree.h"

namespace crivello::html {

// Tree construction (WHATWG 13.2.6): receives tokens, maintains the stack of open elements and the list of
// active formatting elements, and creates nodes. Names are the standard's where it has them. The insertion
// modes are in html_tree_modes.cc (outer parts of pages), _body.cc, _table.cc and _foreign.cc; text in all
// modes is in _text.cc.
//
// A function for a token returns whether the token is done. False: the mode has changed; process it again.
//
// The stack has at most max_depth and a few elements. An element beyond that becomes a child of the current
// node but is not opened, and its name is put into shut_, so that its end tag does not close another one.
class HtmlTreeBuilder : private TokenSink {
 public:
  explicit HtmlTreeBuilder(const TreeOptions& options);

  HtmlTree Build(std::string_view html);
  HtmlTree BuildFragment(std::string_view html, std::string_view context, Namespace ns);

 private:
  enum class Mode : uint8_t {
    kInitial,
    kBeforeHtml,
    kBeforeHead,
    kInHead,
    kInHeadNoscript,
    kAfterHead,
    kInBody,
    kText,
    kInTable,
    kInTableText,
    kInCaption,
    kInColumnGroup,
    kInTableBody,
    kInRow,
    kInCell,
    kInTemplate,
    kAfterBody,
    kInFrameset,
    kAfterFrameset,
    kAfterAfterBody,
    kAfterAfterFrameset,
  };
  enum class Scope : uint8_t { kDefault, kListItem, kButton, kTable };

  struct Open {
    NodeId id = kNoNode;
    Tag tag = Tag::kUnknown;
    Namespace ns = Namespace::kHtml;
    bool html_integration = false;

    bool Is(Tag wanted) const { return tag == wanted && ns == Namespace::kHtml; }
  };
  struct Formatting {
    NodeId id = kNoNode;  // kNoNode: a marker
    Tag tag = Tag::kUnknown;
    uint64_t attributes = 0;  // their signature, independent of their order
  };
  struct Place {
    NodeId parent;
    NodeId before = kNoNode;  // kNoNode: as the last child
  };

  void OnText(std::string_view text) override;
  void OnStartTag(const TagToken& tag) override;
  void OnEndTag(const TagToken& tag) override;
  void OnComment(std::string_view data) override;
  void OnDoctype(const DoctypeToken& doctype) override;
  void OnProcessingInstruction(std::string_view target, std::string_view data) override;

  // html_tree_builder.cc: nodes
  NodeId NewNode(NodeType type, std::string_view text);
  NodeId NewElement(Tag tag, Namespace ns, std::string_view name);
  NodeId NewElement(const TagToken& tag);
  NodeId Clone(NodeId id);
  void CopyAttributes(const TagToken& tag, Namespace ns, Node* node);
  void AddMissingAttributes(const TagToken& tag, NodeId id);
  void Insert(NodeId child, Place place);
  void Remove(NodeId child);
  void MoveChildren(NodeId from, NodeId to);
  Place AppropriatePlace(NodeId target = kNoNode) const;
  void InsertText(std::string_view text);
  void AppendToText(std::string_view text, Node* node);
  void InsertMisc(NodeId id);
  bool IsCut();

  // html_tree_builder.cc: the stack
  const Open& current() const { return stack_.back(); }
  bool CurrentIs(Tag tag) const { return current().Is(tag); }
  void Push(Open open);
  void Pop();
  void PopUntil(Tag tag);
  void RemoveFromStack(NodeId id);
  size_t StackIndex(NodeId id) const;
  bool InScope(Tag tag, Scope scope = Scope::kDefault) const;
  bool InScope(NodeId id) const;
  static bool BoundsScope(const Open& open, Scope scope);
  static bool IsSpecial(const Open& open);
  bool IsOpen(Tag tag) const { return open_[static_cast<size_t>(tag)] > 0; }
  bool IsFull() const { return stack_.size() >= options_.max_depth; }
  bool CloseShut(Tag tag);
  void GenerateImpliedEndTags(Tag except = Tag::kUnknown, unsigned kinds = kImpliedEnd);
  // Inserts an element and opens it; false if it is beyond max_depth and was not opened.
  bool InsertElement(const TagToken& tag);
  bool OpenUnlessFull(Open open);
  void InsertPart(const TagToken& tag);  // always opened, because the mode's rules rely on it
  void InsertImplied(Tag tag);
  void InsertVoid(const TagToken& tag);
  void InsertTextElement(const TagToken& tag, HtmlTokenizer::Content content);

  // html_tree_formatting.cc
  void PushFormatting(const TagToken& tag);
  void PushMarker() { formatting_.emplace_back(); }
  void ClearToMarker();
  void Reconstruct();
  size_t FormattingIndex(NodeId id) const;
  size_t LastFormatting(Tag tag) const;
  void RunAdoptionAgency(const TagToken& tag);
  bool AdoptOnce(Tag subject);

  // html_tree_modes.cc
  bool StartTag(const TagToken& tag);
  bool StartInMode(Mode mode, const TagToken& tag);
  bool EndInMode(Mode mode, const TagToken& tag);
  bool StartBeforeHtml(const TagToken& tag);
  bool StartBeforeHead(const TagToken& tag);
  bool StartInHead(const TagToken& tag);
  bool StartInHeadNoscript(const TagToken& tag);
  bool StartAfterHead(const TagToken& tag);
  bool StartInTemplate(const TagToken& tag);
  bool StartInFrameset(const TagToken& tag);
  bool EndInHead(const TagToken& tag);
  bool EndInFrameset(const TagToken& tag);
  bool AnythingElse();
  void StartTemplate(const TagToken& tag);
  void EndTemplate();
  void ResetInsertionMode();
  void End();

  // html_tree_text.cc
  size_t Text(std::string_view text);
  size_t TextInBody(std::string_view text);

  // html_tree_body.cc
  bool StartInBody(const TagToken& tag);
  bool StartInBodyRare(const TagToken& tag);
  bool EndInBody(const TagToken& tag);
  void EndFormInBody();
  void AnyOtherEndTag(const TagToken& tag);
  void ClosePInButtonScope();
  void StartListItem(const TagToken& tag);
  void StartFrameset(const TagToken& tag);
  void StartSelectPart(const TagToken& tag);
  void StartInput(const TagToken& tag);

  // html_tree_table.cc
  bool StartInTable(const TagToken& tag);
  bool StartInTableBody(const TagToken& tag);
  bool StartInRow(const TagToken& tag);
  bool StartInCell(const TagToken& tag);
  bool StartInCaption(const TagToken& tag);
  bool StartInColumnGroup(const TagToken& tag);
  bool EndInTable(const TagToken& tag);
  bool EndInTableBody(const TagToken& tag);
  bool EndInRow(const TagToken& tag);
  bool EndInCell(const TagToken& tag);
  bool EndInCaption(const TagToken& tag);
  bool EndInColumnGroup(const TagToken& tag);
  bool StartFostered(const TagToken& tag);
  bool LeaveColumnGroup();
  bool LeaveCaption();
  bool LeaveRow();
  bool LeaveTableBody();
  void CloseCell();
  void ClearStackTo(Mode context);
  void FlushTableText();

  // html_tree_foreign.cc
  Open AdjustedCurrent() const;
  bool IsForeign(const TagToken& start) const;
  bool IsForeignText() const;
  bool StartInForeign(const TagToken& tag);
  bool EndInForeign(const TagToken& tag);
  void LeaveForeign();
  void InsertForeign(const TagToken& tag, Namespace ns);

  const TreeOptions options_;
  HtmlTree tree_;
  HtmlTokenizer tokenizer_;
  Mode mode_ = Mode::kInitial;
  Mode original_mode_ = Mode::kInitial;
  std::vector<Mode> template_modes_;
  std::vector<Open> stack_;
  std::array<uint32_t, static_cast<size_t>(Tag::kCount)> open_{};  // HTML elements on the stack, by tag
  std::vector<Tag> shut_;                                          // elements beyond max_depth
  std::array<uint32_t, static_cast<size_t>(Tag::kCount)> shut_count_{};
  std::vector<Formatting> formatting_;
  NodeId head_ = kNoNode;
  NodeId form_ = kNoNode;
  Open context_;  // of a fragment; id is kNoNode in a page
  bool frameset_ok_ = true;
  bool foster_parenting_ = false;
  bool skip_newline_ = false;  // of the next token, after <pre> and the like
  std::string table_text_;
  std::vector<TreeAttribute> scratch_attributes_;
};

// Whether a text consists of white space.
bool IsAllSpace(std::string_view text);

// Whether a DOCTYPE puts the page in quirks mode.
bool IsQuirky(const DoctypeToken& doctype);

// The name of an SVG element with its upper-case letters; other names unchanged.
std::string_view AdjustSvgName(std::string_view name);
// An attribute of SVG or MathML with its upper-case letters and namespace.
TreeAttribute AdjustForeignAttribute(const Attribute& attribute, Namespace ns);

}  // namespace crivello::html
