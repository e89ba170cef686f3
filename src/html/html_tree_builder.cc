// SPDX-License-Identifier: Apache-2.0
// Nodes and the stack of open elements.
#include "html/html_tree_builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/ascii.h"

namespace crivello::html {
namespace {

using Content = HtmlTokenizer::Content;

// Text sizes are 32-bit numbers, and capacities are doubled.
constexpr size_t kMaxInputBytes = 1 << 30;

// MathML and SVG elements that are special and bound every scope except the table scope.
bool IsForeignBoundary(Tag tag, Namespace ns) {
  switch (tag) {
    case Tag::kMi:
    case Tag::kMo:
    case Tag::kMn:
    case Tag::kMs:
    case Tag::kMtext:
    case Tag::kAnnotationXml:
      return ns == Namespace::kMathMl;
    case Tag::kForeignobject:
    case Tag::kDesc:
    case Tag::kTitle:
      return ns == Namespace::kSvg;
    default:
      return false;
  }
}

}  // namespace

bool IsAllSpace(std::string_view text) { return std::all_of(text.begin(), text.end(), IsAsciiSpace); }

HtmlTreeBuilder::HtmlTreeBuilder(const TreeOptions& options)
    : options_(options), tokenizer_(this, options.tokenizer) {
  NewNode(NodeType::kDocument, {});
}

HtmlTree HtmlTreeBuilder::Build(std::string_view html) {
  if (html.size() > kMaxInputBytes) {
    html = html.substr(0, kMaxInputBytes);
    tree_.cut_ = true;
  }
  // About one node per 25 bytes of a typical page.
  tree_.nodes_.reserve(std::min(html.size() / 25 + 16, options_.max_nodes));
  tokenizer_.Feed(html);
  tokenizer_.Finish();
  End();
  tree_.tokenizer_counts_ = tokenizer_.counts();
  return std::move(tree_);
}

HtmlTree HtmlTreeBuilder::BuildFragment(std::string_view html, std::string_view context, Namespace ns) {
  std::string lower(context);
  for (char& c : lower) c = AsciiLower(c);
  context_ = {kNoNode, FindTag(lower), ns, false};
  context_.html_integration = ns == Namespace::kSvg && IsForeignBoundary(context_.tag, ns);
  const NodeId root = NewElement(Tag::kHtml, Namespace::kHtml, "html");
  Insert(root, {HtmlTree::kDocument});
  Push({root, Tag::kHtml, Namespace::kHtml, false});
  context_.id = root;
  if (ns == Namespace::kHtml) {
    switch (context_.tag) {
      case Tag::kTitle:
      case Tag::kTextarea:
        tokenizer_.SetContent(Content::kRcdata, context);
        break;
      case Tag::kStyle:
      case Tag::kXmp:
      case Tag::kIframe:
      case Tag::kNoembed:
      case Tag::kNoframes:
        tokenizer_.SetContent(Content::kRawtext, context);
        break;
      case Tag::kScript:
        tokenizer_.SetContent(Content::kScript, context);
        break;
      case Tag::kNoscript:
        if (options_.scripting) tokenizer_.SetContent(Content::kRawtext, context);
        break;
      case Tag::kPlaintext:
        tokenizer_.SetContent(Content::kPlaintext, context);
        break;
      case Tag::kTemplate:
        template_modes_.push_back(Mode::kInTemplate);
        break;
      case Tag::kForm:
        form_ = root;
        break;  // any node that does not matter for a </form>
      default:
        break;
    }
  }
  tokenizer_.set_cdata_allowed(ns != Namespace::kHtml);
  ResetInsertionMode();
  return Build(html);
}

HtmlTree ParseHtml(std::string_view html, const TreeOptions& options) {
  return HtmlTreeBuilder(options).Build(html);
}

HtmlTree ParseHtmlFragment(std::string_view html, std::string_view context, Namespace ns,
                           const TreeOptions& options) {
  return HtmlTreeBuilder(options).BuildFragment(html, context, ns);
}

// Nodes.

NodeId HtmlTreeBuilder::NewNode(NodeType type, std::string_view text) {
  const auto id = static_cast<NodeId>(tree_.nodes_.size());
  Node& node = tree_.nodes_.emplace_back();
  node.type = type;
  node.text = text;
  return id;
}

NodeId HtmlTreeBuilder::NewElement(Tag tag, Namespace ns, std::string_view name) {
  const NodeId id = NewNode(NodeType::kElement, name);
  tree_.nodes_[id].tag = tag;
  tree_.nodes_[id].ns = ns;
  return id;
}

NodeId HtmlTreeBuilder::NewElement(const TagToken& tag) {
  const std::string_view name = tag.tag == Tag::kUnknown ? tree_.arena_.Copy(tag.name) : TagName(tag.tag);
  const NodeId id = NewElement(tag.tag, Namespace::kHtml, name);
  CopyAttributes(tag, Namespace::kHtml, &tree_.nodes_[id]);
  return id;
}

NodeId HtmlTreeBuilder::Clone(NodeId id) {
  const Node& node = tree_.nodes_[id];
  const NodeId clone = NewElement(node.tag, node.ns, node.text);
  tree_.nodes_[clone].attribute_data = tree_.nodes_[id].attribute_data;
  tree_.nodes_[clone].attribute_count = tree_.nodes_[id].attribute_count;
  return clone;
}

void HtmlTreeBuilder::CopyAttributes(const TagToken& tag, Namespace ns, Node* node) {
  if (tag.attributes.empty()) return;
  auto* copies = tree_.arena_.AllocateArray<TreeAttribute>(tag.attributes.size());
  for (size_t i = 0; i < tag.attributes.size(); ++i) {
    const Attribute& attribute = tag.attributes[i];
    TreeAttribute copy = {attribute.name, attribute.value, AttributeNamespace::kNone};
    if (ns != Namespace::kHtml) copy = AdjustForeignAttribute(attribute, ns);
    copy.name = tree_.arena_.Copy(copy.name);
    copy.value = tree_.arena_.Copy(copy.value);
    copies[i] = copy;
  }
  node->attribute_data = copies;
  node->attribute_count = static_cast<uint32_t>(tag.attributes.size());
}

// A second <html> or <body> tag adds its attributes to the first, up to a number that keeps this cheap.
void HtmlTreeBuilder::AddMissingAttributes(const TagToken& tag, NodeId id) {
  constexpr size_t kMaxMerged = 64;
  Node& node = tree_.nodes_[id];
  if (node.attribute_count >= kMaxMerged) return;
  scratch_attributes_.assign(node.attributes().begin(), node.attributes().end());
  for (const Attribute& attribute : tag.attributes) {
    if (scratch_attributes_.size() >= kMaxMerged) break;
    if (node.Find(attribute.name) != nullptr) continue;
    scratch_attributes_.push_back({tree_.arena_.Copy(attribute.name), tree_.arena_.Copy(attribute.value)});
  }
  if (scratch_attributes_.size() == node.attribute_count) return;
  auto* copies = tree_.arena_.AllocateArray<TreeAttribute>(scratch_attributes_.size());
  std::copy(scratch_attributes_.begin(), scratch_attributes_.end(), copies);
  node.attribute_data = copies;
  node.attribute_count = static_cast<uint32_t>(scratch_attributes_.size());
}

void HtmlTreeBuilder::Insert(NodeId child, Place place) {
  std::vector<Node>& nodes = tree_.nodes_;
  Node& node = nodes[child];
  node.parent = place.parent;
  node.next = place.before;
  node.previous = place.before == kNoNode ? nodes[place.parent].last_child : nodes[place.before].previous;
  (node.previous == kNoNode ? nodes[place.parent].first_child : nodes[node.previous].next) = child;
  (node.next == kNoNode ? nodes[place.parent].last_child : nodes[node.next].previous) = child;
}

void HtmlTreeBuilder::Remove(NodeId child) {
  std::vector<Node>& nodes = tree_.nodes_;
  Node& node = nodes[child];
  if (node.parent == kNoNode) return;
  (node.previous == kNoNode ? nodes[node.parent].first_child : nodes[node.previous].next) = node.next;
  (node.next == kNoNode ? nodes[node.parent].last_child : nodes[node.next].previous) = node.previous;
  node.parent = node.previous = node.next = kNoNode;
}

// Moves all children; `to` must have none.
void HtmlTreeBuilder::MoveChildren(NodeId from, NodeId to) {
  std::vector<Node>& nodes = tree_.nodes_;
  for (NodeId id = nodes[from].first_child; id != kNoNode; id = nodes[id].next) nodes[id].parent = to;
  nodes[to].first_child = std::exchange(nodes[from].first_child, kNoNode);
  nodes[to].last_child = std::exchange(nodes[from].last_child, kNoNode);
}

// "The appropriate place for inserting a node".
HtmlTreeBuilder::Place HtmlTreeBuilder::AppropriatePlace(NodeId target) const {
  if (target == kNoNode) target = current().id;
  const std::vector<Node>& nodes = tree_.nodes_;
  if (foster_parenting_ && nodes[target].ns == Namespace::kHtml) {
    switch (nodes[target].tag) {
      case Tag::kTable:
      case Tag::kTbody:
      case Tag::kTfoot:
      case Tag::kThead:
      case Tag::kTr: {
        size_t i = stack_.size() - 1;
        while (i > 0 && !stack_[i].Is(Tag::kTemplate) && !stack_[i].Is(Tag::kTable)) --i;
        if (i == 0 || stack_[i].Is(Tag::kTemplate)) {
          target = stack_[i].id;
        } else if (nodes[stack_[i].id].parent != kNoNode) {
          return {nodes[stack_[i].id].parent, stack_[i].id};
        } else {
          target = stack_[i - 1].id;
        }
        break;
      }
      default:
        break;
    }
  }
  // A template's children belong to its content node.
  if (nodes[target].IsHtml(Tag::kTemplate) && nodes[target].first_child != kNoNode &&
      nodes[nodes[target].first_child].type == NodeType::kContent) {
    target = nodes[target].first_child;
  }
  return {target};
}

void HtmlTreeBuilder::InsertText(std::string_view text) {
  if (text.empty()) return;
  const Place place = AppropriatePlace();
  if (place.parent == HtmlTree::kDocument) return;
  std::vector<Node>& nodes = tree_.nodes_;
  const NodeId neighbour =
      place.before == kNoNode ? nodes[place.parent].last_child : nodes[place.before].previous;
  if (neighbour != kNoNode && nodes[neighbour].type == NodeType::kText) {
    AppendToText(text, &nodes[neighbour]);
    return;
  }
  const NodeId id = NewNode(NodeType::kText, tree_.arena_.Copy(text));
  tree_.nodes_[id].text_capacity = static_cast<uint32_t>(text.size());
  Insert(id, place);
}

// Text that comes in many runs grows in place, or by doubling: linear in total.
void HtmlTreeBuilder::AppendToText(std::string_view text, Node* node) {
  const size_t size = node->text.size();
  const size_t wanted = size + text.size();
  char* bytes = const_cast<char*>(node->text.data());  // in the arena, so it is ours
  if (wanted > node->text_capacity) {
    if (tree_.arena_.Extend(bytes + node->text_capacity, wanted - node->text_capacity)) {
      node->text_capacity = static_cast<uint32_t>(wanted);
    } else {
      const size_t capacity = wanted * 2;
      bytes = tree_.arena_.Allocate(capacity);
      std::memcpy(bytes, node->text.data(), size);
      node->text_capacity = static_cast<uint32_t>(capacity);
    }
  }
  std::memcpy(bytes + size, text.data(), text.size());
  node->text = {bytes, wanted};
}

// Inserts comments and processing instructions where the mode requires.
void HtmlTreeBuilder::InsertMisc(NodeId id) {
  switch (mode_) {
    case Mode::kInitial:
    case Mode::kBeforeHtml:
    case Mode::kAfterAfterBody:
    case Mode::kAfterAfterFrameset:
      Insert(id, {HtmlTree::kDocument});
      break;
    case Mode::kAfterBody:
      Insert(id, {stack_[0].id});
      break;
    default:
      Insert(id, AppropriatePlace());
      break;
  }
}

// The stack of open elements.

void HtmlTreeBuilder::Push(Open open) {
  stack_.push_back(open);
  if (open.ns == Namespace::kHtml) ++open_[static_cast<size_t>(open.tag)];
  tree_.max_depth_reached_ = std::max(tree_.max_depth_reached_, stack_.size());
}

void HtmlTreeBuilder::Pop() {
  if (current().ns == Namespace::kHtml) --open_[static_cast<size_t>(current().tag)];
  stack_.pop_back();
  if (!shut_.empty() && !IsFull()) {
    shut_.clear();
    shut_count_ = {};
  }
}

// REQUIRES: an element with this tag is open.
void HtmlTreeBuilder::PopUntil(Tag tag) {
  assert(IsOpen(tag));
  while (!CurrentIs(tag)) Pop();
  Pop();
}

size_t HtmlTreeBuilder::StackIndex(NodeId id) const {
  size_t i = stack_.size();
  while (i > 0 && stack_[i - 1].id != id) --i;
  return i == 0 ? stack_.size() : i - 1;
}

void HtmlTreeBuilder::RemoveFromStack(NodeId id) {
  const size_t i = StackIndex(id);
  if (i == stack_.size()) return;
  if (stack_[i].ns == Namespace::kHtml) --open_[static_cast<size_t>(stack_[i].tag)];
  stack_.erase(stack_.begin() + static_cast<ptrdiff_t>(i));
}

// Closes the elements beyond max_depth up to one with this name, if there is one.
bool HtmlTreeBuilder::CloseShut(Tag tag) {
  if (shut_.empty() || shut_count_[static_cast<size_t>(tag)] == 0) return false;
  Tag last;
  do {
    last = shut_.back();
    shut_.pop_back();
    --shut_count_[static_cast<size_t>(last)];
  } while (last != tag);
  return true;
}

bool HtmlTreeBuilder::InScope(Tag tag, Scope scope) const {
  if (!IsOpen(tag)) return false;
  for (size_t i = stack_.size(); i-- > 0;) {
    const Open& open = stack_[i];
    if (open.Is(tag)) return true;
    if (BoundsScope(open, scope)) return false;
  }
  return false;
}

bool HtmlTreeBuilder::InScope(NodeId id) const {
  for (size_t i = stack_.size(); i-- > 0;) {
    if (stack_[i].id == id) return true;
    if (BoundsScope(stack_[i], Scope::kDefault)) return false;
  }
  return false;
}

bool HtmlTreeBuilder::BoundsScope(const Open& open, Scope scope) {
  if (open.ns != Namespace::kHtml) return scope != Scope::kTable && IsForeignBoundary(open.tag, open.ns);
  switch (open.tag) {
    case Tag::kHtml:
    case Tag::kTable:
    case Tag::kTemplate:
      return true;
    case Tag::kApplet:
    case Tag::kCaption:
    case Tag::kTd:
    case Tag::kTh:
    case Tag::kMarquee:
    case Tag::kObject:
    case Tag::kSelect:
      return scope != Scope::kTable;
    case Tag::kOl:
    case Tag::kUl:
      return scope == Scope::kListItem;
    case Tag::kButton:
      return scope == Scope::kButton;
    default:
      return false;
  }
}

bool HtmlTreeBuilder::IsSpecial(const Open& open) {
  return open.ns == Namespace::kHtml ? HasKind(open.tag, kSpecial) : IsForeignBoundary(open.tag, open.ns);
}

void HtmlTreeBuilder::GenerateImpliedEndTags(Tag except, unsigned kinds) {
  while (current().ns == Namespace::kHtml && HasKind(current().tag, kinds) && current().tag != except) Pop();
}

bool HtmlTreeBuilder::InsertElement(const TagToken& tag) {
  const NodeId id = NewElement(tag);
  Insert(id, AppropriatePlace());
  return OpenUnlessFull({id, tag.tag, Namespace::kHtml, false});
}

bool HtmlTreeBuilder::OpenUnlessFull(Open open) {
  if (IsFull()) {
    shut_.push_back(open.tag);
    ++shut_count_[static_cast<size_t>(open.tag)];
    return false;
  }
  Push(open);
  return true;
}

void HtmlTreeBuilder::InsertPart(const TagToken& tag) {
  const NodeId id = NewElement(tag);
  Insert(id, AppropriatePlace());
  Push({id, tag.tag, Namespace::kHtml, false});
}

void HtmlTreeBuilder::InsertImplied(Tag tag) {
  TagToken token;
  token.tag = tag;
  token.name = TagName(tag);
  InsertPart(token);
}

void HtmlTreeBuilder::InsertVoid(const TagToken& tag) {
  const NodeId id = NewElement(tag);
  Insert(id, AppropriatePlace());
}

// An element whose content is text up to its end tag.
void HtmlTreeBuilder::InsertTextElement(const TagToken& tag, HtmlTokenizer::Content content) {
  InsertPart(tag);
  tokenizer_.SetContent(content);
  original_mode_ = mode_;
  mode_ = Mode::kText;
}

}  // namespace crivello::html
