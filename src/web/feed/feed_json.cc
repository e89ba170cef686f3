// SPDX-License-Identifier: Apache-2.0
// JSON Feed 1.0 and 1.1 (jsonfeed.org).
#include <simdjson.h>

#include <algorithm>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "web/feed/feed_internal.h"

namespace crivello::web::internal {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// The member's text, or "" if it is missing or not a text; ids may be numbers.
std::string Text(object from, std::string_view key) {
  element value;
  if (from[key].get(value) != simdjson::SUCCESS) return {};
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(TrimAsciiSpace(text));
  return value.is_number() ? simdjson::minify(value) : std::string();
}

class JsonFeedReader {
 public:
  explicit JsonFeedReader(const FeedOptions& options) : options_(options) {}

  Feed Read(object root);

 private:
  std::string Url(object from, std::string_view key) const {
    return ResolveLink(options_.base_url, Text(from, key));
  }
  FeedText TextField(object from, std::string_view key, FeedText::Type type) const {
    FeedText text;
    text.value = Text(from, key);
    text.type = type;
    text.base = options_.base_url;
    text.language = language_;
    if (text.value.size() > options_.max_text_bytes) {
      text.value.resize(charset::CutUtf8(text.value, options_.max_text_bytes).size());
      texts_cut_++;
    }
    return text;
  }
  // Calls `take` for each object of the array `key`, up to the limit of lists.
  template <typename Take>
  void Each(object from, std::string_view key, Take take) const {
    array list;
    if (from[key].get(list) != simdjson::SUCCESS) return;
    size_t left = options_.max_list;
    for (element value : list) {
      object member;
      if (left-- == 0) return;
      if (value.get(member) == simdjson::SUCCESS) take(member);
    }
  }
  std::vector<FeedPerson> Authors(object from) const;
  FeedItem Item(object from) const;

  const FeedOptions& options_;
  std::string language_;
  mutable uint64_t texts_cut_ = 0;
};

// Version 1.1 has a list of authors, 1.0 a single one.
std::vector<FeedPerson> JsonFeedReader::Authors(object from) const {
  std::vector<FeedPerson> authors;
  const auto take = [&](object author) {
    FeedPerson person{.name = Text(author, "name"), .email = {}, .uri = Url(author, "url")};
    if (!person.name.empty() || !person.uri.empty()) authors.push_back(std::move(person));
  };
  Each(from, "authors", take);
  object one;
  if (authors.empty() && from["author"].get(one) == simdjson::SUCCESS) take(one);
  return authors;
}

FeedItem JsonFeedReader::Item(object from) const {
  FeedItem item;
  item.base = options_.base_url;
  item.language = Text(from, "language");
  if (item.language.empty()) item.language = language_;
  item.id = Text(from, "id");
  const auto add_link = [&](std::string_view key, std::string_view rel) {
    std::string href = Url(from, key);
    if (!href.empty()) item.links.push_back({.href = std::move(href), .rel = std::string(rel)});
  };
  add_link("url", "alternate");
  add_link("external_url", "related");
  item.id_is_permalink = item.id.starts_with("http://") || item.id.starts_with("https://");
  item.title = TextField(from, "title", FeedText::Type::kText);
  item.summary = TextField(from, "summary", FeedText::Type::kText);
  item.content = TextField(from, "content_html", FeedText::Type::kHtml);
  if (item.content.empty()) item.content = TextField(from, "content_text", FeedText::Type::kText);
  item.published = MakeDate(Text(from, "date_published"));
  item.updated = MakeDate(Text(from, "date_modified"));
  item.authors = Authors(from);
  array tags;
  if (from["tags"].get(tags) == simdjson::SUCCESS) {
    for (element tag : tags) {
      std::string_view term;
      if (item.categories.size() >= options_.max_list) break;
      if (tag.get(term) == simdjson::SUCCESS) {
        item.categories.push_back({.term = std::string(TrimAsciiSpace(term)), .scheme = {}, .label = {}});
      }
    }
  }
  Each(from, "attachments", [&](object attachment) {
    FeedEnclosure enclosure{
        .url = Url(attachment, "url"), .type = Text(attachment, "mime_type"), .length_bytes = {}};
    uint64_t bytes = 0;
    if (attachment["size_in_bytes"].get(bytes) == simdjson::SUCCESS) enclosure.length_bytes = bytes;
    if (!enclosure.url.empty()) item.enclosures.push_back(std::move(enclosure));
  });
  ChooseItemLink(&item);
  return item;
}

Feed JsonFeedReader::Read(object root) {
  Feed feed;
  feed.format = FeedFormat::kJson;
  const std::string version = Text(root, "version");
  feed.version = version.substr(version.rfind('/') + 1);  // npos + 1 is 0
  feed.language = Text(root, "language");
  if (feed.language.empty()) feed.language = options_.language;
  language_ = feed.language;
  feed.title = TextField(root, "title", FeedText::Type::kText);
  feed.description = TextField(root, "description", FeedText::Type::kText);
  const auto add_link = [&](std::string_view key, std::string_view rel) {
    std::string href = Url(root, key);
    if (!href.empty()) feed.links.push_back({.href = std::move(href), .rel = std::string(rel)});
  };
  add_link("home_page_url", "alternate");
  add_link("feed_url", "self");
  add_link("next_url", "next");
  Each(root, "hubs", [&](object hub) {
    std::string href = Url(hub, "url");
    if (!href.empty()) feed.links.push_back({.href = std::move(href), .rel = "hub"});
  });
  feed.authors = Authors(root);
  array items;
  if (root["items"].get(items) == simdjson::SUCCESS) {
    for (element value : items) {
      object item;
      if (value.get(item) != simdjson::SUCCESS) continue;
      if (feed.items.size() >= options_.max_items) {
        feed.items_dropped++;
      } else {
        feed.items.push_back(Item(item));
      }
    }
  }
  feed.texts_cut = texts_cut_;
  ChooseFeedLinks(&feed);
  return feed;
}

// The version is required but often wrong; a list of items that look like items also makes it a feed.
bool IsFeed(object root) {
  if (Text(root, "version").find("jsonfeed.org/version/") != std::string::npos) return true;
  array items;
  if (root["items"].get(items) != simdjson::SUCCESS) return false;
  object first;
  if (items.at(0).get(first) != simdjson::SUCCESS) return false;
  for (const std::string_view key : {"id", "url", "content_html", "content_text"}) {
    if (first[key].error() == simdjson::SUCCESS) return true;
  }
  return false;
}

}  // namespace

Result<Feed> ParseJsonFeed(std::string_view utf8, const FeedOptions& options) {
  simdjson::dom::parser parser;
  element document;
  const auto error = parser.parse(utf8.data(), utf8.size()).get(document);
  if (error != simdjson::SUCCESS) {
    return Status::Corruption(std::string("not a feed: invalid JSON: ") + simdjson::error_message(error));
  }
  object root;
  if (document.get(root) != simdjson::SUCCESS)
    return Status::Corruption("not a feed: the JSON is not an object");
  if (!IsFeed(root)) return Status::Corruption("not a feed: the JSON is not a JSON Feed");
  return JsonFeedReader(options).Read(root);
}

}  // namespace crivello::web::internal
