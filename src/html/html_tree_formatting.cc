// SPDX-License-Identifier: Apache-2.0
// The list of active formatting elements and the adoption agency.
#include "base/hash.h"
#include "html/html_tree_builder.h"

namespace crivello::html {
namespace {

// Independent of the order of attributes. Signatures are compared instead of attributes; otherwise tags with
// a thousand attributes would cost a million comparisons each.
uint64_t Signature(std::span<const Attribute> attributes) {
  uint64_t sum = attributes.size();
  for (const Attribute& attribute : attributes) sum += Mix64(Hash64(attribute.name, Hash64(attribute.value)));
  return sum;
}

}  // namespace

// Adds the current node, created by that tag; drops the first of four equal ones (the Noah's Ark clause).
void HtmlTreeBuilder::PushFormatting(const TagToken& tag) {
  // Only nested tables, each surrounded by many unclosed tags, get this far.
  if (formatting_.size() >= 2 * options_.max_depth) return;
  const Formatting added = {current().id, tag.tag, Signature(tag.attributes)};
  size_t alike = 0;
  size_t first = 0;
  for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].id != kNoNode;) {
    if (formatting_[i].tag != added.tag || formatting_[i].attributes != added.attributes) continue;
    ++alike;
    first = i;
  }
  if (alike >= 3) formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(first));
  formatting_.push_back(added);
}

void HtmlTreeBuilder::ClearToMarker() {
  while (!formatting_.empty()) {
    const bool marker = formatting_.back().id == kNoNode;
    formatting_.pop_back();
    if (marker) return;
  }
}

// Reopens the formatting elements that were closed when something around them ended.
void HtmlTreeBuilder::Reconstruct() {
  const auto closed = [this](const Formatting& entry) {
    return entry.id != kNoNode && (!IsOpen(entry.tag) || StackIndex(entry.id) == stack_.size());
  };
  size_t i = formatting_.size();
  while (i > 0 && closed(formatting_[i - 1])) --i;
  for (; i < formatting_.size() && !IsFull(); ++i) {
    const NodeId id = Clone(formatting_[i].id);
    Insert(id, AppropriatePlace());
    Push({id, formatting_[i].tag, Namespace::kHtml, false});
    formatting_[i].id = id;
  }
}

size_t HtmlTreeBuilder::FormattingIndex(NodeId id) const {
  size_t i = formatting_.size();
  while (i > 0 && formatting_[i - 1].id != id) --i;
  return i == 0 ? formatting_.size() : i - 1;
}

// The last element with that name after the last marker; or the size of the list.
size_t HtmlTreeBuilder::LastFormatting(Tag tag) const {
  for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].id != kNoNode;) {
    if (formatting_[i].tag == tag) return i;
  }
  return formatting_.size();
}

void HtmlTreeBuilder::RunAdoptionAgency(const TagToken& tag) {
  if (CurrentIs(tag.tag) && FormattingIndex(current().id) == formatting_.size()) {
    Pop();
    return;
  }
  for (int round = 0; round < 8; ++round) {
    if (LastFormatting(tag.tag) == formatting_.size()) {
      if (round == 0) AnyOtherEndTag(tag);
      return;
    }
    if (!AdoptOnce(tag.tag)) return;
  }
}

// One round of the agency for the last formatting element with that name; false if nothing is left to do.
bool HtmlTreeBuilder::AdoptOnce(Tag subject) {
  const size_t entry = LastFormatting(subject);
  const NodeId formatting = formatting_[entry].id;
  const size_t at = StackIndex(formatting);
  if (at == stack_.size()) {
    formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
    return false;
  }
  if (!InScope(formatting)) return false;
  size_t furthest = at + 1;
  while (furthest < stack_.size() && !IsSpecial(stack_[furthest])) ++furthest;
  if (furthest == stack_.size()) {
    while (stack_.size() > at) Pop();
    formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
    return false;
  }

  const NodeId block = stack_[furthest].id;
  const NodeId common_ancestor = stack_[at - 1].id;
  size_t bookmark = entry;
  NodeId last = block;
  int count = 0;
  for (size_t i = furthest; i-- > at + 1;) {
    const NodeId node = stack_[i].id;
    size_t node_entry = FormattingIndex(node);
    if (++count > 3 && node_entry < formatting_.size()) {
      formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(node_entry));
      if (node_entry < bookmark) --bookmark;
      node_entry = formatting_.size();
    }
    if (node_entry == formatting_.size()) {
      RemoveFromStack(node);
      continue;
    }
    const NodeId clone = Clone(node);
    formatting_[node_entry].id = clone;
    stack_[i].id = clone;
    if (last == block) bookmark = node_entry + 1;
    Remove(last);
    Insert(last, {clone});
    last = clone;
  }
  Remove(last);
  Insert(last, AppropriatePlace(common_ancestor));

  const NodeId clone = Clone(formatting);
  MoveChildren(block, clone);
  Insert(clone, {block});
  const size_t old_entry = FormattingIndex(formatting);
  const Formatting moved = {clone, subject, formatting_[old_entry].attributes};
  formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(old_entry));
  if (old_entry < bookmark) --bookmark;
  formatting_.insert(formatting_.begin() + static_cast<ptrdiff_t>(bookmark), moved);
  RemoveFromStack(formatting);
  stack_.insert(stack_.begin() + static_cast<ptrdiff_t>(StackIndex(block)) + 1,
                {clone, subject, Namespace::kHtml, false});
  ++open_[static_cast<size_t>(subject)];
  return true;
}

}  // namespace crivello::html
