// SPDX-License-Identifier: Apache-2.0
#include "text/content/html_metadata.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "web/http/date_parse.h"
#include "web/page/links.h"
#include "web/page/page_text.h"

namespace crivello::text {
namespace {

using html::HtmlTree;
using html::Node;
using html::NodeId;
using html::NodeType;
using html::Tag;

constexpr size_t kMaxValueBytes = 1000;
constexpr size_t kMaxHeadingNodes = 200;

// Keeps the value of highest rank, and the first one of equal rank.
class Ranked {
 public:
  void Offer(int rank, std::string_view value) {
    value = TrimAsciiSpace(value);
    if (value.empty() || rank <= rank_) return;
    rank_ = rank;
    web::PageText text(kMaxValueBytes);
    text.Append(value);
    value_ = text.Take();
  }
  const std::string& value() const { return value_; }

 private:
  int rank_ = 0;
  std::string value_;
};

// Names of meta elements (name, property, itemprop, http-equiv; in lower case), best first.
constexpr std::string_view kTitleNames[] = {"og:title", "twitter:title", "dc.title", "title", "headline"};
constexpr std::string_view kAuthorNames[] = {"author",
                                             "article:author_name",
                                             "dc.creator",
                                             "byl",
                                             "parsely-author",
                                             "sailthru.author",
                                             "citation_author",
                                             "article:author",
                                             "twitter:creator_name",
                                             "creator"};
constexpr std::string_view kSiteNames[] = {"og:site_name", "publisher", "dc.publisher", "application-name"};
constexpr std::string_view kDescriptionNames[] = {"og:description", "description", "twitter:description",
                                                  "dc.description"};
constexpr std::string_view kDateNames[] = {"article:published_time",
                                           "datepublished",
                                           "og:published_time",
                                           "dc.date.issued",
                                           "dcterms.created",
                                           "dcterms.date",
                                           "dc.date",
                                           "citation_publication_date",
                                           "citation_date",
                                           "parsely-pub-date",
                                           "sailthru.date",
                                           "publish-date",
                                           "publish_date",
                                           "publishdate",
                                           "pubdate",
                                           "article.published",
                                           "date",
                                           "datecreated",
                                           "dc.date.created",
                                           "rnews:datepublished",
                                           "og:article:published_time"};

// A name's rank by its place in a list, the first being highest, plus `base`; 0 if it is not in the list.
template <size_t N>
int RankIn(const std::string_view (&names)[N], std::string_view name, int base) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? 0 : base + static_cast<int>(std::end(names) - found);
}

bool LooksLikeUrl(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www.");
}

// The text of a small element.
std::string TextOf(const HtmlTree& tree, NodeId root) {
  web::PageText text(kMaxValueBytes);
  size_t nodes = 0;
  for (NodeId id = tree.Next(root, root); id != html::kNoNode && nodes < kMaxHeadingNodes;
       id = tree.Next(id, root), ++nodes) {
    if (tree[id].type == NodeType::kText) text.Append(tree[id].text);
    if (tree[id].IsHtml(Tag::kBr)) text.BreakWord();
  }
  return text.Take();
}

// A date like "/2019/12/31/" or "/2019-12-31" in a path.
std::optional<int64_t> DateInUrl(std::string_view url) {
  for (size_t at = url.find('/'); at != std::string_view::npos; at = url.find('/', at + 1)) {
    const std::string_view rest = url.substr(at + 1);
    if (rest.size() < 10) break;
    const char mark = rest[4];
    const bool shape = std::all_of(rest.begin(), rest.begin() + 4, IsAsciiDigit) &&
                       (mark == '/' || mark == '-') && IsAsciiDigit(rest[5]) && IsAsciiDigit(rest[6]) &&
                       rest[7] == mark && IsAsciiDigit(rest[8]) && IsAsciiDigit(rest[9]) &&
                       (rest.size() == 10 || !IsAsciiDigit(rest[10]));
    if (!shape || (!rest.starts_with("19") && !rest.starts_with("20"))) continue;
    std::string date(rest.substr(0, 10));
    std::replace(date.begin(), date.end(), '/', '-');
    return web::ParseDate(date);
  }
  return std::nullopt;
}

class Metadata {
 public:
  explicit Metadata(const HtmlTree& tree) : tree_(tree) {}

  void Read() {
    bool in_body = false;
    for (NodeId id = HtmlTree::kDocument; id != html::kNoNode;) {
      const Node& node = tree_[id];
      if (node.type != NodeType::kElement || node.ns != html::Namespace::kHtml) {
        id = node.ns == html::Namespace::kSvg ? tree_.NextSkippingChildren(id) : tree_.Next(id);
        continue;
      }
      switch (node.tag) {
        case Tag::kHtml:
          if (const auto* lang = node.Find("lang")) language_.Offer(3, *lang);
          break;
        case Tag::kBody:
          in_body = true;
          break;
        case Tag::kTitle:
          if (title_.empty()) title_ = TextOf(tree_, id);
          break;
        case Tag::kMeta:
          Meta(node);
          break;
        case Tag::kScript:
          Script(id, node);
          break;
        case Tag::kTime:
          Time(id, node);
          break;
        case Tag::kH1:
          if (headings_.size() < 8) headings_.push_back(TextOf(tree_, id));
          break;
        default:
          if (in_body && node.attribute_count > 0) Property(id, node);
          break;
      }
      id = tree_.Next(id);
    }
  }

  void Write(std::string_view url, Document* document) const {
    document->site = site_.value();
    document->author = author_.value();
    document->description = description_.value();
    document->language = Language();
    document->title = Title();
    document->published = web::ParseDate(date_.value());
    if (!document->published) document->published = DateInUrl(url);
  }

 private:
  void Meta(const Node& node) {
    const std::string_view* content = node.Find("content");
    if (content == nullptr) return;
    for (const std::string_view key : {"property", "name", "itemprop", "http-equiv"}) {
      const std::string_view* value = node.Find(key);
      if (value == nullptr || value->size() > 40) continue;
      const std::string name = ToAsciiLower(TrimAsciiSpace(*value));
      og_title_.Offer(RankIn(kTitleNames, name, 100), *content);
      if (!LooksLikeUrl(*content)) author_.Offer(RankIn(kAuthorNames, name, 100), *content);
      site_.Offer(RankIn(kSiteNames, name, 100), *content);
      description_.Offer(RankIn(kDescriptionNames, name, 100), *content);
      Date(RankIn(kDateNames, name, 100), *content);
      if (name == "content-language") language_.Offer(2, *content);
      if (name == "og:locale") language_.Offer(1, *content);
    }
  }

  void Date(int rank, std::string_view text) {
    if (rank > 0 && web::ParseDate(text)) date_.Offer(rank, text);
  }

  void Script(NodeId id, const Node& node) {
    const std::string_view* type = node.Find("type");
    if (type == nullptr || !StartsWithIgnoringCase(TrimAsciiSpace(*type), "application/ld+json")) return;
    if (node.first_child == html::kNoNode) return;
    const std::string_view json = tree_[tree_[id].first_child].text;
    Date(90, JsonValue(json, "datePublished"));
    Date(40, JsonValue(json, "dateCreated"));
    const std::string author = JsonValue(json, "author");
    if (!LooksLikeUrl(author)) author_.Offer(150, author);
    site_.Offer(50, JsonValue(json, "publisher"));
    headline_.Offer(1, JsonValue(json, "headline"));
  }

  void Time(NodeId id, const Node& node) {
    const std::string_view* when = node.Find("datetime");
    const std::string text = when == nullptr ? TextOf(tree_, id) : std::string(*when);
    const std::string_view* property = node.Find("itemprop");
    const bool published =
        node.Find("pubdate") != nullptr || (property != nullptr && *property == "datePublished");
    Date(published ? 80 : 30, text);
  }

  // Reads microdata and the like in the body.
  void Property(NodeId id, const Node& node) {
    for (const html::TreeAttribute& attribute : node.attributes()) {
      if (attribute.name == "itemprop") {
        if (attribute.value == "author") author_.Offer(60, TextOf(tree_, id));
        if (attribute.value == "datePublished") {
          const std::string_view* content = node.Find("content");
          Date(70, content == nullptr ? TextOf(tree_, id) : std::string(*content));
        }
      } else if (attribute.name == "rel") {
        if (web::HasWord(attribute.value, "author")) author_.Offer(50, TextOf(tree_, id));
      } else if (attribute.name == "class" && node.tag != Tag::kBody) {
        const std::string_view value = attribute.value;
        if (value.size() < 60 && (web::HasWord(value, "byline") || web::HasWord(value, "author") ||
                                  web::HasWord(value, "author-name") || web::HasWord(value, "byline__name")))
          Byline(id);
        if (value.size() < 60 && (web::HasWord(value, "published") || web::HasWord(value, "entry-date") ||
                                  web::HasWord(value, "post-date") || web::HasWord(value, "date")))
          Date(20, TextOf(tree_, id));
      }
    }
  }

  void Byline(NodeId id) {
    std::string text = TextOf(tree_, id);
    if (text.size() > 80) return;
    for (const std::string_view by : {"by ", "von ", "par ", "di ", "por ", "de "}) {
      if (StartsWithIgnoringCase(text, by)) {
        text.erase(0, by.size());
        break;
      }
    }
    author_.Offer(40, text);
  }

  // The BCP 47 code of the first language listed.
  std::string Language() const {
    std::string language = language_.value().substr(0, language_.value().find_first_of(",; "));
    std::replace(language.begin(), language.end(), '_', '-');
    const bool sane =
        language.size() >= 2 && language.size() <= 35 &&
        std::all_of(language.begin(), language.end(), [](char c) { return IsAsciiAlnum(c) || c == '-'; });
    return sane ? language : "";
  }

  std::string Title() const {
    const std::string& own = og_title_.value().empty() ? title_ : og_title_.value();
    std::string heading;
    // The heading that the page's own title repeats, or else the only heading.
    for (const std::string& candidate : headings_) {
      if (candidate.size() >= 3 && (title_.find(candidate) != std::string::npos ||
                                    og_title_.value().find(candidate) != std::string::npos)) {
        heading = candidate;
        break;
      }
    }
    std::string title = TitleWithoutSite(own, site_.value(), heading);
    if (title.empty()) title = headline_.value();
    if (title.empty() && !headings_.empty()) title = headings_.front();
    return title;
  }

  const HtmlTree& tree_;
  std::string title_;
  std::vector<std::string> headings_;
  Ranked og_title_, headline_, author_, site_, description_, date_, language_;
};

// Undoes backslash escapes; a backslash before anything else stays.
std::string Unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char c = text[++i];
    if (c != 'u' || i + 4 >= text.size()) {
      plain += c == 'n' || c == 't' || c == 'r' ? ' ' : c;
      continue;
    }
    const auto unit = [&](size_t at) {
      uint32_t value = 0;
      for (size_t k = 0; k < 4; ++k) {
        const int digit = at + k < text.size() ? HexValue(text[at + k]) : -1;
        if (digit < 0) return 0xfffdu;
        value = value << 4 | static_cast<uint32_t>(digit);
      }
      return value;
    };
    uint32_t code = unit(i + 1);
    i += 4;
    if (code >= 0xd800 && code < 0xdc00 && i + 6 < text.size() && text[i + 1] == '\\' && text[i + 2] == 'u') {
      const uint32_t low = unit(i + 3);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i += 6;
      }
    }
    charset::AppendUtf8(code >= 0xd800 && code < 0xe000 ? 0xfffd : code, &plain);
  }
  return plain;
}

}  // namespace

std::string JsonValue(std::string_view json, std::string_view name) {
  const std::string key = '"' + std::string(name) + '"';
  for (size_t at = json.find(key); at != std::string_view::npos; at = json.find(key, at + 1)) {
    size_t value = at + key.size();
    while (value < json.size() && IsAsciiSpace(json[value])) ++value;
    if (value >= json.size() || json[value] != ':') continue;
    ++value;
    while (value < json.size() && (IsAsciiSpace(json[value]) || json[value] == '[')) ++value;
    if (value >= json.size()) return "";
    if (json[value] == '{') {
      const std::string_view rest = json.substr(value, 2000);
      return name == "name" ? "" : JsonValue(rest.substr(0, rest.find('}')), "name");
    }
    if (json[value] != '"') continue;
    size_t end = value + 1;
    while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2 : 1;
    if (end >= json.size()) return "";
    return Unescaped(json.substr(value + 1, end - value - 1));
  }
  return "";
}

std::string TitleWithoutSite(std::string_view title, std::string_view site, std::string_view heading) {
  static constexpr std::string_view kSeparators[] = {
      " | ", " - ", " \u2013 ", " \u2014 ", " :: ", " \u00bb ", " \u00ab ", " \u00b7 ", " / ", " : "};
  title = TrimAsciiSpace(title);
  for (const std::string_view separator : kSeparators) {
    const size_t last = title.rfind(separator);
    if (last != std::string_view::npos) {
      const std::string_view end = TrimAsciiSpace(title.substr(last + separator.size()));
      const std::string_view start = TrimAsciiSpace(title.substr(0, last));
      if (EqualsIgnoringCase(end, site) || (start == heading && !heading.empty())) {
        return TitleWithoutSite(start, site, heading);
      }
    }
    const size_t first = title.find(separator);
    if (first != std::string_view::npos) {
      const std::string_view end = TrimAsciiSpace(title.substr(first + separator.size()));
      const std::string_view start = TrimAsciiSpace(title.substr(0, first));
      if (EqualsIgnoringCase(start, site) || (end == heading && !heading.empty())) {
        return TitleWithoutSite(end, site, heading);
      }
      // "Rain | Weather | The Daily", and the heading is "Rain".
      if (!heading.empty() && start == heading) return std::string(start);
    }
  }
  return std::string(title);
}

void ReadHtmlMetadata(const html::HtmlTree& tree, std::string_view url, Document* document) {
  Metadata metadata(tree);
  metadata.Read();
  metadata.Write(url, document);
}

}  // namespace crivello::text
