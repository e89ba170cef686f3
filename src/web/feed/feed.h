// SPDX-License-Identifier: Apache-2.0
// Feeds as values: RSS 0.9x and 2.0, RSS 0.90 and 1.0 (RDF), Atom 0.3 and 1.0, CDF, JSON Feed 1.0 and 1.1.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::web {

enum class FeedFormat : uint8_t { kRss, kRdf, kAtom, kCdf, kJson };

// "RSS", "RSS (RDF)", "Atom", "CDF", "JSON Feed".
std::string_view FeedFormatName(FeedFormat format);

// A title, summary or content. `value` is trimmed and otherwise as its author meant it: escapes and CDATA
// undone, base64 decoded, the inner markup of XHTML kept as markup (without the <div> that Atom requires
// around it). It is NOT safe to display as it is, and relative links in it are NOT resolved: see `base`.
struct FeedText {
  enum class Type : uint8_t {
    kText,
    kHtml,  // declared by the feed; RSS cannot declare it, so there: the value contains a tag or a reference
    kXhtml,
    kOther,  // another media type, in Atom's content
  };
  std::string value;
  Type type = Type::kText;
  // The base of relative links in the value, and the value's language; each "" if not known.
  std::string base;
  std::string language;
  // For Atom content stored elsewhere: its address, resolved.
  std::string src;

  bool empty() const { return value.empty(); }
  // The value without markup, by MarkupToText(); for kText, the value with white space collapsed.
  std::string PlainText() const;
};

// A date as written, and in seconds since 1970 if it could be parsed (web/http/date_parse.h).
struct FeedDate {
  std::string text = {};
  std::optional<int64_t> seconds = {};
};

struct FeedLink {
  std::string href = {};  // resolved and normalised as in browsers; as written if it is not a valid URL
  std::string rel = {};   // "alternate" if not given
  std::string type = {};
  std::string hreflang = {};
  std::string title = {};
};

struct FeedPerson {
  std::string name = {};
  std::string email = {};
  std::string uri = {};
};

struct FeedCategory {
  std::string term = {};
  std::string scheme = {};
  std::string label = {};
};

struct FeedEnclosure {
  std::string url = {};  // resolved
  std::string type = {};
  std::optional<uint64_t> length_bytes = {};
};

struct FeedItem {
  // Its guid, id or rdf:about. In RSS, id_is_permalink says that it is also an address.
  std::string id;
  bool id_is_permalink = false;
  // The page of this item: the first alternate link (preferring HTML), else a permalink.
  std::string link;
  std::vector<FeedLink> links;
  FeedText title;
  FeedText summary;  // RSS's description
  FeedText content;  // content:encoded, Atom's and JSON's content
  FeedDate published;
  FeedDate updated;
  std::vector<FeedPerson> authors;
  std::vector<FeedCategory> categories;
  std::vector<FeedEnclosure> enclosures;
  std::string comments;  // the address of the page of comments
  std::string language;
  std::string base;

  // When it was published, else when it was updated.
  std::optional<int64_t> date_seconds() const {
    return published.seconds ? published.seconds : updated.seconds;
  }
};

struct Feed {
  FeedFormat format = FeedFormat::kRss;
  std::string version;  // "2.0", "0.91", "1.0", ... as written; "" if not given
  std::string id;
  FeedText title;
  FeedText description;           // Atom's subtitle
  std::string link;               // the site
  std::string self;               // the feed's own address, as the feed states it
  std::vector<std::string> hubs;  // WebSub hubs
  std::string next;               // the next page of the feed
  std::vector<FeedLink> links;
  std::string language;
  FeedDate published;
  FeedDate updated;
  std::vector<FeedPerson> authors;
  std::vector<FeedCategory> categories;
  std::vector<FeedItem> items;

  // When to poll again. sy:updatePeriod in seconds, and the number of updates in that period.
  std::optional<uint32_t> ttl_minutes;
  std::optional<uint32_t> update_period_s;
  uint32_t update_frequency = 1;
  FeedDate update_base;
  std::bitset<24> skip_hours;  // UTC
  std::bitset<7> skip_days;    // 0 is Sunday

  // What was dropped because of the limits.
  uint64_t items_dropped = 0;
  uint64_t texts_cut = 0;

  // The longer of ttl and sy (period over frequency); nullopt if the feed has neither.
  std::optional<int64_t> poll_interval_s() const;
};

struct FeedOptions {
  // The feed's address (Content-Location if it has one): the base of relative links.
  std::string base_url = {};
  // The language according to Content-Language, used if the feed does not state one.
  std::string language = {};
  size_t max_items = 5000;
  size_t max_text_bytes = size_t{4} << 20;
  // Links, authors, categories, enclosures of one feed or item; more are ignored.
  size_t max_list = 64;
};

// Parses a feed from UTF-8 (decode it by XmlDeclaredEncoding first). Malformed feeds yield what can be
// recovered; the only error is Corruption, if this is not a feed at all. Linear in the input, memory bounded
// by the input and the options, no recursion. Thread-safe.
Result<Feed> ParseFeed(std::string_view utf8, const FeedOptions& options = {});

// The text of an HTML fragment, for titles and snippets (use the HTML tokenizer for a whole page). Removes
// tags, comments, script and style; block elements and <br> count as white space; resolves references and
// collapses white space.
std::string MarkupToText(std::string_view html);

}  // namespace crivello::web
