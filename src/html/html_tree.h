// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "html/arena.h"
#include "html/html_names.h"
#include "html/html_tokenizer.h"

namespace crivello::html {

enum class Namespace : uint8_t { kHtml, kSvg, kMathMl };
enum class AttributeNamespace : uint8_t { kNone, kXlink, kXml, kXmlns };

enum class NodeType : uint8_t {
  kDocument,
  kDoctype,  // text: name; attributes: "public", "system" if either is not empty
  kElement,  // text: name, in SVG with its upper-case letters
  kText,
  kComment,
  kInstruction,  // text: target; attributes: "data"
  kContent,      // the content of a <template>; the template's only child
};

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

struct TreeAttribute {
  std::string_view name;  // without the prefix of its namespace
  std::string_view value;
  AttributeNamespace ns = AttributeNamespace::kNone;
};

struct Node {
  NodeId parent = kNoNode;
  NodeId first_child = kNoNode;
  NodeId last_child = kNoNode;
  NodeId previous = kNoNode;
  NodeId next = kNoNode;
  NodeType type = NodeType::kElement;
  Namespace ns = Namespace::kHtml;
  Tag tag = Tag::kUnknown;  // of an element in any namespace
  uint32_t attribute_count = 0;
  uint32_t text_capacity = 0;  // of a text node; used by the builder
  const TreeAttribute* attribute_data = nullptr;
  std::string_view text;

  std::span<const TreeAttribute> attributes() const { return {attribute_data, attribute_count}; }
  bool IsHtml(Tag wanted) const {
    return type == NodeType::kElement && ns == Namespace::kHtml && tag == wanted;
  }
  // The value of an attribute without a namespace, or nullptr.
  const std::string_view* Find(std::string_view name) const;
};

struct TreeOptions {
  bool scripting = false;      // treats <noscript> as text, like a browser that runs scripts
  size_t max_depth = 512;      // of open elements; deeper ones become children of the element at the limit
  size_t max_nodes = 1 << 20;  // later nodes are dropped; the last token may slightly exceed it
  TokenizerLimits tokenizer = {};
  TokenSink* observer = nullptr;  // receives text and tags before the tree does
};

// The tree of a page. Nodes are numbers in one array, in order of creation (removed nodes stay there, without
// a parent); node 0 is the document. Owns all its bytes; immutable once built, so any number of threads may
// read it. Walks need no recursion: use Next() and the links of Node.
class HtmlTree {
 public:
  HtmlTree() = default;

  static constexpr NodeId kDocument = 0;
  size_t size() const { return nodes_.size(); }
  const Node& operator[](NodeId id) const { return nodes_[id]; }

  // The node after `id` in document order, inside `root` (kNoNode after the last one). Amortised O(1).
  NodeId Next(NodeId id, NodeId root = kDocument) const;
  // The node after `id` and all its descendants.
  NodeId NextSkippingChildren(NodeId id, NodeId root = kDocument) const;

  // The first HTML element with this tag, in document order, or kNoNode.
  NodeId FindFirst(Tag tag) const;

  bool quirks() const { return quirks_; }
  bool cut() const { return cut_; }  // max_nodes or 1 GiB of input was reached
  size_t max_depth_reached() const { return max_depth_reached_; }
  size_t size_bytes() const { return nodes_.capacity() * sizeof(Node) + arena_.size_bytes(); }
  const TokenizerStats& tokenizer_counts() const { return tokenizer_counts_; }

  // In the format of html5lib's tests: one line per node, indented by "| " and two spaces per level.
  std::string Dump(NodeId root = kDocument) const;

 private:
  friend class HtmlTreeBuilder;

  std::vector<Node> nodes_;
  Arena arena_;
  bool quirks_ = false;
  bool cut_ = false;
  size_t max_depth_reached_ = 0;
  TokenizerStats tokenizer_counts_;
};

// Builds the tree that the standard defines (WHATWG 13.2.6, as of mid 2026: processing instructions, content
// in <select>) for a page or, like innerHTML, for the content of an element. Input is UTF-8.
//
// Linear: work per token is bounded by max_depth, and is O(1) if no element with that name is open. Depth is
// bounded by 2 * max_depth: beyond max_depth open elements, a new one becomes a leaf of the last (the
// adoption agency may then wrap once more). Not implemented: scripts, and the copy of the selected <option>
// into <selectedcontent>.
HtmlTree ParseHtml(std::string_view html, const TreeOptions& options = {});
// The children of the fragment are the children of tree[1], an <html>.
HtmlTree ParseHtmlFragment(std::string_view html, std::string_view context, Namespace ns = Namespace::kHtml,
                           const TreeOptions& options = {});

}  // namespace crivello::html
