// SPDX-License-Identifier: Apache-2.0
// The tree of any bytes is a consistent tree, within its limits.
#include <cstdint>
#include <cstdlib>

#include "html/html_tree.h"

namespace crivello::html {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// Every link has its counterpart, and walking the tree ends.
void CheckTree(const HtmlTree& tree, const TreeOptions& options) {
  size_t visited = 0;
  for (NodeId id = HtmlTree::kDocument; id != kNoNode; id = tree.Next(id)) {
    const Node& node = tree[id];
    Require(++visited <= tree.size());
    Require((node.first_child == kNoNode) == (node.last_child == kNoNode));
    if (node.first_child != kNoNode) {
      Require(tree[node.first_child].parent == id && tree[node.first_child].previous == kNoNode);
      Require(tree[node.last_child].parent == id && tree[node.last_child].next == kNoNode);
    }
    if (node.next != kNoNode)
      Require(tree[node.next].previous == id && tree[node.next].parent == node.parent);
    size_t depth = 0;
    for (NodeId up = id; up != HtmlTree::kDocument; up = tree[up].parent)
      Require(++depth <= 3 * options.max_depth);
  }
  Require(tree.max_depth_reached() <= options.max_depth + 8);
  Require(tree.size() <= options.max_nodes + 16 * options.max_depth);
  Require(!tree.Dump().empty() || tree[HtmlTree::kDocument].first_child == kNoNode);
}

}  // namespace
}  // namespace crivello::html

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::html;
  if (size > 1 << 14) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static constexpr std::string_view kContexts[] = {"div",    "table",    "tr",       "td",
                                                   "select", "template", "colgroup", "form",
                                                   "script", "frameset", "body",     "html"};
  const TreeOptions usual;
  TreeOptions small;
  small.scripting = true;
  small.max_depth = 12;
  small.max_nodes = 400;
  for (const TreeOptions& options : {usual, small}) {
    CheckTree(ParseHtml(text, options), options);
    if (size == 0) continue;
    CheckTree(ParseHtmlFragment(text, kContexts[data[0] % std::size(kContexts)], Namespace::kHtml, options),
              options);
    CheckTree(ParseHtmlFragment(text, "title", Namespace::kSvg, options), options);
  }
  return 0;
}
