// SPDX-License-Identifier: Apache-2.0
#include "page/page_reader.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "charset/charset.h"
#include "html/html_tree.h"
#include "text/formats/convert.h"
#include "web/feed/sitemap.h"
#include "web/url/canonical.h"

namespace crivello::page {
namespace {

// A sitemap may list more URLs than a page may link to: the protocol's limit.
constexpr size_t kMaxSitemapLinks = 50'000;

// The maximum memory for reading a page, per byte of its body: a page of only tags.
constexpr uint64_t kMemoryPerByte = 10;

constexpr std::string_view kXmlSpace = " \t\r\n";

// The body without leading white space and byte order mark.
std::string_view Start(std::string_view body) {
  if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
  const size_t at = body.find_first_not_of(kXmlSpace);
  return at == std::string_view::npos ? std::string_view() : body.substr(at, 512);
}

bool LooksLikeHtml(std::string_view start) {
  for (std::string_view tag : {"<!doctype html", "<html", "<head", "<body", "<title", "<script", "<p>", "<a ",
                               "<div", "<table", "<h1", "<br", "<!--"}) {
    if (StartsWithIgnoringCase(start, tag)) return true;
  }
  return false;
}

bool LooksLikeFeed(std::string_view start) {
  for (std::string_view root : {"<rss", "<feed", "<rdf:rdf", "<urlset", "<sitemapindex"}) {
    if (start.find(root) != std::string_view::npos) return true;
  }
  return StartsWithIgnoringCase(start, "<rdf:rdf");
}

bool IsBinary(std::string_view body) {
  const std::string_view start = body.substr(0, 1024);
  // UTF-16 contains zeros too, but has a byte order mark.
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) return false;
  return start.find('\0') != std::string_view::npos;
}

// Whether a supposed page is binary: at least one byte in twenty of its beginning is a control character that
// never occurs in text. UTF-16 and UTF-32 without a byte order mark contain zeros in a pattern, but no other
// control characters.
bool IsBinaryPage(std::string_view body) {
  const std::string_view start = body.substr(0, 1024);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) return false;
  const auto controls = std::count_if(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<uint8_t>(c);
    return (byte > 0 && byte < 0x09) || (byte > 0x0d && byte < 0x20 && byte != 0x1b);
  });
  return 20 * static_cast<size_t>(controls) > start.size();
}

// Images, audio, archives and programs that a server serves as a page: their text would be noise.
bool HasMagicOfBinary(std::string_view body) {
  for (const std::string_view magic : {"\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a", "\xff\xd8\xff", "%PDF-",
                                       "PK\x03\x04", "\x1f\x8b\x08", "OggS", "ID3\x03", "ID3\x04",
                                       "\x7f"
                                       "ELF",
                                       "7z\xbc\xaf\x27\x1c", "wOF2", "wOFF"}) {
    if (body.starts_with(magic)) return true;
  }
  return body.starts_with("RIFF") && (body.substr(8, 4) == "WEBP" || body.substr(8, 4) == "WAVE");
}

// How to read a body: by its declared type, and by its bytes if the server declared nothing, or "text/plain"
// or "application/xml", which servers use for anything.
BodyKind KindOf(const web::MediaType& type, std::string_view body) {
  if (body.empty()) return BodyKind::kNone;
  const std::string_view start = Start(body);
  if (type.IsHtml()) return HasMagicOfBinary(body) || IsBinaryPage(body) ? BodyKind::kNone : BodyKind::kHtml;
  if (type.IsXml()) {
    if (LooksLikeFeed(start)) return BodyKind::kFeed;
    return start.find("<html") != std::string_view::npos ? BodyKind::kHtml : BodyKind::kText;
  }
  if (type.Essence() == "application/feed+json") return BodyKind::kFeed;
  if (IsBinary(body)) return BodyKind::kNone;
  if (type.type.empty()) {
    if (LooksLikeFeed(start)) return BodyKind::kFeed;
    return LooksLikeHtml(start) ? BodyKind::kHtml : BodyKind::kText;
  }
  if (type.IsText() && type.subtype != "css" && type.subtype != "javascript") return BodyKind::kText;
  return BodyKind::kNone;
}

// Whether the bytes are in a format that must be converted to text.
bool IsConverted(std::string_view body, std::string_view media_type) {
  switch (text::SniffFormat(body, media_type)) {
    case text::Format::kPdf:
    case text::Format::kDocx:
    case text::Format::kOdt:
    case text::Format::kEpub:
    case text::Format::kRtf:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string_view BodyKindName(BodyKind kind) {
  switch (kind) {
    case BodyKind::kNone:
      return "none";
    case BodyKind::kHtml:
      return "html";
    case BodyKind::kText:
      return "text";
    case BodyKind::kFeed:
      return "feed";
    case BodyKind::kDocument:
      return "document";
  }
  return "";
}

bool LeadsToPage(const web::Link& link) {
  switch (link.kind) {
    case web::LinkKind::kAnchor:
    case web::LinkKind::kArea:
    case web::LinkKind::kIframe:
    case web::LinkKind::kFrame:
    case web::LinkKind::kRefresh:
      return true;
    case web::LinkKind::kImage:
    case web::LinkKind::kImageSource:
    case web::LinkKind::kForm:
      return false;
    case web::LinkKind::kLink:
      break;
  }
  for (std::string_view word :
       {"stylesheet", "icon", "apple-touch-icon", "mask-icon", "preload", "modulepreload", "prefetch",
        "dns-prefetch", "preconnect", "manifest", "pingback", "edituri", "wlwmanifest", "profile"}) {
    if (link.HasRel(word)) return false;
  }
  // A description of the site's search, unlike its search page.
  return link.type != "application/opensearchdescription+xml";
}

PageReader::PageReader(PageReaderOptions options, StageClock* stage)
    : options_(std::move(options)), stage_(stage) {}

PageReading PageReader::Read(const Source& source) {
  if (stage_ != nullptr) stage_->Enter(Stage::kTokenizer);
  PageReading reading;
  const web::DecodedContent content = web::DecodeContent(
      source.body, source.fields.Joined("content-encoding"), {.max_bytes = options_.max_body_bytes});
  reading.coding = content.status();
  reading.body_bytes = content.body().size();
  if (options_.room != nullptr) reading.seat = options_.room->Enter(kMemoryPerByte * reading.body_bytes);
  source.fields.ForEach("x-robots-tag", [&](std::string_view value) {
    web::AddRobotsDirectives(value, options_.agent, source.now, reading.robots);
  });
  reading.usage = web::UsagePreferences::Parse(source.fields.Joined("content-usage"));

  // A sitemap may be a .gz without a declared content coding.
  std::string inflated;
  std::string_view body = content.body();
  if (source.as_sitemap && body.starts_with("\x1f\x8b")) {
    inflated = web::Decompress(body, web::ContentCoding::kGzip, {.max_bytes = options_.max_body_bytes}).body;
    body = inflated;
  }

  const web::MediaType type = web::ParseMediaType(source.fields.Find("content-type").value_or(""));
  reading.media_type = type.Essence();
  reading.kind = source.as_sitemap ? BodyKind::kFeed : KindOf(type, body);
  if (!source.as_sitemap && reading.kind != BodyKind::kHtml && IsConverted(body, reading.media_type)) {
    reading.kind = BodyKind::kDocument;
    const std::string_view converted = text::MediaTypeOfFormat(text::SniffFormat(body, reading.media_type));
    Convert(source, body, &reading);
    // The actual type, whatever was declared: searches filter by type.
    if (reading.conversion.ok() && !converted.empty()) reading.media_type = converted;
  }
  if (reading.kind == BodyKind::kNone || reading.kind == BodyKind::kDocument) return reading;

  const charset::CharsetDecision charset =
      charset::DecideCharset(body, type.charset,
                             {.read_meta = reading.kind != BodyKind::kText,
                              .language = source.fields.Find("content-language").value_or("")});
  const charset::DecodedText text = charset::DecodeToUtf8(body, charset.encoding);
  reading.encoding = charset.encoding;
  reading.replacements = text.replacements();

  if (reading.kind == BodyKind::kFeed && !ReadSitemap(source, text.text(), &reading)) {
    reading.kind = source.as_sitemap ? BodyKind::kNone : BodyKind::kText;
  }
  if (reading.kind == BodyKind::kHtml) ReadHtml(source, text.text(), &reading);
  if (reading.kind == BodyKind::kText) Convert(source, text.text(), &reading);
  if (reading.media_type.empty()) {
    reading.media_type = reading.kind == BodyKind::kHtml ? "text/html" : "text/plain";
  }
  return reading;
}

void PageReader::Convert(const Source& source, std::string_view body, PageReading* reading) {
  if (stage_ != nullptr) stage_->Enter(Stage::kText);
  // For text, the charset has already been decoded.
  const std::string type =
      reading->kind == BodyKind::kText ? reading->media_type + "; charset=utf-8" : reading->media_type;
  Result<text::Document> document =
      text::ConvertDocument(body, {.media_type = type, .name = source.url.pathname()});
  reading->conversion = document.status();
  if (document.ok()) reading->html.document = std::move(document).value();
}

void PageReader::ReadHtml(const Source& source, std::string_view text, PageReading* reading) {
  web::PageOptions options;
  options.now = source.now;
  options.agent = options_.agent;
  options.max_text_bytes = 0;  // the document has it
  web::PageScanner scanner(std::move(options));
  const html::HtmlTree tree = html::ParseHtml(text, {.observer = scanner.observer()});
  reading->page = scanner.Finish();
  if (stage_ != nullptr) stage_->Enter(Stage::kText);
  reading->html = text::ReadHtmlDocument(tree, {.url = source.url.href()});
  web::Page& page = reading->page;
  reading->links_dropped = page.dropped_links;
  for (const auto& [name, content] : page.robots_tags) {
    web::AddRobotsDirectives(content, options_.agent, source.now, reading->robots);
  }
  const web::LinkResolver resolver(source.url, page.base, reading->encoding);
  if (!page.canonical.empty() && resolver.Resolve(page.canonical, &resolved_) &&
      web::Canonicalize(resolved_, &canonical_, {.sort_query = options_.sort_query}) &&
      canonical_.href().size() <= options_.max_url_bytes) {
    reading->canonical = canonical_.href();
  }
  FindTranslations(source, resolver, reading);

  if (stage_ != nullptr) stage_->Enter(Stage::kLinks);
  seen_.assign(std::bit_ceil(2 * page.links.size() + 4), 0);
  for (const web::Link& link : page.links) {
    if (LeadsToPage(link)) AddLink(resolver, link, reading);
  }
  std::erase_if(reading->links, [&](const OutLink& link) { return link.url == source.url.href(); });
}

// <link rel=alternate hreflang=de href=...>: pages that name each other get the same least URL.
void PageReader::FindTranslations(const Source& source, const web::LinkResolver& resolver,
                                  PageReading* reading) {
  std::string least;
  for (const web::Link& link : reading->page.links) {
    if (link.kind != web::LinkKind::kLink || link.hreflang.empty() || !link.HasRel("alternate")) continue;
    if (!resolver.Resolve(link.href, &resolved_) ||
        !web::Canonicalize(resolved_, &canonical_, {.sort_query = options_.sort_query}) ||
        canonical_.href().size() > options_.max_url_bytes) {
      continue;
    }
    if (least.empty() || canonical_.href() < least) least = canonical_.href();
  }
  if (least.empty()) return;
  const std::string_view own = reading->canonical.empty() ? source.url.href() : reading->canonical;
  reading->translations = std::min<std::string_view>(own, least);
}

bool PageReader::ReadSitemap(const Source& source, std::string_view text, PageReading* reading) {
  const web::LinkResolver resolver(source.url, {}, charset::Encoding::kUtf8);
  seen_.assign(std::bit_ceil(2 * kMaxSitemapLinks + 4), 0);
  const auto summary =
      web::ReadSitemap(text, {.max_entries = kMaxSitemapLinks, .max_bytes = options_.max_body_bytes},
                       [&](const web::SitemapEntry& entry) {
                         web::Link link;
                         link.href = entry.loc;
                         AddLink(resolver, link, reading);
                       });
  if (!summary.ok()) return false;
  reading->links_are_sitemaps = summary->kind == web::SitemapKind::kIndex;
  return true;
}

size_t PageReader::IndexOf(std::string_view url, const PageReading& reading) {
  const size_t mask = seen_.size() - 1;
  size_t at = Hash64(url) & mask;
  while (seen_[at] != 0) {
    if (reading.links[seen_[at] - 1].url == url) return seen_[at] - 1;
    at = (at + 1) & mask;
  }
  seen_[at] = static_cast<uint32_t>(reading.links.size() + 1);
  return reading.links.size();
}

void PageReader::AddLink(const web::LinkResolver& resolver, const web::Link& link, PageReading* reading) {
  const size_t limit = reading->kind == BodyKind::kFeed ? kMaxSitemapLinks : options_.max_links;
  if (reading->links.size() >= limit || !resolver.Resolve(link.href, &resolved_) ||
      !web::Canonicalize(resolved_, &canonical_, {.sort_query = options_.sort_query}) ||
      canonical_.href().size() > options_.max_url_bytes) {
    ++reading->links_dropped;
    return;
  }
  const size_t index = IndexOf(canonical_.href(), *reading);
  if (index < reading->links.size()) {
    // Of two links to the same page, one without nofollow is enough to follow it.
    reading->links[index].nofollow &= link.nofollow();
    return;
  }
  reading->links.push_back({.url = reading->page.arena.Copy(canonical_.href()),
                            .anchor = link.text,
                            .kind = link.kind,
                            .nofollow = link.nofollow()});
}

}  // namespace crivello::page
