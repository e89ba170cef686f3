// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "charset/encoding.h"
#include "page/reading_room.h"
#include "page/stage_costs.h"
#include "text/content/html_document.h"
#include "web/http/decompress.h"
#include "web/http/http_headers.h"
#include "web/http/http_message.h"
#include "web/http/http_robots_tag.h"
#include "web/http/usage_preferences.h"
#include "web/page/links.h"
#include "web/page/page_scan.h"
#include "web/url/link_resolver.h"
#include "web/url/url.h"

namespace crivello::page {

// What the body of a response was read as.
enum class BodyKind : uint8_t {
  kNone,      // no body, or not a text that we read
  kHtml,      // links and text
  kText,      // plain text, Markdown, XML: no links
  kFeed,      // RSS, Atom, JSON Feed, a sitemap: links
  kDocument,  // PDF, docx, odt, epub, RTF: converted, no links
};
std::string_view BodyKindName(BodyKind kind);

// A link of a page to a page: canonical, and not yet asked of any filter.
struct OutLink {
  std::string_view url;  // these two are PageReading::page's
  std::string_view anchor;
  web::LinkKind kind = web::LinkKind::kAnchor;
  bool nofollow = false;
  int64_t lastmod = 0;  // when it changed, as a sitemap says, in seconds since 1970; 0: it does not say
};

// What a response says to a crawler.  Owns its bytes; movable.
struct PageReading {
  ReadingRoom::Seat seat;  // for the memory of all the others
  BodyKind kind = BodyKind::kNone;
  std::string media_type;  // as declared, "text/html"; what was found in the bytes if nothing was
  charset::Encoding encoding = charset::Encoding::kUtf8;
  uint64_t replacements = 0;  // malformed sequences of that encoding
  uint64_t body_bytes = 0;    // with the content coding undone
  web::DecompressStatus coding = web::DecompressStatus::kComplete;
  web::RobotsDirectives robots;     // of the head and of the page together
  web::UsagePreferences usage;      // as the head states them
  std::string canonical;            // what the page says its URL is, canonical itself; may be empty
  std::string translations;         // the least URL of the page and those it names as its translations
  web::Page page;                   // of HTML: its head, and what the anchors point into
  text::HtmlDocument html;          // the text in blocks, of HTML not yet judged; of others its document only
  Status conversion;                // of kText and kDocument: why there is no text
  bool links_are_sitemaps = false;  // it is an index of sitemaps
  std::vector<OutLink> links;       // in the page's order, each URL once, that of the page left out
  uint64_t links_dropped = 0;       // not http, no URL, or over the limit
};

struct PageReaderOptions {
  std::string agent = "crivello";
  uint64_t max_body_bytes = 16 << 20;  // with the content coding undone
  size_t max_links = 10'000;
  size_t max_url_bytes = 2048;
  bool sort_query = false;
  ReadingRoom* room = nullptr;  // which the threads that read share, if they do; outlives the readings
};

// Turns responses into readings: content coding undone, encoding found, links resolved and made canonical,
// other formats converted (a PDF by another process, which may take its time: text/formats/pdf.h).  Linear in
// the body; reuses its buffers from page to page.  One thread at a time; a crawler has one a thread.
class PageReader {
 public:
  // `stage`: told of the stages, if it is there.
  explicit PageReader(PageReaderOptions options, StageClock* stage = nullptr);

  // `url` is where the response came from; `body` is in its content coding, its transfer coding undone.
  // `now`: seconds since 1970.
  // `as_sitemap`: it was asked for as a sitemap, so a plain text is a list of addresses.
  struct Source {
    const web::Url& url;
    const web::HttpFields& fields;
    std::string_view body;
    int64_t now = 0;
    bool as_sitemap = false;
  };
  PageReading Read(const Source& source);

 private:
  void ReadHtml(const Source& source, std::string_view text, PageReading* reading);
  void Convert(const Source& source, std::string_view body, PageReading* reading);
  bool ReadSitemap(const Source& source, std::string_view text, PageReading* reading);
  void AddLink(const web::LinkResolver& resolver, const web::Link& link, PageReading* reading);
  void FindTranslations(const Source& source, const web::LinkResolver& resolver, PageReading* reading);
  // The place of a URL among the links; one more if it is new.
  size_t IndexOf(std::string_view url, const PageReading& reading);

  PageReaderOptions options_;
  StageClock* const stage_;
  web::Url resolved_, canonical_;
  std::vector<uint32_t> seen_;  // open addressing: 1 + index of a link, 0 for none
};

// Whether a link leads to a page: anchors, frames, refreshes and most of <link>, but no images, forms or
// what a page is only dressed with.
bool LeadsToPage(const web::Link& link);

}  // namespace crivello::page
