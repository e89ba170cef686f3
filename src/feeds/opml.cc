// SPDX-License-Identifier: Apache-2.0
#include "feeds/opml.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "web/feed/xml_scanner.h"
#include "web/url/url.h"

namespace crivello::feeds {
namespace {

std::string EscapeXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

}  // namespace

Result<std::vector<OpmlFeed>> ParseOpml(std::string_view utf8) {
  web::XmlScanner scanner(utf8);
  std::vector<OpmlFeed> feeds;
  bool is_opml = false;
  for (auto event = scanner.Next(); event != web::XmlScanner::Event::kDone; event = scanner.Next()) {
    if (event != web::XmlScanner::Event::kStart) continue;
    if (EqualsIgnoringCase(scanner.local_name(), "opml")) is_opml = true;
    if (!is_opml || !EqualsIgnoringCase(scanner.local_name(), "outline")) continue;
    auto url = scanner.Attribute("xmlUrl");
    if (!url || url->empty()) continue;
    if (feeds.size() == kMaxOpmlFeeds) {
      return Status::InvalidArgument(
          fmt::format("cannot read an OPML list of more than {} feeds: split it", kMaxOpmlFeeds));
    }
    std::string title = scanner.Attribute("text").value_or("");
    if (title.empty()) title = scanner.Attribute("title").value_or("");
    feeds.push_back({.url = *std::move(url),
                     .site = scanner.Attribute("htmlUrl").value_or(""),
                     .title = std::move(title)});
  }
  if (!is_opml) return Status::Corruption("not an OPML document: found no <opml> element");
  return feeds;
}

std::optional<std::string> PollableUrl(std::string_view written) {
  constexpr std::string_view kFeed = "feed:";
  std::string text(TrimAsciiSpace(written));
  if (EqualsIgnoringCase(std::string_view(text).substr(0, kFeed.size()), kFeed)) {
    text.erase(0, kFeed.size());
    if (text.starts_with("//")) text.insert(0, "http:");
  }
  web::Url url;
  if (!url.Parse(text) || !url.is_http()) return std::nullopt;
  return text;
}

std::string FormatOpml(std::string_view title, std::span<const OpmlFeed> feeds) {
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml "
      "version=\"2.0\">\n<head><title>{}</title></head>\n<body>\n",
      EscapeXml(title));
  for (const OpmlFeed& feed : feeds) {
    out += fmt::format("<outline type=\"rss\" text=\"{}\" xmlUrl=\"{}\"",
                       EscapeXml(feed.title.empty() ? feed.url : feed.title), EscapeXml(feed.url));
    if (!feed.site.empty()) out += fmt::format(" htmlUrl=\"{}\"", EscapeXml(feed.site));
    out += "/>\n";
  }
  return out + "</body>\n</opml>\n";
}

}  // namespace crivello::feeds
