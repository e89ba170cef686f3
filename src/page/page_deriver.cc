// SPDX-License-Identifier: Apache-2.0
#include "page/page_deriver.h"

#include <algorithm>
#include <utility>

#include "page/page_kind.h"
#include "text/terms/language.h"

namespace crivello::page {
namespace {

using Part = dedup::PageDigester::Part;

std::string_view TopLevelDomain(std::string_view host) {
  const size_t dot = host.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : host.substr(dot + 1);
}

// Whether the page alone shows it as content, ignoring what the site repeats.
bool IsOwn(const text::Block& block) { return block.main || block.cut == text::CutReason::kTemplate; }

}  // namespace

Result<DerivedPage> PageDeriver::Derive(const PageReader::Source& source, SiteTemplates& templates,
                                        Learning learning) {
  DerivedPage page;
  page.reading = reader_.Read(source);
  PageReading& reading = page.reading;
  if (reading.canonical != source.url.href()) page.canonical = reading.canonical;
  Enter(Stage::kText);
  const std::string_view host = source.url.hostname();
  std::optional<std::string> site_language;
  if (reading.kind == BodyKind::kHtml) {
    CRV_ASSIGN(site_language, templates.Mark(host, &reading.html, learning));
  }
  const text::Document& document = reading.html.document;
  own_text_.clear();
  for (const text::Block& block : document.blocks) {
    if (block.main) page.main_bytes += block.text.size();
    if (!IsOwn(block) || own_text_.size() >= text::kLanguageBytes) continue;
    own_text_ += block.text;
    own_text_ += '\n';
  }
  text::LanguageGuess language = text::DetectLanguage(
      own_text_, {.declared = document.language,
                  .content_language = source.fields.Find("content-language").value_or(""),
                  .top_level_domain = TopLevelDomain(host),
                  .site = site_language});
  if (reading.kind == BodyKind::kHtml && learning == Learning::kOn) {
    const bool told = language.source == text::LanguageSource::kText;
    CRV_TRY(templates.LearnLanguage(host, told ? std::string_view(language.code) : ""));
  }
  page.language = std::move(language.code);
  if (!document.blocks.empty() || !document.title.empty()) page.kind = KindOfPage(source.url, document);
  Enter(Stage::kDigest);
  for (const text::Block& block : document.blocks) {
    digester_.Add(block.text, IsOwn(block) ? Part::kMain : Part::kAround);
  }
  const dedup::PageDigester::Digests digests = digester_.Finish();
  page.main = digests.main;
  page.signals = digester_.signals();
  page.whole = digests.whole;
  return page;
}

void PageDeriver::Fill(const DerivedPage& page, store::FetchCell* fetch, std::string* text,
                       std::string* links) {
  const PageReading& reading = page.reading;
  fetch->noindex = reading.robots.noindex;
  fetch->noarchive = reading.robots.noarchive;
  fetch->nofollow = reading.robots.nofollow;
  fetch->unavailable_after = reading.robots.unavailable_after;
  fetch->usage = reading.usage.ToString();
  fetch->text_digest = page.main.text;
  fetch->simhash = page.main.simhash;
  fetch->canonical = page.canonical;
  fetch->kind = page.kind;
  fetch->translations = page.reading.translations;
  fetch->derived_by = kDerivedBy;

  text->clear();
  const text::Document& document = reading.html.document;
  if (!document.blocks.empty() || !document.title.empty()) {
    text_cell_ = {.derived_by = kDerivedBy,
                  .language = page.language,
                  .charset = charset::EncodingName(reading.encoding),
                  .title = document.title,
                  .author = document.author,
                  .site = document.site,
                  .description = document.description,
                  .published = document.published,
                  .blocks = std::move(text_cell_.blocks)};
    text_cell_.blocks.clear();
    for (const text::Block& block : document.blocks) {
      text_cell_.blocks.push_back({.kind = static_cast<uint8_t>(block.kind),
                                   .level = std::min(block.level, store::TextBlock::kMaxLevel),
                                   .main = block.main,
                                   .text = block.text});
    }
    store::EncodeTextCell(text_cell_, text);
  }

  links->clear();
  if (!reading.links.empty()) {
    Enter(Stage::kLinks);
    link_cell_.Clear();
    for (const OutLink& link : reading.links) {
      if (!link_cell_.Add(link.url, link.anchor, static_cast<uint8_t>(link.kind), link.nofollow)) break;
    }
    *links = link_cell_.bytes();
  }
}

}  // namespace crivello::page
