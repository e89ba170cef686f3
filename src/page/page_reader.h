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

// How the body of a response was read.
enum class BodyKind : uint8_t {
  kNone,      // no body, or not a text format that we read
  kHtml,      // links and text
  kText,      // plain text, Markdown, XML: no links
  kFeed,      // RSS, Atom, JSON Feed, a sitemap: links
  kDocument,  // PDF, docx, odt, epub, RTF: converted, no links
};
std::string_view BodyKindName(BodyKind kind);

// A link to a page: canonical, not yet filtered.
struct OutLink {
  std::string_view url;  // these two point into PageReading::page
  std::string_view anchor;
  web::LinkKind kind = web::LinkKind::kAnchor;
  bool nofollow = false;
};

// Everything that a crawler reads from a response. Owns its bytes; movable.
struct PageReading {
  ReadingRoom::Seat seat;  // covers the memory of all other members
  BodyKind kind = BodyKind::kNone;
  std::string media_type;  // as declared, "text/html"; if nothing was declared, as detected
  charset::Encoding encoding = charset::Encoding::kUtf8;
  uint64_t replacements = 0;  // malformed sequences of that encoding
  uint64_t body_bytes = 0;    // after decoding the content coding
  web::DecompressStatus coding = web::DecompressStatus::kComplete;
  web::RobotsDirectives robots;     // of the head and the page combined
  web::UsagePreferences usage;      // as stated in the head
  std::string canonical;            // the URL that the page declares as its own, canonicalised; may be empty
  std::string translations;         // the least of the page's URL and those of its declared translations
  web::Page page;                   // only for HTML: its head, and the target of the link views
  text::HtmlDocument html;          // text in blocks; HTML: not judged yet; other formats: only its document
  Status conversion;                // for kText and kDocument: the reason if there is no text
  bool links_are_sitemaps = false;  // it is a sitemap index
  std::vector<OutLink> links;       // in page order, each URL once, without the page's own
  uint64_t links_dropped = 0;       // not http, not a valid URL, or over the limit
};

struct PageReaderOptions {
  std::string agent = "crivello";
  uint64_t max_body_bytes = 16 << 20;  // after decoding the content coding
  size_t max_links = 10'000;
  size_t max_url_bytes = 2048;
  bool sort_query = false;
  ReadingRoom* room = nullptr;  // shared by the threads that read, if any; must outlive the readings
};

// Turns responses into readings: decodes the content coding, detects the encoding, resolves and canonicalises
// links, converts other formats (a PDF in a subprocess, which may take long: text/formats/pdf.h). Linear in
// the body; reuses its buffers. One thread at a time; each thread of a crawler has its own.
class PageReader {
 public:
  // `stage`, if not null, is set to the current stage.
  explicit PageReader(PageReaderOptions options, StageClock* stage = nullptr);

  // `url` is the source of the response; `body` is in its content coding, without transfer coding. `now`:
  // seconds since 1970. `as_sitemap`: it was requested as a sitemap, so plain text is a list of
  // addresses.
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
  // The index of a URL among the links; their number if it is new.
  size_t IndexOf(std::string_view url, const PageReading& reading);

  PageReaderOptions options_;
  StageClock* const stage_;
  web::Url resolved_, canonical_;
  std::vector<uint32_t> seen_;  // open addressing: 1 + index of a link, 0 if empty
};

// Whether a link leads to a page: anchors, frames, refreshes and most of <link>, but not images, forms or
// resources for rendering.
bool LeadsToPage(const web::Link& link);

}  // namespace crivello::page
