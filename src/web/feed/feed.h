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

// A title, summary or content.  `value` is trimmed and otherwise as its author meant it: escapes and CDATA
// undone, base64 decoded, the inner markup of XHTML kept as markup (without the <div> that Atom wants around
// it).  It is NOT made safe to show, and relative links in it are NOT resolved: see `base`.
struct FeedText {
  enum class Type : uint8_t {
    kText,
    kHtml,  // said by the feed; in RSS, which cannot say, when the value has a tag or a reference in it
    kXhtml,
    kOther,  // of another media type, for Atom's content
  };
  std::string value;
  Type type = Type::kText;
  // What relative links in the value are relative to, "" if not known; and its language, "" if not known.
  std::string base;
  std::string language;
  // Atom's content that is elsewhere: its address, resolved.
  std::string src;

  bool empty() const { return value.empty(); }
  // The value without markup: see MarkupToText(); a kText with its white space collapsed.
  std::string PlainText() const;
};

// What it said, and the same in seconds since 1970 if that makes sense (web/http/date_parse.h).
struct FeedDate {
  std::string text = {};
  std::optional<int64_t> seconds = {};
};

struct FeedLink {
  std::string href = {};  // resolved and written as browsers do; as it stands if it gives no URL
  std::string rel = {};   // "alternate" if not said
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
  // Its guid, id or rdf:about.  In RSS, is_permalink says that it is also an address.
  std::string id;
  bool id_is_permalink = false;
  // The page it stands for: the first alternate link (an HTML one if there is one), else a permalink.
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

  // When it came out, else when it changed.
  std::optional<int64_t> date_seconds() const {
    return published.seconds ? published.seconds : updated.seconds;
  }
};

struct Feed {
  FeedFormat format = FeedFormat::kRss;
  std::string version;  // "2.0", "0.91", "1.0", ... as written; "" if not said
  std::string id;
  FeedText title;
  FeedText description;           // Atom's subtitle
  std::string link;               // the site
  std::string self;               // the feed's own address, by its word
  std::vector<std::string> hubs;  // WebSub hubs
  std::string next;               // the next page of the feed
  std::vector<FeedLink> links;
  std::string language;
  FeedDate published;
  FeedDate updated;
  std::vector<FeedPerson> authors;
  std::vector<FeedCategory> categories;
  std::vector<FeedItem> items;

  // When to come again.  sy:updatePeriod in seconds, and how often in it.
  std::optional<uint32_t> ttl_minutes;
  std::optional<uint32_t> update_period_s;
  uint32_t update_frequency = 1;
  FeedDate update_base;
  std::bitset<24> skip_hours;  // UTC
  std::bitset<7> skip_days;    // 0 is Sunday

  // What the limits cut off.
  uint64_t items_dropped = 0;
  uint64_t texts_cut = 0;

  // The longer of ttl and sy: period over frequency; nothing if the feed says neither.
  std::optional<int64_t> poll_interval_s() const;
};

struct FeedOptions {
  // The feed's address (Content-Location if it has one): what relative links are relative to.
  std::string base_url = {};
  // The language by Content-Language, where the feed does not say.
  std::string language = {};
  size_t max_items = 5000;
  size_t max_text_bytes = size_t{4} << 20;
  // Links, authors, categories, enclosures of one feed or item; more are passed over.
  size_t max_list = 64;
};

// Reads a feed from UTF-8 (decode by XmlDeclaredEncoding first).  Malformed ones give what can be got from
// them; the only error is Corruption: this is no feed at all.  Linear in the input, memory bounded by the
// input and the options, no recursion.  Thread-safe.
Result<Feed> ParseFeed(std::string_view utf8, const FeedOptions& options = {});

// Text of an HTML fragment, for titles and snippets (a whole page wants the HTML tokenizer): tags, comments,
// script and style go, block elements and <br> count as white space, references are resolved, white space is
// collapsed.
std::string MarkupToText(std::string_view html);

}  // namespace crivello::web
