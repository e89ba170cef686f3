// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/cached_copy.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "charset/charset.h"
#include "charset/escape.h"
#include "html/html_tree.h"
#include "serve/http/target.h"
#include "serve/pages/html_writer.h"
#include "web/http/decompress.h"
#include "web/http/http_chunked.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"
#include "web/url/link_resolver.h"

namespace crivello::serve {
namespace {

using html::Node;
using html::NodeId;

// The elements to keep.  Of others only the content is kept, or not even that if it is not text for readers.
constexpr std::array<std::string_view, 78> kElements = {
    "a",          "abbr",    "address", "article", "aside", "b",     "bdi",    "bdo",      "big",
    "blockquote", "br",      "caption", "center",  "cite",  "code",  "col",    "colgroup", "dd",
    "del",        "details", "dfn",     "dir",     "div",   "dl",    "dt",     "em",       "figcaption",
    "figure",     "font",    "footer",  "h1",      "h2",    "h3",    "h4",     "h5",       "h6",
    "header",     "hr",      "i",       "img",     "ins",   "kbd",   "label",  "li",       "main",
    "mark",       "menu",    "nav",     "ol",      "p",     "pre",   "q",      "rp",       "rt",
    "ruby",       "s",       "samp",    "section", "small", "span",  "strike", "strong",   "sub",
    "summary",    "sup",     "table",   "tbody",   "td",    "tfoot", "th",     "thead",    "time",
    "tr",         "tt",      "u",       "ul",      "var",   "wbr"};
constexpr std::array<std::string_view, 22> kLeftOutWhole = {
    "applet", "audio", "canvas",  "datalist", "embed",    "frame",  "frameset", "iframe",
    "math",   "meta",  "noembed", "noframes", "object",   "option", "param",    "script",
    "select", "style", "svg",     "template", "textarea", "video"};
constexpr std::array<std::string_view, 27> kAttributes = {
    "abbr",    "align",    "alt",   "bgcolor", "border",  "cellpadding", "cellspacing", "class",  "color",
    "colspan", "datetime", "dir",   "face",    "headers", "height",      "id",          "lang",   "name",
    "open",    "rowspan",  "scope", "size",    "start",   "title",       "type",        "valign", "width"};

template <size_t N>
bool IsIn(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether CSS loads nothing.  Anything that could hide a load (escapes, odd bytes) counts as one.
bool IsHarmlessStyle(std::string_view css) {
  const std::string lower = ToAsciiLower(css);
  for (const std::string_view word :
       {"url", "import", "image", "src", "expression", "binding", "behavior", "\\", "<"}) {
    if (lower.find(word) != std::string::npos) return false;
  }
  return true;
}

bool IsPictureData(std::string_view source) {
  for (const std::string_view start : {"data:image/png;base64,", "data:image/jpeg;base64,",
                                       "data:image/gif;base64,", "data:image/webp;base64,"}) {
    if (StartsWithIgnoringCase(source, start)) return true;
  }
  return false;
}

// Keeps a page readable that had its style elsewhere.
constexpr std::string_view kBaseStyle =
    "body{max-width:46rem;margin:1.5rem auto;padding:0 1.25rem;font:1rem/1.55 system-ui,sans-serif;"
    "color:#1f2224;background:#fff;overflow-wrap:anywhere}img{max-width:100%;height:auto}"
    "a{color:#0b6b5d}pre{white-space:pre-wrap}table{max-width:100%;border-collapse:collapse}td,th{padding:."
    "2em .5em;vertical-align:top}";

class CopyWriter {
 public:
  CopyWriter(const html::HtmlTree& tree, const web::LinkResolver& resolver)
      : tree_(tree), resolver_(resolver) {}

  std::string Write(const ArchivedUrls& archived) {
    FindLinks(archived);
    out_ = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>";
    if (const NodeId title = tree_.FindFirst(html::Tag::kTitle); title != html::kNoNode) WriteText(title);
    out_ += "</title><style>";
    out_ += kBaseStyle;
    out_ += "</style>";
    for (NodeId id = 0; id != html::kNoNode; id = tree_.Next(id)) {
      if (tree_[id].IsHtml(html::Tag::kStyle)) WriteStyle(id);
    }
    out_ += "</head><body>";
    if (const NodeId body = tree_.FindFirst(html::Tag::kBody); body != html::kNoNode) WriteContent(body);
    out_ += "</body></html>\n";
    return std::move(out_);
  }

 private:
  static bool IsAnchor(const Node& node) { return node.IsHtml(html::Tag::kA); }

  // The target of a link, resolved against the page; empty if it is not a page.
  std::string Resolved(std::string_view href) const {
    web::Url url;
    if (!resolver_.Resolve(href, &url) || !url.is_http()) return "";
    return url.href();
  }

  void FindLinks(const ArchivedUrls& archived) {
    std::vector<std::string> urls;
    for (NodeId id = 0; id != html::kNoNode; id = tree_.Next(id)) {
      const std::string_view* href = IsAnchor(tree_[id]) ? tree_[id].Find("href") : nullptr;
      if (href == nullptr) continue;
      std::string url = Resolved(*href);
      if (!url.empty() && has_copy_.emplace(url, false).second) urls.push_back(std::move(url));
    }
    const std::vector<bool> known = archived(urls);
    for (size_t i = 0; i < std::min(urls.size(), known.size()); ++i) has_copy_[urls[i]] = known[i];
  }

  void WriteText(NodeId element) {
    for (NodeId id = tree_[element].first_child; id != html::kNoNode; id = tree_[id].next) {
      if (tree_[id].type == html::NodeType::kText) charset::AppendHtml(tree_[id].text, &out_);
    }
  }

  void WriteStyle(NodeId element) {
    std::string css;
    for (NodeId id = tree_[element].first_child; id != html::kNoNode; id = tree_[id].next)
      css += tree_[id].text;
    if (IsHarmlessStyle(css)) out_ += "<style>" + css + "</style>";
  }

  void WriteAttribute(std::string_view name, std::string_view value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    charset::AppendHtml(value, &out_);
    out_ += '"';
  }

  void WriteLink(const Node& node) {
    const std::string_view* href = node.Find("href");
    if (href == nullptr) return;
    if (href->starts_with("#")) return WriteAttribute("href", *href);
    const std::string url = Resolved(*href);
    if (url.empty()) return;
    const bool copy = has_copy_[url];
    WriteAttribute("href", copy ? Target("/cached").With("url", url).text() : url);
    WriteAttribute("target", "_top");
    if (!copy) WriteAttribute("rel", "noopener noreferrer");
  }

  void WriteStart(const Node& node) {
    out_ += '<';
    out_ += node.text;
    for (const html::TreeAttribute& attribute : node.attributes()) {
      if (attribute.ns != html::AttributeNamespace::kNone) continue;
      const bool style = attribute.name == "style" && IsHarmlessStyle(attribute.value);
      if (style || IsIn(kAttributes, attribute.name)) WriteAttribute(attribute.name, attribute.value);
    }
    if (IsAnchor(node)) WriteLink(node);
    if (node.IsHtml(html::Tag::kImg)) {
      const std::string_view* source = node.Find("src");
      if (source != nullptr && IsPictureData(*source)) WriteAttribute("src", *source);
    }
    out_ += '>';
  }

  // Without recursion, because pages can nest arbitrarily deep.
  void WriteContent(NodeId root) {
    std::vector<NodeId> open;
    for (NodeId id = tree_[root].first_child; id != html::kNoNode;) {
      const Node& node = tree_[id];
      bool enter = false;
      if (node.type == html::NodeType::kText) {
        charset::AppendHtml(node.text, &out_);
      } else if (node.type == html::NodeType::kElement && node.ns == html::Namespace::kHtml &&
                 !IsIn(kLeftOutWhole, node.text)) {
        enter = node.first_child != html::kNoNode;
        const bool known = IsIn(kElements, node.text);
        if (known) WriteStart(node);
        if (enter) open.push_back(id);
        if (known && !enter) WriteEnd(node);
      }
      if (enter) {
        id = node.first_child;
        continue;
      }
      while (tree_[id].next == html::kNoNode && !open.empty()) {
        id = open.back();
        open.pop_back();
        const Node& ended = tree_[id];
        if (IsIn(kElements, ended.text)) WriteEnd(ended);
      }
      id = tree_[id].next;
    }
  }

  void WriteEnd(const Node& node) {
    if (html::HasKind(node.tag, html::kVoid)) return;
    out_ += "</";
    out_ += node.text;
    out_ += '>';
  }

  const html::HtmlTree& tree_;
  const web::LinkResolver& resolver_;
  std::map<std::string, bool> has_copy_;
  std::string out_;
};

}  // namespace

ArchivedBody ReadArchivedBody(const PageRecord& record) {
  const web::HttpResponse http = web::ParseHttpResponse(record.response);
  ArchivedBody body;
  const web::MediaType type = web::ParseMediaType(http.fields.Find("content-type").value_or(""));
  body.type = type.Essence();
  body.charset = type.charset;
  std::string_view bytes = http.body;
  web::Dechunked joined;
  if (http.fields.Find("transfer-encoding")) {
    joined = web::Dechunk(bytes);
    if (joined.chunked) bytes = joined.body;
  }
  body.bytes = web::DecodeContent(bytes, http.fields.Joined("content-encoding")).body();
  return body;
}

std::string ReadableCopy(const ArchivedBody& body, const web::Url& url, const ArchivedUrls& archived) {
  const charset::CharsetDecision charset = charset::DecideCharset(body.bytes, body.charset);
  const charset::DecodedText text = charset::DecodeToUtf8(body.bytes, charset.encoding);
  const html::HtmlTree tree = html::ParseHtml(text.text());
  std::string_view base_href;
  if (const NodeId base = tree.FindFirst(html::Tag::kBase); base != html::kNoNode) {
    if (const std::string_view* href = tree[base].Find("href")) base_href = *href;
  }
  const web::LinkResolver resolver(url, base_href, charset.encoding);
  return CopyWriter(tree, resolver).Write(archived);
}

std::string ReadableText(std::string_view title, std::string_view text) {
  std::string out = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>";
  charset::AppendHtml(title, &out);
  out += "</title><style>";
  out += kBaseStyle;
  out += "</style></head><body>";
  if (!title.empty()) {
    out += "<h1>";
    charset::AppendHtml(title, &out);
    out += "</h1>";
  }
  out += "<pre style=\"font:inherit\">";
  charset::AppendHtml(text, &out);
  out += "</pre></body></html>\n";
  return out;
}

}  // namespace crivello::serve
