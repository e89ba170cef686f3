// SPDX-License-Identifier: Apache-2.0
#include "index/tables/page_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "index/segments/document_values.h"
#include "index/tables/page_names.h"
#include "text/formats/document.h"
#include "web/url/language_path.h"
#include "web/url/percent.h"
#include "web/url/public_suffix.h"
#include "web/url/row_key.h"

namespace crivello::index {
namespace {

// Of pairs of different texts, one in 2^48 shares a digest; about as many have SimHashes within three bits.
constexpr unsigned kDigestBits = 48;

constexpr std::array<std::string_view, 11> kNames = {"title", "headings", "body", "rest",  "url", "anchor",
                                                     "site",  "lang",     "type", "links", "name"};

// What users write after "type:".
constexpr std::pair<std::string_view, std::string_view> kShortTypes[] = {
    {"text/html", "html"},
    {"application/xhtml+xml", "html"},
    {"text/plain", "text"},
    {"text/markdown", "markdown"},
    {"application/pdf", "pdf"},
    {"application/rtf", "rtf"},
    {"text/rtf", "rtf"},
    {"application/epub+zip", "epub"},
    {"application/vnd.oasis.opendocument.text", "odt"},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"},
    {"application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"},
};

std::string_view ShortType(std::string_view type) {
  for (const auto& [media, name] : kShortTypes) {
    if (type == media) return name;
  }
  return {};
}

// Host and path, with everything but letters, digits and other scripts replaced by spaces.
std::string WordsOfUrl(const web::Url& url) {
  std::string words(url.hostname());
  if (words.starts_with("www.")) words.erase(0, 4);
  words += ' ';
  web::AppendPercentDecoded(url.path_and_query(), &words);
  for (char& c : words) {
    if (static_cast<uint8_t>(c) < 0x80 && !IsAsciiAlnum(c)) c = ' ';
  }
  return words;
}

// The depth of a page in its site; the home page has 0.
int64_t DepthOf(const web::Url& url) {
  const std::string_view path = url.pathname();
  const int64_t slashes = std::count(path.begin(), path.end(), '/');
  const bool has_name = !path.empty() && path.back() != '/';
  return std::max<int64_t>(0, slashes - 1 + (has_name ? 1 : 0)) + (url.search().empty() ? 0 : 1);
}

// A number shared by the translations of one page: from the URLs that they name as their translations, or
// from their common path without the language.
int64_t TranslationOf(const web::Url& url, std::string_view language, const store::FetchCell& fetch) {
  const int64_t key =
      UrlKey(fetch.translations.empty() ? web::PathWithoutLanguage(url, language) : fetch.translations);
  return static_cast<int64_t>(static_cast<uint64_t>(key) >> (64 - kDigestBits));
}

// The sites of a page: its host, by which results are grouped, and the domains above.
void AddSites(std::string_view host, std::vector<IndexDocument::FieldText>* keywords) {
  keywords->push_back({"site", std::string(host)});
  const std::string_view domain = web::PublicSuffixList::BuiltIn().RegistrableDomain(host);
  if (domain.empty()) return;
  while (host.size() > domain.size()) {
    host.remove_prefix(std::min(host.find('.') + 1, host.size()));
    keywords->push_back({"site", std::string(host)});
  }
}

}  // namespace

PageFields::PageFields() : names_(kNames.begin(), kNames.end()) {}

Result<PageFields> PageFields::Parse(std::string_view names) {
  PageFields fields;
  fields.names_.clear();
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    const std::string_view name = TrimAsciiSpace(names.substr(0, comma));
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
      return Status::InvalidArgument(
          fmt::format("unknown field '{}'; choose one of {}", name, fmt::join(kNames, ", ")));
    }
    fields.names_.emplace(name);
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  if (fields.names_.empty()) return Status::InvalidArgument("an index needs at least one field");
  // All fields that existed before pages had names: this means all.
  if (fields.names_.size() + 1 == kNames.size()) fields.names_.emplace("name");
  return fields;
}

std::string PageFields::ToString() const { return fmt::format("{}", fmt::join(names_, ",")); }

bool IsSearchable(const store::FetchCell& fetch) {
  return fetch.status >= 200 && fetch.status <= 299 && !fetch.noindex &&
         fetch.kind != store::PageKind::kError;
}

Result<IndexDocument> MakeDocument(const PageVersion& page, const PageFields& fields) {
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(page.row_key));
  const store::FetchCell& fetch = page.fetch;
  const store::TextCell& text = page.text;
  IndexDocument document;
  document.url = url.href();
  document.id = fetch.id;
  document.title = text.title;
  document.description = text.description;
  document.text = text.MainText();
  document.language = text.language;

  const auto add = [&](std::string_view field, std::string_view words) {
    if (!words.empty() && fields.Has(field))
      document.texts.push_back({std::string(field), std::string(words)});
  };
  const auto or_body = [&](std::string_view field) { return fields.Has(field) ? field : "body"; };
  add(or_body("title"), text.title);
  for (const store::TextBlock& block : text.blocks) {
    const bool heading = block.kind == static_cast<uint8_t>(text::BlockKind::kHeading);
    add(!block.main ? "rest" : heading ? or_body("headings") : "body", block.text);
  }
  if (fields.Has("url")) add("url", WordsOfUrl(url));
  if (page.inlinks != nullptr) {
    for (const std::string& said : page.inlinks->texts) add("anchor", said);
  }

  const auto keyword = [&](std::string_view field, std::string_view word) {
    if (!word.empty() && fields.Has(field))
      document.keywords.push_back({std::string(field), std::string(word)});
  };
  if (fields.Has("site")) AddSites(url.hostname(), &document.keywords);
  keyword("lang", text.language);
  if (const size_t hyphen = text.language.find('-'); hyphen != std::string_view::npos) {
    keyword("lang", text.language.substr(0, hyphen));
  }
  keyword("type", fetch.content_type);
  keyword("type", ShortType(fetch.content_type));
  if (page.links != nullptr) {
    for (const store::OutLink& link : *page.links) keyword("links", link.url);
  }

  if (fields.Has("name")) {
    for (const std::string& name : NamesOf(url, text.title, page.inlinks)) keyword("name", name);
  }

  const auto number = [&](std::string_view name, int64_t value) {
    document.numbers.push_back({std::string(name), value});
  };
  const int64_t seconds = page.time / 1'000'000;
  const int64_t inlinks = page.inlinks == nullptr ? 0 : static_cast<int64_t>(page.inlinks->pages);
  const int64_t depth = DepthOf(url);
  number(column::kTime, seconds);
  number(column::kFrom, seconds);
  number(column::kPublished, text.published.value_or(0));
  number(column::kModified, fetch.last_modified.value_or(0));
  number(column::kKind, static_cast<int64_t>(fetch.kind));
  if (!text.language.empty()) number(column::kTranslation, TranslationOf(url, text.language, fetch));
  number(column::kDigest, static_cast<int64_t>(fetch.text_digest >> (64 - kDigestBits)));
  number(column::kSimHash, static_cast<int64_t>(fetch.simhash));
  // Only if there is one: few pages have near-duplicates.
  if (!page.representative.empty()) {
    CRV_ASSIGN(const web::Url representative, web::UrlOfRowKey(page.representative));
    number(column::kCluster, UrlKey(representative.href()));
  }
  if (fetch.unavailable_after)
    number(column::kUnavailableAfter, std::max<int64_t>(1, *fetch.unavailable_after));
  number(column::kFlags, (fetch.noarchive ? kNoArchive : 0) | (fetch.near_copy ? kNearCopy : 0));
  number(column::kInlinks, inlinks);
  number(column::kDepth, depth);
  document.labels = {{std::string(column::kLanguage), std::string(text.language)},
                     {std::string(column::kType), fetch.content_type},
                     {std::string(column::kSite), std::string(url.hostname())}};
  document.scores = {{"inlinks", static_cast<float>(inlinks)}, {"depth", static_cast<float>(depth)}};
  return document;
}

}  // namespace crivello::index
