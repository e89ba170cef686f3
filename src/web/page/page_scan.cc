// SPDX-License-Identifier: Apache-2.0
#include "web/page/page_scan.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "web/page/page_text.h"

namespace crivello::web {
namespace {

using Content = html::HtmlTokenizer::Content;

constexpr size_t kNoAnchor = ~size_t{0};

std::string_view Value(const html::TagToken& tag, std::string_view name) {
  const std::string_view* value = tag.Find(name);
  return value == nullptr ? std::string_view() : *value;
}

}  // namespace

struct PageScanner::State {
  explicit State(const PageOptions& options)
      : text(options.max_text_bytes), title(options.max_title_bytes), anchor_text(options.max_anchor_bytes) {}

  Page page;
  PageText text;
  PageText title;
  PageText anchor_text;
  size_t anchor = kNoAnchor;            // the link whose text is being read
  html::Tag raw = html::Tag::kUnknown;  // the element whose content is not markup
  bool has_title = false;
  bool has_base = false;
  uint32_t templates = 0;  // open ones
  uint32_t noscripts = 0;
  uint32_t foreign = 0;          // open <svg> and <math>
  uint32_t html_in_foreign = 0;  // open <foreignObject>
};

PageScanner::PageScanner(PageOptions options)
    : options_(std::move(options)),
      state_(std::make_unique<State>(options_)),
      tokenizer_(this, options_.tokenizer) {}

PageScanner::~PageScanner() = default;

void PageScanner::Feed(std::string_view piece) { tokenizer_.Feed(piece); }

Page PageScanner::Finish() {
  tokenizer_.Finish();
  FinishAnchor();
  State& state = *state_;
  Page page = std::move(state.page);
  page.title = page.arena.Copy(state.title.view());
  page.text_cut = state.text.cut();
  page.text = state.text.Take();
  page.tokenizer = tokenizer_.counts();
  tokenizer_.Reset();
  *state_ = State(options_);
  return page;
}

Page ScanPage(std::string_view html, const PageOptions& options) {
  PageScanner scanner(options);
  scanner.Feed(html);
  return scanner.Finish();
}

void PageScanner::OnText(std::string_view text) {
  State& state = *state_;
  if (text.size() == 1 && text[0] == '\0') return;
  if (state.raw != html::Tag::kUnknown && state.raw != html::Tag::kXmp &&
      state.raw != html::Tag::kPlaintext) {
    if (state.raw == html::Tag::kTitle && !state.has_title) state.title.Append(text);
    return;
  }
  if (state.templates > 0) return;
  if (state.anchor != kNoAnchor) state.anchor_text.Append(text);
  if (options_.max_text_bytes > 0 && (state.noscripts == 0 || options_.noscript_text)) {
    state.text.Append(text);
  }
}

void PageScanner::OnStartTag(const html::TagToken& tag) {
  State& state = *state_;
  TrackForeign(tag);
  BreakAt(tag);
  EnterContent(tag);
  if (state.templates > 0) return;
  switch (tag.tag) {
    case html::Tag::kA:
      StartAnchor(tag);
      break;
    case html::Tag::kArea:
      if (const std::string_view* href = tag.Find("href")) {
        if (Link* link = AddLink(LinkKind::kArea, *href)) {
          link->text = state.page.arena.Copy(charset::CutUtf8(Value(tag, "alt"), options_.max_anchor_bytes));
          link->rel = state.page.arena.Copy(charset::CutUtf8(Value(tag, "rel"), options_.max_anchor_bytes));
        }
      }
      break;
    case html::Tag::kLink:
      ReadLink(tag);
      break;
    case html::Tag::kMeta:
      ReadMeta(tag);
      break;
    case html::Tag::kImg:
    case html::Tag::kImage:
    case html::Tag::kSource:
      ReadImage(tag);
      break;
    case html::Tag::kIframe:
      AddLink(LinkKind::kIframe, Value(tag, "src"));
      break;
    case html::Tag::kFrame:
      AddLink(LinkKind::kFrame, Value(tag, "src"));
      break;
    case html::Tag::kForm:
      if (Link* link = AddLink(LinkKind::kForm, Value(tag, "action"))) {
        link->type = state.page.arena.Copy(charset::CutUtf8(Value(tag, "method"), options_.max_anchor_bytes));
      }
      break;
    case html::Tag::kBase:
      if (const std::string_view* href = tag.Find("href"); href != nullptr && !state.has_base) {
        state.has_base = true;
        state.page.base =
            state.page.arena.Copy(charset::CutUtf8(TrimAsciiSpace(*href), options_.max_href_bytes));
      }
      break;
    case html::Tag::kHtml:
      if (state.page.lang.empty())
        state.page.lang = state.page.arena.Copy(charset::CutUtf8(Value(tag, "lang"), 256));
      break;
    case html::Tag::kNoscript:
      ++state.noscripts;
      break;
    default:
      break;
  }
}

void PageScanner::OnEndTag(const html::TagToken& tag) {
  State& state = *state_;
  BreakAt(tag);
  if (state.raw != html::Tag::kUnknown) {
    if (state.raw == html::Tag::kTitle) state.has_title = true;
    state.raw = html::Tag::kUnknown;
  }
  const auto leave = [](uint32_t* depth) {
    if (*depth > 0) --*depth;
  };
  switch (tag.tag) {
    case html::Tag::kA:
      FinishAnchor();
      break;
    case html::Tag::kTemplate:
      leave(&state.templates);
      break;
    case html::Tag::kNoscript:
      leave(&state.noscripts);
      break;
    case html::Tag::kForeignobject:
      leave(&state.html_in_foreign);
      break;
    case html::Tag::kSvg:
    case html::Tag::kMath:
      leave(&state.foreign);
      if (state.foreign == 0) state.html_in_foreign = 0;
      tokenizer_.set_cdata_allowed(state.foreign > 0);
      break;
    default:
      break;
  }
}

void PageScanner::BreakAt(const html::TagToken& tag) {
  if (html::HasKind(tag.tag, html::kBlock)) {
    state_->text.BreakLine();
    state_->anchor_text.BreakWord();
  } else if (tag.tag == html::Tag::kTd || tag.tag == html::Tag::kTh) {
    state_->text.BreakWord();
    state_->anchor_text.BreakWord();
  }
}

void PageScanner::TrackForeign(const html::TagToken& tag) {
  State& state = *state_;
  if (tag.tag == html::Tag::kSvg || tag.tag == html::Tag::kMath) {
    if (!tag.self_closing) ++state.foreign;
  } else if (state.foreign == 0) {
    return;
  } else if (tag.tag == html::Tag::kForeignobject) {
    if (!tag.self_closing) ++state.html_in_foreign;
  } else if (state.html_in_foreign == 0 && tag.tag != html::Tag::kTitle &&
             html::HasKind(tag.tag, html::kBlock)) {
    state.foreign = 0;
  }
  tokenizer_.set_cdata_allowed(state.foreign > 0 && state.html_in_foreign == 0);
}

// Handles the elements whose content is not the page's markup.
void PageScanner::EnterContent(const html::TagToken& tag) {
  State& state = *state_;
  if (tag.tag == html::Tag::kTemplate) {
    ++state.templates;
    return;
  }
  Content content;
  switch (tag.tag) {
    case html::Tag::kScript:
      content = Content::kScript;
      break;
    case html::Tag::kTitle:
    case html::Tag::kTextarea:
      content = Content::kRcdata;
      break;
    case html::Tag::kStyle:
    case html::Tag::kXmp:
    case html::Tag::kIframe:
    case html::Tag::kNoembed:
    case html::Tag::kNoframes:
      content = Content::kRawtext;
      break;
    case html::Tag::kPlaintext:
      content = Content::kPlaintext;
      break;
    default:
      return;
  }
  if (state.foreign > 0 && state.html_in_foreign == 0) {
    // Parsed as markup here, but not visible; an end tag ends it.
    if (!tag.self_closing) state.raw = html::Tag::kStyle;
    return;
  }
  state.raw = tag.tag;
  tokenizer_.SetContent(content);
}

Link* PageScanner::AddLink(LinkKind kind, std::string_view href) {
  Page& page = state_->page;
  href = TrimAsciiSpace(href);
  if (href.empty() && kind != LinkKind::kAnchor && kind != LinkKind::kArea) return nullptr;
  if (href.size() > options_.max_href_bytes || page.links.size() >= options_.max_links) {
    ++page.dropped_links;
    return nullptr;
  }
  Link& link = page.links.emplace_back();
  link.kind = kind;
  link.href = page.arena.Copy(href);
  link.in_noscript = state_->noscripts > 0;
  return &link;
}

void PageScanner::StartAnchor(const html::TagToken& tag) {
  State& state = *state_;
  FinishAnchor();
  const std::string_view* href = tag.Find("href");
  if (href == nullptr && state.foreign > 0) href = tag.Find("xlink:href");
  if (href == nullptr) return;
  Link* link = AddLink(LinkKind::kAnchor, *href);
  if (link == nullptr) return;
  link->rel = state.page.arena.Copy(charset::CutUtf8(Value(tag, "rel"), options_.max_anchor_bytes));
  link->type = state.page.arena.Copy(charset::CutUtf8(Value(tag, "type"), options_.max_anchor_bytes));
  link->hreflang = state.page.arena.Copy(charset::CutUtf8(Value(tag, "hreflang"), options_.max_anchor_bytes));
  state.anchor = state.page.links.size() - 1;
}

void PageScanner::FinishAnchor() {
  State& state = *state_;
  if (state.anchor == kNoAnchor) return;
  state.page.links[state.anchor].text = state.page.arena.Copy(state.anchor_text.view());
  state.anchor_text.Clear();
  state.anchor = kNoAnchor;
}

void PageScanner::ReadLink(const html::TagToken& tag) {
  Page& page = state_->page;
  Link* link = AddLink(LinkKind::kLink, Value(tag, "href"));
  if (link == nullptr) return;
  const auto copy = [&](std::string_view name) {
    return page.arena.Copy(charset::CutUtf8(Value(tag, name), options_.max_anchor_bytes));
  };
  link->text = copy("title");
  link->rel = copy("rel");
  link->type = copy("type");
  link->hreflang = copy("hreflang");
  if (page.canonical.empty() && link->HasRel("canonical")) page.canonical = link->href;
}

void PageScanner::ReadMeta(const html::TagToken& tag) {
  Page& page = state_->page;
  const std::string_view content = Value(tag, "content");
  const std::string_view name = Value(tag, "name");
  if (EqualsIgnoringCase(name, "robots") || (!name.empty() && EqualsIgnoringCase(name, options_.agent))) {
    AddRobotsDirectives(content, options_.agent, options_.now, page.robots);
    if (page.robots_tags.size() < 64) {
      page.robots_tags.emplace_back(page.arena.Copy(name),
                                    page.arena.Copy(charset::CutUtf8(content, options_.max_anchor_bytes)));
    }
  }
  if (!EqualsIgnoringCase(Value(tag, "http-equiv"), "refresh") || page.refresh.has_value()) return;
  page.refresh = ParseRefresh(content);
  if (!page.refresh.has_value()) return;
  if (page.refresh->url.empty()) return;
  const Link* link = AddLink(LinkKind::kRefresh, page.refresh->url);
  if (link == nullptr) {
    page.refresh.reset();
  } else {
    page.refresh->url = link->href;
  }
}

void PageScanner::ReadImage(const html::TagToken& tag) {
  State& state = *state_;
  const std::string_view alt = charset::CutUtf8(Value(tag, "alt"), options_.max_anchor_bytes);
  if (state.anchor != kNoAnchor && !alt.empty()) {
    state.anchor_text.BreakWord();
    state.anchor_text.Append(alt);
    state.anchor_text.BreakWord();
  }
  if (tag.tag != html::Tag::kSource) {
    if (Link* link = AddLink(LinkKind::kImage, Value(tag, "src"))) link->text = state.page.arena.Copy(alt);
  }
  const std::string_view srcset = Value(tag, "srcset");
  if (srcset.empty()) return;
  for (const ImageCandidate& candidate : ParseSrcset(srcset)) AddLink(LinkKind::kImageSource, candidate.url);
}

}  // namespace crivello::web
