// SPDX-License-Identifier: Apache-2.0
#include "html/html_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::html {
namespace {

// The body's content on one line: name(children), texts in quotes.
std::string Short(const HtmlTree& tree, NodeId root) {
  std::string out;
  std::vector<NodeId> open;
  for (NodeId id = tree.Next(root, root); id != kNoNode; id = tree.Next(id, root)) {
    const Node& node = tree[id];
    while (!open.empty() && open.back() != node.parent) {
      out += ")";
      open.pop_back();
    }
    if (!out.empty() && out.back() != '(') out += " ";
    switch (node.type) {
      case NodeType::kText:
        out += "'" + std::string(node.text) + "'";
        break;
      case NodeType::kComment:
        out += "!" + std::string(node.text);
        break;
      case NodeType::kContent:
        out += "content";
        break;
      default:
        out += std::string(node.text);
        break;
    }
    if (node.first_child != kNoNode) {
      out += "(";
      open.push_back(id);
    }
  }
  return out + std::string(open.size(), ')');
}

std::string Body(std::string_view html) {
  const HtmlTree tree = ParseHtml(html);
  return Short(tree, tree.FindFirst(Tag::kBody));
}

std::string Fragment(std::string_view html, std::string_view context) {
  return Short(ParseHtmlFragment(html, context), 1);
}

TEST(HtmlTreeTest, MakesTheWholePage) {
  const HtmlTree tree = ParseHtml("<!DOCTYPE html><title>T</title><p id=b class=a>x<!--c--><?pi d?>");
  EXPECT_EQ(tree.Dump(),
            "| <!DOCTYPE html>\n| <html>\n|   <head>\n|     <title>\n|       \"T\"\n|   <body>\n|     <p>\n"
            "|       class=\"a\"\n|       id=\"b\"\n|       \"x\"\n|       <!-- c -->\n|       <?pi d?>\n");
  EXPECT_FALSE(tree.quirks());
  EXPECT_TRUE(ParseHtml("").quirks());
  EXPECT_EQ(ParseHtml("").Dump(), "| <html>\n|   <head>\n|   <body>\n");
  EXPECT_EQ(*tree[tree.FindFirst(Tag::kP)].Find("id"), "b");
  EXPECT_EQ(tree.FindFirst(Tag::kTable), kNoNode);
}

TEST(HtmlTreeTest, ClosesWhatIsImplied) {
  EXPECT_EQ(Body("<p>a<p>b<div>c</div>d"), "p('a') p('b') div('c') 'd'");
  EXPECT_EQ(Body("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>"), "ul(li('a') li('b' ul(li('c'))) li('d'))");
  EXPECT_EQ(Body("<dl><dt>a<dd>b<dt>c</dl>"), "dl(dt('a') dd('b') dt('c'))");
  EXPECT_EQ(Body("a</p>b"), "'a' p 'b'");
  EXPECT_EQ(Body("<h1>a<h2>b</h3>c"), "h1('a') h2('b') 'c'");
}

TEST(HtmlTreeTest, ReopensAndAdoptsFormatting) {
  EXPECT_EQ(Body("<b>1<p>2</b>3"), "b('1') p(b('2') '3')");
  EXPECT_EQ(Body("<p><b><i>1<p>2"), "p(b(i('1'))) p(b(i('2')))");
  EXPECT_EQ(Body("<a>1<a>2"), "a('1') a('2')");
  EXPECT_EQ(Body("<p><b><b><b><b>1<p>2"), "p(b(b(b(b('1'))))) p(b(b(b('2'))))");
  EXPECT_EQ(Body("<p><b x=1 y=2><b y=2 x=1><b x=1 y=2><b x=1 y=2><p>2"), "p(b(b(b(b)))) p(b(b(b('2'))))");
}

TEST(HtmlTreeTest, MovesStrayTextBeforeTheTable) {
  EXPECT_EQ(Body("<table>a<tr>b<td>c</table>d"), "'ab' table(tbody(tr(td('c')))) 'd'");
  EXPECT_EQ(Body("<table> <tr> <td>1<td>2"), "table(' ' tbody(tr(' ' td('1') td('2'))))");
  EXPECT_EQ(Body("<table><b><tr>x"), "b b('x') table(tbody(tr))");
}

TEST(HtmlTreeTest, KeepsTemplatesSelectsAndForeignContent) {
  EXPECT_EQ(Body("<body><template><td>a</template>b"), "template(content(td('a'))) 'b'");
  EXPECT_EQ(Body("<select><option>a<option>b<div>c</select>d"),
            "select(option('a') option('b' div('c'))) 'd'");
  EXPECT_EQ(Body("<svg><lineargradient/><foreignobject><p>a</p></foreignobject><p>b"),
            "svg(linearGradient foreignObject(p('a'))) p('b')");
  EXPECT_EQ(Body("<math><mi><b>x</b></mi><annotation-xml encoding=text/html><div>"),
            "math(mi(b('x')) annotation-xml(div))");
  const HtmlTree tree = ParseHtml("<svg viewbox=1 xlink:href=2>");
  EXPECT_THAT(tree.Dump(),
              testing::HasSubstr("<svg svg>\n|       viewBox=\"1\"\n|       xlink href=\"2\"\n"));
}

TEST(HtmlTreeTest, ParsesFragments) {
  EXPECT_EQ(Fragment("<td>a</td>b", "tr"), "td('a') 'b'");
  EXPECT_EQ(Fragment("<p>a<b>", "div"), "p('a' b)");
  EXPECT_EQ(Fragment("a<b>c", "textarea"), "'a<b>c'");
}

size_t Depth(const HtmlTree& tree) {
  size_t depth = 0, deepest = 0;
  for (NodeId id = HtmlTree::kDocument; id != kNoNode;) {
    const Node& node = tree[id];
    if (node.first_child != kNoNode) {
      deepest = std::max(deepest, ++depth);
      id = node.first_child;
      continue;
    }
    while (id != kNoNode && tree[id].next == kNoNode) {
      id = tree[id].parent;
      --depth;
    }
    if (id != kNoNode) id = tree[id].next;
  }
  return deepest;
}

std::string Repeat(std::string_view part, size_t n) {
  std::string text;
  for (size_t i = 0; i < n; ++i) text += part;
  return text;
}

TEST(HtmlTreeTest, BoundsTheDepth) {
  const std::string fonts = [] {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += "<font size=" + std::to_string(i) + ">";
    return text + "<div>x" + Repeat("</font>", 3000);
  }();
  for (const std::string& page :
       {Repeat("<div>", 5000), Repeat("<b>", 5000), Repeat("<table><tr><td>", 5000),
        Repeat("<template>", 5000), Repeat("<svg>", 5000), Repeat("<b><p></b>", 5000),
        Repeat("<object>", 5000), Repeat("<x>", 5000), fonts}) {
    const HtmlTree tree = ParseHtml(page + "end");
    EXPECT_LE(Depth(tree), 2 * TreeOptions{}.max_depth) << page.substr(0, 20);
    EXPECT_LE(tree.max_depth_reached(), TreeOptions{}.max_depth + 8) << page.substr(0, 20);
    EXPECT_NE(tree.Dump().find("end"), std::string::npos);
  }
}

TEST(HtmlTreeTest, ClosesTheRightElementBeyondTheDepth) {
  // html and body are open, so two <div> fit; <i> does not, and its end tag must close neither of them.
  const HtmlTree tree = ParseHtml("<div><div><i>a</i>b</div>c</div>d", {.max_depth = 4});
  EXPECT_EQ(Short(tree, tree.FindFirst(Tag::kBody)), "div(div(i 'ab') 'c') 'd'");
  const HtmlTree deep = ParseHtml("<div><div><div><div>a</div></div>b</div>c</div>d", {.max_depth = 4});
  EXPECT_EQ(Short(deep, deep.FindFirst(Tag::kBody)), "div(div(div div 'ab') 'c') 'd'");
}

TEST(HtmlTreeTest, BoundsTheNumberOfNodes) {
  std::string page = "<p>";
  for (int i = 0; i < 400; ++i) page += "<font size=" + std::to_string(i) + ">";
  page += Repeat("</p><p>x", 1000);
  const HtmlTree tree = ParseHtml(page, {.max_nodes = 10000});
  EXPECT_TRUE(tree.cut());
  EXPECT_LE(tree.size(), 10000u + 2 * TreeOptions{}.max_depth);
  EXPECT_FALSE(ParseHtml("<p>x").cut());
}

// Quadratic memory would show: four times the input may take at most five times the
// bytes.
TEST(HtmlTreeTest, GrowsWithItsInput) {
  for (const char* part :
       {"<table>x<tr y=1>", "<div>a</div>", "<b>x<p></b>", "x<!---->", "<a b=c>", "a&amp;"}) {
    const HtmlTree small = ParseHtml(Repeat(part, 4000));
    const HtmlTree large = ParseHtml(Repeat(part, 16000));
    EXPECT_LE(large.size(), 4 * small.size() + 8) << part;
    EXPECT_LE(large.size_bytes(), 5 * small.size_bytes() + (256 << 10)) << part;
  }
}

}  // namespace
}  // namespace crivello::html
