// SPDX-License-Identifier: Apache-2.0
// What the pages may contain; included by _test.cc and _fuzz.cc files only.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "html/html_tree.h"
#include "serve/pages/html_writer.h"

namespace crivello::serve {

// Whatever a browser would find in a page that is not our markup: a foreign element or attribute, a target
// that is not a page, a script or comment in the text.  One line each; empty if all is well.
inline std::vector<std::string> StrangeMarkup(const std::string& html) {
  static const std::set<std::string_view> kElements = {
      "html",  "head", "meta",    "title",   "link",    "script", "body",   "a",      "header", "form",
      "img",   "span", "div",     "input",   "button",  "main",   "h1",     "h2",     "p",      "ul",
      "ol",    "li",   "code",    "article", "section", "select", "option", "bdi",    "b",      "i",
      "mark",  "time", "details", "nav",     "summary", "dl",     "dt",     "dd",     "table",  "thead",
      "tbody", "tr",   "th",      "td",      "q",       "meter",  "iframe", "footer", "label"};
  static const std::set<std::string_view> kAttributes = {
      "charset",      "name",           "content",      "rel",
      "type",         "href",           "title",        "src",
      "defer",        "class",          "id",           "role",
      "action",       "method",         "lang",         "dir",
      "datetime",     "hidden",         "value",        "selected",
      "width",        "height",         "alt",          "min",
      "max",          "scope",          "sandbox",      "tabindex",
      "checked",      "placeholder",    "autocomplete", "autocapitalize",
      "spellcheck",   "enterkeyhint",   "autofocus",    "referrerpolicy",
      "data-growing", "data-documents", "data-total",   "data-kind",
      "aria-label",   "aria-hidden",    "aria-current"};
  std::vector<std::string> strange;
  const html::HtmlTree tree = html::ParseHtml(html, {.scripting = true});
  for (html::NodeId id = 0; id != html::kNoNode; id = tree.Next(id)) {
    const html::Node& node = tree[id];
    if (node.type == html::NodeType::kComment || node.type == html::NodeType::kInstruction) {
      strange.push_back("comment " + std::string(node.text));
    }
    if (node.type != html::NodeType::kElement) continue;
    if (node.ns != html::Namespace::kHtml || !kElements.contains(node.text)) {
      strange.push_back("element " + std::string(node.text));
    }
    if (node.IsHtml(html::Tag::kScript)) {
      const std::string_view* source = node.Find("src");
      if (source == nullptr || !source->starts_with("/assets/") || node.first_child != html::kNoNode) {
        strange.push_back("a script of its own");
      }
    }
    for (const html::TreeAttribute& attribute : node.attributes()) {
      const std::string what = std::string(attribute.name) + "=" + std::string(attribute.value);
      if (!kAttributes.contains(attribute.name)) strange.push_back("attribute " + what);
      const bool leads = attribute.name == "href" || attribute.name == "src" || attribute.name == "action";
      if (leads && !IsSafeTarget(attribute.value)) strange.push_back("target " + what);
    }
  }
  return strange;
}

// In a cached copy: whatever runs, sends, loads or leads elsewhere by itself.
inline std::vector<std::string> HarmfulMarkup(const std::string& html) {
  static const std::set<std::string_view> kHarmful = {
      "script",  "iframe", "frame",  "frameset", "object",   "embed",  "applet",   "form",
      "input",   "button", "select", "textarea", "link",     "base",   "svg",      "math",
      "video",   "audio",  "source", "track",    "template", "portal", "noscript", "marquee",
      "isindex", "keygen", "image",  "area",     "map",      "picture"};
  std::vector<std::string> harmful;
  const html::HtmlTree tree = html::ParseHtml(html);
  for (html::NodeId id = 0; id != html::kNoNode; id = tree.Next(id)) {
    const html::Node& node = tree[id];
    if (node.type != html::NodeType::kElement) continue;
    if (node.ns != html::Namespace::kHtml || kHarmful.contains(node.text)) {
      harmful.push_back("element " + std::string(node.text));
    }
    if (node.IsHtml(html::Tag::kMeta) && node.Find("charset") == nullptr) harmful.push_back("a meta");
    for (const html::TreeAttribute& attribute : node.attributes()) {
      const std::string what = std::string(attribute.name) + "=" + std::string(attribute.value);
      if (attribute.name.starts_with("on")) harmful.push_back("handler " + what);
      if (attribute.name == "href" && !IsSafeTarget(attribute.value)) harmful.push_back("target " + what);
      const bool loads = attribute.name == "src" || attribute.name == "srcset" ||
                         attribute.name == "background" || attribute.name == "poster" ||
                         attribute.name == "data" || attribute.name == "formaction" ||
                         attribute.name == "action" || attribute.name == "ping" || attribute.name == "srcdoc";
      if (loads && !StartsWithIgnoringCase(attribute.value, "data:image/"))
        harmful.push_back("loads " + what);
      if (attribute.name == "style" && ToAsciiLower(attribute.value).find("url") != std::string::npos) {
        harmful.push_back("loads " + what);
      }
    }
    if (node.IsHtml(html::Tag::kStyle) && node.first_child != html::kNoNode) {
      const std::string css = ToAsciiLower(tree[node.first_child].text);
      if (css.find("url") != std::string::npos || css.find("@import") != std::string::npos)
        harmful.push_back("loads " + css);
    }
  }
  return harmful;
}

}  // namespace crivello::serve
