// SPDX-License-Identifier: Apache-2.0
// Our feed parser on the suites of gofeed, feedparser and feed-rs.
//
// Which expectations count: those about fields that a search engine uses, selected by field name and
// regardless of the outcome.
//   feed:   title, description (subtitle, tagline), link(s), id, dates, language, authors, categories, ttl,
//           skipHours, skipDays,
//           the number of items
//   item:   title, summary, content (value, type, src), link(s), id, dates, authors, categories,
//           enclosures, comments; of texts also their base and language
// Not our fields, so not counted: encoding (decoding comes first), version, copyright, info, generator,
// image, icon, logo, docs, rating, textInput, cloud, contributors, publishers, an entry's source, itunes,
// geo, chapters, threads, and other extensions.
//
// How values are compared: strings exactly. In texts with markup, feedparser and gofeed rewrite the markup
// (they resolve links; feedparser also removes unsafe parts and sorts attributes), but we return it
// unchanged, with its base. So if the strings differ, they count as equal if what a search engine uses is
// equal: the text, and the http addresses of <a>, <area> and <img>. feedparser's sanitize/ folder, which
// tests only the rewriting, has a separate score.
#include <gtest/gtest.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/conformance_suite.h"
#include "web/feed/feed_internal.h"
#include "web/feed/xml_scanner.h"
#include "web/http/date_parse.h"

namespace crivello::web {
namespace {

using Json = nlohmann::json;

std::string ReadWhole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

// "charset" of a Content-Type, "" if none.
std::string HeaderOf(const Json& test, const std::string& name) {
  for (const auto& header : test.value("http_headers", Json::array())) {
    const std::string line = header;
    if (line.size() > name.size() && line.compare(0, name.size(), name) == 0)
      return line.substr(name.size() + 2);
  }
  return "";
}

// Decodes to UTF-8 by BOM, HTTP, shape, XML declaration, in this order; replaces the charset decoder.
std::string DecodeFeed(const std::string& bytes, const Json& test) {
  std::string label;
  const std::string content_type = HeaderOf(test, "Content-type");
  const std::string head = bytes.substr(0, 4);
  using namespace std::string_literals;
  if (head.substr(0, 3) == "\xEF\xBB\xBF") return bytes;
  if (head == "\0\0\0<"s)
    label = "utf-32be";
  else if (head == "<\0\0\0"s)
    label = "utf-32le";
  else if (head.substr(0, 2) == "\xFE\xFF" || head.substr(0, 2) == "\0<"s)
    label = "utf-16be";
  else if (head.substr(0, 2) == "\xFF\xFE" || head.substr(0, 2) == "<\0"s)
    label = "utf-16le";
  else if (content_type.find("charset=") != std::string::npos)
    label = content_type.substr(content_type.find("charset=") + 8);
  else
    label = XmlDeclaredEncoding(bytes);
  std::erase_if(label, [](char c) { return c == ' ' || c == '"' || c == '\''; });
  if (label.empty() || label == "utf-8" || label == "UTF-8") return bytes;
  if (label == "us-ascii" || label == "iso-8859-1" || label == "ISO-8859-1") label = "windows-1252";
  UErrorCode error = U_ZERO_ERROR;
  UConverter* converter = ucnv_open(label.c_str(), &error);
  if (U_FAILURE(error)) return bytes;
  icu::UnicodeString text(bytes.data(), static_cast<int32_t>(bytes.size()), converter, error);
  ucnv_close(converter);
  std::string utf8;
  text.toUTF8String(utf8);
  return utf8;
}

// The text and the addresses in the markup.
std::string Essence(const std::string& markup, const std::string& base) {
  std::string essence = MarkupToText(markup);
  for (size_t at = markup.find('<'); at != std::string::npos; at = markup.find('<', at + 1)) {
    XmlScanner tag(std::string_view(markup).substr(at, markup.find('>', at) - at + 1));
    if (tag.Next() != XmlScanner::Event::kStart) continue;
    if (tag.local_name() != "a" && tag.local_name() != "area" && tag.local_name() != "img") continue;
    const std::string url =
        internal::ResolveLink(base, tag.Attribute(tag.local_name() == "img" ? "src" : "href").value_or(""));
    if (url.starts_with("http")) essence += "\n" + url;
  }
  return essence;
}

// Number of texts whose strings differ but whose content is equal.
int texts_equal_in_essence = 0;

bool SameText(const FeedText& ours, const std::string& expected) {
  if (ours.value == expected) return true;
  const bool markup = ours.type == FeedText::Type::kHtml || ours.type == FeedText::Type::kXhtml;
  const bool same = markup && Essence(ours.value, ours.base) == Essence(expected, "");
  texts_equal_in_essence += same ? 1 : 0;
  return same;
}

std::string MediaTypeOf(const FeedText& text, bool long_names) {
  switch (text.type) {
    case FeedText::Type::kText:
      return long_names ? "text/plain" : "text";
    case FeedText::Type::kHtml:
      return long_names ? "text/html" : "html";
    case FeedText::Type::kXhtml:
      return long_names ? "application/xhtml+xml" : "xhtml";
    case FeedText::Type::kOther:
      break;
  }
  return "other";
}

std::string PersonLine(const std::vector<FeedPerson>& people) {
  if (people.empty()) return "";
  const FeedPerson& p = people[0];
  if (p.name.empty()) return p.email;
  return p.email.empty() ? p.name : p.name + " (" + p.email + ")";
}

// The outcome of a check: not a field of ours, or passed, or failed.
enum class FeedOutcome { kNotOurs, kPassed, kFailed };

FeedOutcome Judge(bool equal) { return equal ? FeedOutcome::kPassed : FeedOutcome::kFailed; }

bool SameString(const std::string& ours, const Json& expected) {
  return expected.is_null() ? ours.empty() : expected.is_string() && ours == expected.get<std::string>();
}

// We normalise links as browsers do; the suites keep them as written in the feed.
bool SameLink(const std::string& ours, const Json& expected) {
  return SameString(ours, expected) ||
         (expected.is_string() && ours == internal::ResolveLink("", expected.get<std::string>()));
}

// Python's struct_time: year, month, day, hour, minute, second, ...
bool SameTime(const FeedDate& ours, const Json& expected) {
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", int(expected[0]), int(expected[1]),
                int(expected[2]), int(expected[3]), int(expected[4]), int(expected[5]));
  return ours.seconds && ours.seconds == ParseDate(text);
}

template <typename T>
const T* At(const std::vector<T>& list, const Json& index) {
  const auto i = index.get<size_t>();
  return i < list.size() ? &list[i] : nullptr;
}

// feedparser's paths: path[0] is the field; path[1] and later lead into it.
FeedOutcome TextCheck(const FeedText& text, const std::vector<Json>& path, size_t at, const Json& expected) {
  if (at == path.size()) return Judge(expected.is_string() && SameText(text, expected));
  const std::string part = path[at];
  if (part == "value") return Judge(expected.is_string() && SameText(text, expected));
  if (part == "type") return Judge(SameString(MediaTypeOf(text, true), expected));
  if (part == "base") return Judge(SameLink(text.base, expected));
  if (part == "language") return Judge(SameString(text.language, expected));
  if (part == "src") return Judge(SameLink(text.src, expected));
  return FeedOutcome::kFailed;
}

// The fields that feed and item share; `Part` is Feed or FeedItem.
template <typename Part>
FeedOutcome CommonCheck(const Part& part, const std::vector<Json>& path, const Json& expected) {
  const std::string field = path[0];
  if (field == "title" || field == "title_detail") return TextCheck(part.title, path, 1, expected);
  if (field == "link") return Judge(SameLink(part.link, expected));
  if (field == "id" || field == "guid") return Judge(SameLink(part.id, expected));
  if (field == "language") return Judge(SameString(part.language, expected));
  if (field == "updated") return Judge(SameString(part.updated.text, expected));
  if (field == "published" || field == "created") return Judge(SameString(part.published.text, expected));
  if (field == "updated_parsed") return Judge(SameTime(part.updated, expected));
  if (field == "published_parsed" || field == "created_parsed")
    return Judge(SameTime(part.published, expected));
  if (field == "author") return Judge(SameString(PersonLine(part.authors), expected));
  if (field == "category")
    return Judge(!part.categories.empty() && SameString(part.categories[0].term, expected));
  if (field == "author_detail" || field == "authors") {
    const size_t index = field == "authors" ? path[1].get<size_t>() : 0;
    const std::string what = path[field == "authors" ? 2 : 1];
    if (index >= part.authors.size()) return FeedOutcome::kFailed;
    const FeedPerson& person = part.authors[index];
    return Judge(SameLink(what == "name"    ? person.name
                          : what == "email" ? person.email
                                            : person.uri,
                          expected));
  }
  if (field == "tags" && path.size() == 3) {
    const FeedCategory* category = At(part.categories, path[1]);
    const std::string what = path[2];
    return Judge(category != nullptr && SameLink(what == "term"     ? category->term
                                                 : what == "scheme" ? category->scheme
                                                                    : category->label,
                                                 expected));
  }
  if (field == "tags") return Judge(expected == part.categories.size());
  if (field == "links") {
    // Only enclosures have a length.
    if (path.size() == 3 && path[2] == "length") return FeedOutcome::kNotOurs;
    const FeedLink* link = At(part.links, path[1]);
    if (link == nullptr) return FeedOutcome::kFailed;
    const auto member = [&](const std::string& what) {
      return what == "href"       ? link->href
             : what == "rel"      ? link->rel
             : what == "type"     ? link->type
             : what == "title"    ? link->title
             : what == "hreflang" ? link->hreflang
                                  : "";
    };
    if (path.size() == 3) return Judge(SameLink(member(path[2]), expected));
    bool same = true;
    for (const auto& [what, value] : expected.items()) same = same && SameLink(member(what), value);
    return Judge(same);
  }
  return FeedOutcome::kNotOurs;
}

FeedOutcome FeedparserCheck(const Feed& feed, std::vector<Json> path, const Json& expected) {
  if (path.empty()) return FeedOutcome::kNotOurs;
  const std::string root = path[0];
  path.erase(path.begin());
  if (root == "entries" && path.empty()) return Judge(expected == feed.items.size());
  if (root == "feed" && !path.empty()) {
    const std::string field = path[0];
    if (field == "subtitle" || field == "tagline" || field == "description" || field == "subtitle_detail" ||
        field == "tagline_detail") {
      return TextCheck(feed.description, path, 1, expected);
    }
    if (field == "ttl")
      return Judge(feed.ttl_minutes && SameString(std::to_string(*feed.ttl_minutes), expected));
    return CommonCheck(feed, path, expected);
  }
  if (root != "entries" || path.size() < 2) return FeedOutcome::kNotOurs;
  static const FeedItem kNothing;
  const FeedItem* found = At(feed.items, path[0]);
  const FeedItem* item = found != nullptr ? found : &kNothing;
  path.erase(path.begin());
  const std::string field = path[0];
  // Without other text, feedparser uses the content as description and summary.
  if (field == "description" || field == "summary" || field == "summary_detail") {
    return TextCheck(item->summary.empty() ? item->content : item->summary, path, 1, expected);
  }
  if (field == "content") return TextCheck(item->content, path, 2, expected);
  if (field == "comments") return Judge(SameLink(item->comments, expected));
  if (field == "enclosures") {
    const FeedEnclosure* enclosure = At(item->enclosures, path[1]);
    if (enclosure == nullptr) return FeedOutcome::kFailed;
    const auto member = [&](const std::string& what) {
      if (what == "length") return enclosure->length_bytes ? std::to_string(*enclosure->length_bytes) : "";
      return what == "type" ? enclosure->type : enclosure->url;
    };
    if (path.size() == 3) return Judge(SameLink(member(path[2]), expected));
    bool same = true;
    for (const auto& [what, value] : expected.items()) same = same && SameLink(member(what), value);
    return Judge(same);
  }
  return CommonCheck(*item, path, expected);
}

// The i-th element, or an empty one, which then fails its checks.
template <typename T>
const T& Or(const std::vector<T>& list, size_t i) {
  static const T kNothing;
  return i < list.size() ? list[i] : kNothing;
}

// gofeed's JSON, from its RSS and Atom parsers and from its translator.
class GofeedJudge {
 public:
  GofeedJudge(const std::string& name, Score* score) : name_(name), score_(score) {}

  void Check(const Feed& feed, const Json& expected) {
    for (const auto& [key, value] : expected.items()) {
      if (key == "items" || key == "entries") {
        Add(key + ".size", feed.items.size() == value.size());
        for (size_t i = 0; i < value.size(); i++) CheckItem(Or(feed.items, i), value[i]);
        continue;
      }
      if (key == "description" || key == "subtitle") Add(key, SameText(feed.description, value));
      if (key == "feedLink") Add(key, SameLink(feed.self, value));
      if (key == "language") Add(key, feed.language == value);
      if (key == "lastBuildDate") Add(key, feed.updated.text == value);
      if (key == "lastBuildDateParsed") AddTime(key, feed.updated, value);
      if (key == "managingEditor") Add(key, PersonLine(feed.authors) == value);
      if (key == "ttl") Add(key, feed.ttl_minutes && std::to_string(*feed.ttl_minutes) == value);
      if (key == "skipHours") {
        bool same = feed.skip_hours.count() == value.size();
        for (const auto& hour : value)
          same = same && feed.skip_hours[std::stoul(hour.get<std::string>()) % 24];
        Add(key, same);
      }
      if (key == "skipDays") Add(key, feed.skip_days.count() == value.size());
      CheckCommon(feed, key, value);
    }
  }

 private:
  void Add(const std::string& what, bool equal) { score_->Case(equal, name_ + " " + what); }
  void AddTime(const std::string& what, const FeedDate& date, const Json& value) {
    Add(what, date.seconds && date.seconds == ParseDate(value.get<std::string>()));
  }

  void CheckItem(const FeedItem& item, const Json& expected) {
    for (const auto& [key, value] : expected.items()) {
      if (key == "description" || key == "summary") Add("item." + key, SameText(item.summary, value));
      if (key == "content" && value.is_string()) Add("item.content", SameText(item.content, value));
      if (key == "content" && value.is_object()) {
        if (value.contains("value")) Add("item.content.value", SameText(item.content, value["value"]));
        if (value.contains("src")) Add("item.content.src", SameLink(item.content.src, value["src"]));
        if (value.contains("type")) {
          const std::string type = value["type"];
          Add("item.content.type", item.content.type == FeedText::Type::kOther ||
                                       MediaTypeOf(item.content, false) == type ||
                                       MediaTypeOf(item.content, true) == type);
        }
      }
      if (key == "comments") Add("item.comments", SameLink(item.comments, value));
      if (key == "enclosures") {
        Add("item.enclosures.size", item.enclosures.size() == value.size());
        for (size_t i = 0; i < value.size(); i++) {
          const FeedEnclosure& e = Or(item.enclosures, i);
          Add("item.enclosures.url", SameLink(e.url, value[i].value("url", "")));
          Add("item.enclosures.type", e.type == value[i].value("type", ""));
          Add("item.enclosures.length",
              (e.length_bytes ? std::to_string(*e.length_bytes) : "") == value[i].value("length", ""));
        }
      }
      CheckCommon(item, key, value);
    }
  }

  template <typename Part>
  void CheckCommon(const Part& part, const std::string& key, const Json& value) {
    const std::string what = (std::is_same_v<Part, FeedItem> ? "item." : "") + key;
    if (key == "title") Add(what, SameText(part.title, value));
    if (key == "link") Add(what, SameLink(part.link, value));
    if (key == "id") Add(what, SameLink(part.id, value));
    if (key == "guid")
      Add(what, SameLink(part.id, value.is_object() ? value.value("value", "") : value.get<std::string>()));
    if (key == "updated") Add(what, part.updated.text == value);
    if (key == "updatedParsed") AddTime(what, part.updated, value);
    if (key == "published" || key == "pubDate") Add(what, part.published.text == value);
    if (key == "publishedParsed" || key == "pubDateParsed") AddTime(what, part.published, value);
    if (key == "author" && value.is_string()) Add(what, PersonLine(part.authors) == value);
    if (key == "authors") {
      Add(what + ".size", part.authors.size() == value.size());
      for (size_t i = 0; i < value.size(); i++) {
        const FeedPerson& person = Or(part.authors, i);
        Add(what, person.name == value[i].value("name", "") && person.email == value[i].value("email", "") &&
                      SameLink(person.uri, value[i].value("uri", "")));
      }
    }
    if (key == "categories") {
      Add(what + ".size", part.categories.size() == value.size());
      for (size_t i = 0; i < value.size(); i++) {
        const FeedCategory& c = Or(part.categories, i);
        if (value[i].is_string()) {
          Add(what, (c.label.empty() ? c.term : c.label) == value[i]);
        } else {
          Add(what, c.term == value[i].value("term", value[i].value("value", "")) &&
                        c.label == value[i].value("label", "") &&
                        c.scheme == value[i].value("scheme", value[i].value("domain", "")));
        }
      }
    }
    if (key == "links") CheckLinks(part.links, what, value);
  }

  // A list of strings holds the pages; a list of objects is from Atom.
  void CheckLinks(const std::vector<FeedLink>& ours, const std::string& what, const Json& value) {
    if (value.empty() || value[0].is_string()) {
      std::vector<std::string> pages;
      for (const FeedLink& link : ours) {
        if (link.rel != "enclosure") pages.push_back(link.href);
      }
      Add(what, std::equal(pages.begin(), pages.end(), value.begin(), value.end(), SameLink));
      return;
    }
    for (size_t i = 0; i < value.size(); i++) {
      const Json& link = value[i];
      // gofeed keeps links without an address, which are useless.
      if (!link.contains("href")) continue;
      bool found = false;
      for (const FeedLink& o : ours) {
        found = found || (SameLink(o.href, link["href"]) && o.rel == link.value("rel", "alternate") &&
                          (!link.contains("type") || o.type == link["type"]) &&
                          (!link.contains("title") || o.title == link["title"]));
      }
      Add(what, found);
    }
  }

  std::string name_;
  Score* score_;
};

class FeedConformanceTest : public ConformanceSuite {
 protected:
  bool HasSuite() const { return !SuitePath("feeds/manifest.jsonl").empty(); }
  std::vector<Json> Manifest() const {
    std::vector<Json> tests;
    std::ifstream in(SuitePath("feeds/manifest.jsonl"));
    for (std::string line; std::getline(in, line);) tests.push_back(Json::parse(line));
    return tests;
  }

  Result<Feed> ParseTest(const Json& test) const {
    const std::string path = test["path"];
    FeedOptions options;
    if (test["source"] == "feedparser") {
      // Files with headers, or with "http_" in the name, come from the suite's own server.
      const bool served = test.contains("http_headers") || path.find("/http_") != std::string::npos;
      if (served) {
        const std::string place = HeaderOf(test, "Content-Location");
        options.base_url = internal::ResolveLink("http://127.0.0.1:8097/", place.empty() ? "/" : place);
      }
      options.language = HeaderOf(test, "Content-Language");
    }
    return ParseFeed(DecodeFeed(ReadWhole(SuitePath("feeds/" + path)), test), options);
  }

  // gofeed's JSON feeds are their own expected output.
  void CheckJsonFeed(const std::string& path, Score* score) const {
    const std::string bytes = ReadWhole(SuitePath("feeds/" + path));
    const Json json = Json::parse(bytes);
    const auto parsed = ParseFeed(bytes);
    const Feed feed = parsed.ok() ? *parsed : Feed();
    const auto check = [&](const char* what, const Json& from, const std::string& ours) {
      score->Case(SameLink(ours, from.value(what, "")), path + " " + what);
    };
    check("title", json, feed.title.value);
    check("description", json, feed.description.value);
    check("home_page_url", json, feed.link);
    check("feed_url", json, feed.self);
    const Json items = json.value("items", Json::array());
    score->Case(items.size() == feed.items.size(), path + " items");
    for (size_t i = 0; i < items.size() && i < feed.items.size(); i++) {
      check("id", items[i], feed.items[i].id);
      check("url", items[i], feed.items[i].link);
      check("title", items[i], feed.items[i].title.value);
      check("summary", items[i], feed.items[i].summary.value);
      check(items[i].contains("content_html") ? "content_html" : "content_text", items[i],
            feed.items[i].content.value);
      check("date_published", items[i], feed.items[i].published.text);
      check("date_modified", items[i], feed.items[i].updated.text);
    }
  }
};
CRV_CONFORMANCE_SUITE(FeedConformanceTest);

TEST_P(FeedConformanceTest, AgreesWithGofeed) {
  if (!HasSuite()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("feeds/gofeed"));
  texts_equal_in_essence = 0;
  for (const Json& test : Manifest()) {
    if (test["source"] != "gofeed") continue;
    const std::string path = test["path"];
    if (path.find("/parser/json/") != std::string::npos) CheckJsonFeed(path, &score);
    if (test["expected"].is_null()) continue;
    const auto feed = ParseTest(test);
    const Json expected = Json::parse(ReadWhole(SuitePath("feeds/" + test["expected"].get<std::string>())));
    GofeedJudge(path, &score).Check(feed.ok() ? *feed : Feed(), expected);
  }
  std::printf("feeds/gofeed: %d texts are equal in text and links only\n", texts_equal_in_essence);
  ExpectScore(score, {.percent = 97});
}

TEST_P(FeedConformanceTest, AgreesWithFeedparser) {
  if (!HasSuite()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("feeds/feedparser"));
  Score sanitize(ScoreName("feeds/feedparser-sanitize"));
  int not_ours = 0;
  int in_essence = 0;
  int sanitized_in_essence = 0;
  texts_equal_in_essence = 0;
  for (const Json& test : Manifest()) {
    if (test["source"] != "feedparser" || !test.contains("checks")) continue;
    const std::string path = test["path"];
    const auto feed = ParseTest(test);
    for (const Json& check : test["checks"]) {
      const auto outcome = FeedparserCheck(feed.ok() ? *feed : Feed(), check["path"], check["equals"]);
      if (outcome == FeedOutcome::kNotOurs) {
        not_ours++;
      } else {
        Score& which = path.find("/sanitize/") == std::string::npos ? score : sanitize;
        if (&which == &score) in_essence += std::exchange(texts_equal_in_essence, 0);
        sanitized_in_essence += std::exchange(texts_equal_in_essence, 0);
        which.Case(outcome == FeedOutcome::kPassed,
                   path + " " + check["path"].dump() + " = " + check["equals"].dump());
      }
    }
  }
  std::printf("feeds/feedparser: %d checks are on fields that are not ours\n", not_ours);
  std::printf("feeds/feedparser: %d texts, and %d of sanitize/, are equal in text and links only\n",
              in_essence, sanitized_in_essence);
  ExpectScore(score, {.percent = 97});
  ExpectScore(sanitize, {.percent = 97});
}

TEST_P(FeedConformanceTest, ReadsEveryFileWholeAndCutOff) {
  if (!HasSuite()) GTEST_SKIP() << kNoSuite;
  int feeds = 0;
  for (const Json& test : Manifest()) {
    const std::string bytes =
        DecodeFeed(ReadWhole(SuitePath("feeds/" + test["path"].get<std::string>())), test);
    feeds += ParseFeed(bytes).ok() ? 1 : 0;
    for (size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 16)
      (void)ParseFeed(bytes.substr(0, cut));
  }
  EXPECT_GT(feeds, is_sample() ? 4 : 1390);
}

TEST_P(FeedConformanceTest, FindsTheItemsOfRealFeeds) {
  if (!HasSuite()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("feeds/feed-rs-items"));
  for (const Json& test : Manifest()) {
    if (test["source"] != "feed-rs") continue;
    const std::string path = test["path"];
    const auto feed = ParseTest(test);
    // feed-rs's own output is stored beside the feeds.
    if (path.ends_with(".serde.json")) continue;
    const size_t items = feed.ok() ? feed->items.size() : 0;
    score.Case(items == test["items_by_tag_count"], path + " " + std::to_string(items));
  }
  ExpectScore(score, {.percent = 97});
}

}  // namespace
}  // namespace crivello::web
