// SPDX-License-Identifier: Apache-2.0
#include "html/html_tree.h"

#include <algorithm>

namespace crivello::html {
namespace {

std::string_view Prefix(Namespace ns) {
  return ns == Namespace::kSvg ? "svg " : ns == Namespace::kMathMl ? "math " : "";
}

std::string_view Prefix(AttributeNamespace ns) {
  constexpr std::string_view kPrefixes[] = {"", "xlink ", "xml ", "xmlns "};
  return kPrefixes[static_cast<size_t>(ns)];
}

void DumpElement(const Node& node, const std::string& indent, std::string* out) {
  *out += indent;
  (*out += '<').append(Prefix(node.ns)).append(node.text) += ">\n";
  std::vector<std::string> lines;
  for (const TreeAttribute& attribute : node.attributes()) {
    std::string line(Prefix(attribute.ns));
    line.append(attribute.name).append("=\"").append(attribute.value) += '"';
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) *out += indent + "  " + line + "\n";
}

void DumpNode(const Node& node, const std::string& indent, std::string* out) {
  const std::string text(node.text);
  switch (node.type) {
    case NodeType::kElement:
      DumpElement(node, indent, out);
      break;
    case NodeType::kText:
      *out += indent + '"' + text + "\"\n";
      break;
    case NodeType::kComment:
      *out += indent + "<!-- " + text + " -->\n";
      break;
    case NodeType::kContent:
      *out += indent + "content\n";
      break;
    case NodeType::kInstruction:
      *out += indent + "<?" + text + " " + std::string(node.attributes()[0].value) + "?>\n";
      break;
    case NodeType::kDoctype:
      *out += indent + "<!DOCTYPE " + text;
      for (const TreeAttribute& id : node.attributes()) *out += " \"" + std::string(id.value) + '"';
      *out += ">\n";
      break;
    case NodeType::kDocument:
      break;
  }
}

}  // namespace

const std::string_view* Node::Find(std::string_view name) const {
  for (const TreeAttribute& attribute : attributes()) {
    if (attribute.name == name && attribute.ns == AttributeNamespace::kNone) return &attribute.value;
  }
  return nullptr;
}

NodeId HtmlTree::Next(NodeId id, NodeId root) const {
  return nodes_[id].first_child != kNoNode ? nodes_[id].first_child : NextSkippingChildren(id, root);
}

NodeId HtmlTree::NextSkippingChildren(NodeId id, NodeId root) const {
  for (; id != root && id != kNoNode; id = nodes_[id].parent) {
    if (nodes_[id].next != kNoNode) return nodes_[id].next;
  }
  return kNoNode;
}

NodeId HtmlTree::FindFirst(Tag tag) const {
  NodeId id = kDocument;
  while (id != kNoNode && !nodes_[id].IsHtml(tag)) id = Next(id);
  return id;
}

std::string HtmlTree::Dump(NodeId root) const {
  std::string out;
  std::string indent = "| ";
  NodeId id = nodes_[root].first_child;
  while (id != kNoNode) {
    DumpNode(nodes_[id], indent, &out);
    if (nodes_[id].first_child != kNoNode) {
      indent += "  ";
      id = nodes_[id].first_child;
      continue;
    }
    while (id != kNoNode && nodes_[id].next == kNoNode) {
      id = nodes_[id].parent;
      if (id == root) return out;
      indent.resize(indent.size() - 2);
    }
    if (id != kNoNode) id = nodes_[id].next;
  }
  return out;
}

}  // namespace crivello::html
