// SPDX-License-Identifier: Apache-2.0
#include "feeds/item_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/civil_time.h"
#include "base/hash.h"
#include "web/url/canonical.h"

namespace crivello::feeds {
namespace {

constexpr std::string_view kItemParameter = "crivello-item=";
constexpr size_t kNameDigits = 16;

const web::FeedText& FullText(const web::FeedItem& item) {
  return item.content.empty() ? item.summary : item.content;
}

void AppendEscaped(std::string_view text, std::string* html) {
  for (const char c : text) {
    switch (c) {
      case '&':
        *html += "&amp;";
        break;
      case '<':
        *html += "&lt;";
        break;
      case '"':
        *html += "&quot;";
        break;
      default:
        *html += c;
    }
  }
}

}  // namespace

std::vector<const web::FeedItem*> ItemsWithoutPage(const web::Feed& feed) {
  const bool complete = feed.format == web::FeedFormat::kRss || feed.format == web::FeedFormat::kRdf;
  std::vector<const web::FeedItem*> items;
  for (const web::FeedItem& item : feed.items) {
    if (items.size() == kMaxItemDocuments) break;
    if (!item.link.empty() && web::CanonicalUrl(item.link).ok()) continue;
    const bool has_text = item.content.type != web::FeedText::Type::kOther && !item.content.empty();
    if (has_text || (complete && item.content.empty() && !item.summary.empty())) items.push_back(&item);
  }
  return items;
}

Result<web::Url> ItemUrl(const web::Url& feed, const web::FeedItem& item) {
  const uint64_t name =
      item.id.empty() ? Hash64(item.title.value + "\n" + FullText(item).value) : Hash64("id " + item.id);
  const std::string search(feed.search());
  web::Url url = feed;
  url.set_search(
      fmt::format("{}{}{:016x}", search.size() > 1 ? search.substr(1) + "&" : "", kItemParameter, name));
  return web::CanonicalUrl(url.href());
}

bool IsItemUrl(const web::Url& url) {
  const std::string_view search = url.search();
  for (size_t at = search.find(kItemParameter); at != search.npos; at = search.find(kItemParameter, at + 1)) {
    if (at == 0 || (search[at - 1] != '?' && search[at - 1] != '&')) continue;
    const std::string_view name = search.substr(at + kItemParameter.size());
    const std::string_view value = name.substr(0, name.find('&'));
    if (value.size() == kNameDigits && value.find_first_not_of("0123456789abcdef") == value.npos) return true;
  }
  return false;
}

std::string ItemHtml(const web::FeedItem& item) {
  const web::FeedText& text = FullText(item);
  const std::string& language = text.language.empty() ? item.language : text.language;
  const std::string& base = text.base.empty() ? item.base : text.base;
  std::string html = "<!DOCTYPE html>\n<html";
  if (!language.empty()) {
    html += " lang=\"";
    AppendEscaped(language, &html);
    html += "\"";
  }
  html += "><head><meta charset=\"utf-8\"><title>";
  AppendEscaped(item.title.PlainText(), &html);
  html += "</title>";
  if (!base.empty()) {
    html += "<base href=\"";
    AppendEscaped(base, &html);
    html += "\">";
  }
  if (const auto date = item.date_seconds(); date && *date > 0) {
    html += "<meta property=\"article:published_time\" content=\"" + FormatRfc3339(*date) + "\">";
  }
  html += "</head><body><article>\n";
  if (!item.title.empty()) {
    html += "<h1>";
    AppendEscaped(item.title.PlainText(), &html);
    html += "</h1>\n";
  }
  if (text.type == web::FeedText::Type::kText) {
    html += "<p>";
    AppendEscaped(text.value, &html);
    html += "</p>";
  } else {
    html += text.value;
  }
  return html + "\n</article></body></html>\n";
}

}  // namespace crivello::feeds
