// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "html/arena.h"
#include "html/html_tokenizer.h"
#include "web/http/http_robots_tag.h"
#include "web/page/links.h"

namespace crivello::web {

struct PageOptions {
  int64_t now = 0;                 // seconds since 1970; resolves two-digit years in robots directives
  std::string agent = "crivello";  // <meta name=AGENT> counts like <meta name=robots>; in lower case
  bool noscript_text = false;      // whether to include the text in <noscript>
  size_t max_links = 50000;        // per page; further links are only counted
  size_t max_href_bytes = 8192;    // longer ones (mostly data:) are only counted
  size_t max_anchor_bytes = 1024;  // of the text of a link
  size_t max_title_bytes = 4096;
  size_t max_text_bytes = 16 << 20;  // 0: no text at all
  html::TokenizerLimits tokenizer = {};
};

// What a crawler needs from a page. Owns its bytes; movable.
struct Page {
  std::string_view title;      // the first <title>, white space collapsed
  std::string_view lang;       // of <html>
  std::string_view base;       // href of the first <base> that has one
  std::string_view canonical;  // href of the first <link rel=canonical>
  std::optional<Refresh> refresh;
  RobotsDirectives robots;  // all <meta name=robots> and <meta name=AGENT> combined
  std::vector<std::pair<std::string_view, std::string_view>> robots_tags;  // of each: name, content
  std::vector<Link> links;                                                 // in page order
  std::string text;

  bool text_cut = false;
  uint64_t dropped_links = 0;
  html::TokenizerStats tokenizer;

  html::Arena arena;  // what the views point into
};

// Extracts a page's links and text with the tokenizer alone: no tree is built, so memory is only that of the
// result. Input is UTF-8, in pieces of any size. Linear. One thread at a time.
//
// Links: see LinkKind; hrefs are as written. An anchor's text ends at </a> or at the next <a>. An empty href
// counts only on <a> and <area>. Links in <template> are ignored. <noscript> is read as markup, as in a
// browser with scripts disabled.
//
// Text: what is visible with the default style, by the rules of PageText. Elements of kind kBlock and <br>
// break the line, table cells break the word. Excluded: comments, <script>, <style>, <template>, <iframe>,
// <noembed>, <noframes>, <textarea>, <title> (returned separately) and, unless requested, <noscript>. Style
// sheets and the hidden attribute are ignored.
//
// Without a tree, nesting is judged by the tags as written. In SVG and MathML, <script>, <style> and <title>
// have no special content, and CDATA sections are text; an HTML block ends an unclosed <svg>.
class PageScanner : private html::TokenSink {
 public:
  explicit PageScanner(PageOptions options = {});
  ~PageScanner() override;
  PageScanner(const PageScanner&) = delete;
  PageScanner& operator=(const PageScanner&) = delete;

  void Feed(std::string_view piece);
  // Lets somebody else's tokenizer drive the scanner (TreeOptions::observer), so that tree and scan tokenize
  // a page only once. Nesting is then judged by the tree's rules.
  html::TokenSink* observer() { return this; }
  // The page that was fed; the scanner is then ready for the next one.
  Page Finish();

 private:
  struct State;

  void OnText(std::string_view text) override;
  void OnStartTag(const html::TagToken& tag) override;
  void OnEndTag(const html::TagToken& tag) override;

  void BreakAt(const html::TagToken& tag);
  void TrackForeign(const html::TagToken& tag);
  void EnterContent(const html::TagToken& tag);
  void StartAnchor(const html::TagToken& tag);
  void FinishAnchor();
  void ReadLink(const html::TagToken& tag);
  void ReadMeta(const html::TagToken& tag);
  void ReadImage(const html::TagToken& tag);
  Link* AddLink(LinkKind kind, std::string_view href);

  const PageOptions options_;
  std::unique_ptr<State> state_;
  html::HtmlTokenizer tokenizer_;
};

// Scans a whole page in one call.
Page ScanPage(std::string_view html, const PageOptions& options = {});

}  // namespace crivello::web
