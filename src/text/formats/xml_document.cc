// SPDX-License-Identifier: Apache-2.0
#include "text/formats/xml_document.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "charset/charset.h"
#include "text/formats/xml_reader.h"
#include "web/feed/feed.h"

namespace crivello::text {
namespace {

enum class Meaning : uint8_t {
  kInline,  // continues the block around it
  kBlock,   // its own paragraph; around other blocks, only a separator
  kHeading,
  kNumberedHeading,  // the last character of its name is the level: h2
  kItem,
  kQuote,
  kCode,
  kRow,
  kCell,
  kCaption,
  kLink,
  kSpace,     // a separator of words
  kSkip,      // skipped with its content
  kTitle,     // a heading; the first one is also the document's title
  kMetadata,  // title, author or language of the document; not text
};

struct Rule {
  std::string_view name;
  Meaning meaning;
};

constexpr Rule kGenericRules[] = {
    {"a", Meaning::kLink},
    {"abbr", Meaning::kInline},
    {"acronym", Meaning::kInline},
    {"application", Meaning::kInline},
    {"b", Meaning::kInline},
    {"big", Meaning::kInline},
    {"blockquote", Meaning::kQuote},
    {"br", Meaning::kSpace},
    {"caption", Meaning::kCaption},
    {"cite", Meaning::kInline},
    {"citetitle", Meaning::kInline},
    {"code", Meaning::kInline},
    {"command", Meaning::kInline},
    {"constant", Meaning::kInline},
    {"creator", Meaning::kMetadata},
    {"del", Meaning::kSkip},
    {"dfn", Meaning::kInline},
    {"em", Meaning::kInline},
    {"emphasis", Meaning::kInline},
    {"entry", Meaning::kCell},
    {"figcaption", Meaning::kCaption},
    {"filename", Meaning::kInline},
    {"firstterm", Meaning::kInline},
    {"font", Meaning::kInline},
    {"function", Meaning::kInline},
    {"h1", Meaning::kNumberedHeading},
    {"h2", Meaning::kNumberedHeading},
    {"h3", Meaning::kNumberedHeading},
    {"h4", Meaning::kNumberedHeading},
    {"h5", Meaning::kNumberedHeading},
    {"h6", Meaning::kNumberedHeading},
    {"hi", Meaning::kInline},
    {"i", Meaning::kInline},
    {"indexterm", Meaning::kSkip},
    {"ins", Meaning::kInline},
    {"item", Meaning::kItem},
    {"kbd", Meaning::kInline},
    {"keyword", Meaning::kInline},
    {"label", Meaning::kInline},
    {"li", Meaning::kItem},
    {"link", Meaning::kLink},
    {"listitem", Meaning::kItem},
    {"literal", Meaning::kInline},
    {"literallayout", Meaning::kCode},
    {"math", Meaning::kSkip},
    {"option", Meaning::kInline},
    {"parameter", Meaning::kInline},
    {"phrase", Meaning::kInline},
    {"pre", Meaning::kCode},
    {"productname", Meaning::kInline},
    {"programlisting", Meaning::kCode},
    {"q", Meaning::kInline},
    {"quote", Meaning::kInline},
    {"ref", Meaning::kLink},
    {"replaceable", Meaning::kInline},
    {"row", Meaning::kRow},
    {"s", Meaning::kInline},
    {"samp", Meaning::kInline},
    {"screen", Meaning::kCode},
    {"script", Meaning::kSkip},
    {"small", Meaning::kInline},
    {"span", Meaning::kInline},
    {"strong", Meaning::kInline},
    {"style", Meaning::kSkip},
    {"sub", Meaning::kInline},
    {"sup", Meaning::kInline},
    {"svg", Meaning::kSkip},
    {"synopsis", Meaning::kCode},
    {"td", Meaning::kCell},
    {"term", Meaning::kInline},
    {"th", Meaning::kCell},
    {"title", Meaning::kTitle},
    {"tr", Meaning::kRow},
    {"tt", Meaning::kInline},
    {"type", Meaning::kInline},
    {"u", Meaning::kInline},
    {"ulink", Meaning::kLink},
    {"userinput", Meaning::kInline},
    {"var", Meaning::kInline},
    {"varname", Meaning::kInline},
    {"xref", Meaning::kInline},
};

constexpr Rule kWordRules[] = {
    {"br", Meaning::kSpace},      {"cr", Meaning::kSpace},          {"del", Meaning::kSkip},
    {"delText", Meaning::kSkip},  {"hyperlink", Meaning::kLink},    {"instrText", Meaning::kSkip},
    {"moveFrom", Meaning::kSkip}, {"p", Meaning::kBlock},           {"pPr", Meaning::kInline},
    {"sectPr", Meaning::kSkip},   {"tab", Meaning::kSpace},         {"tc", Meaning::kCell},
    {"tr", Meaning::kRow},        {"txbxContent", Meaning::kBlock},
};

constexpr Rule kOpenDocumentRules[] = {
    {"a", Meaning::kLink},
    {"annotation", Meaning::kSkip},
    {"h", Meaning::kHeading},
    {"line-break", Meaning::kSpace},
    {"list-item", Meaning::kItem},
    {"p", Meaning::kBlock},
    {"s", Meaning::kSpace},
    {"tab", Meaning::kSpace},
    {"table-cell", Meaning::kCell},
    {"table-row", Meaning::kRow},
    {"tracked-changes", Meaning::kSkip},
};

class Converter final : public XmlVisitor {
 public:
  Converter(XmlVocabulary vocabulary, DocumentBuilder& to, const LinkTargets& targets)
      : vocabulary_(vocabulary), to_(to), targets_(targets) {}

  bool Enough() const override { return to_.full(); }

  void OnStart(std::string_view name, const Attribute& attribute) override {
    const Meaning meaning = MeaningOf(name);
    stack_.push_back({std::string(name), meaning});
    if (skipping_ > 0 || meaning == Meaning::kSkip) {
      ++skipping_;
      return;
    }
    if (to_.document().language.empty()) {
      const std::string language = attribute("lang");
      if (language.size() <= 35) to_.document().language = language;
    }
    if (vocabulary_ == XmlVocabulary::kWord && ReadWordProperty(name, attribute)) return;
    Begin(meaning, name, attribute);
  }

  void OnEnd(std::string_view name) override {
    const Meaning meaning = stack_.back().meaning;
    stack_.pop_back();
    if (skipping_ > 0) {
      --skipping_;
      return;
    }
    switch (meaning) {
      case Meaning::kLink:
        to_.EndLink();
        break;
      case Meaning::kCell:
        if (row_) to_.Cell();
        break;
      case Meaning::kRow:
        row_ = false;
        to_.Close();
        break;
      case Meaning::kItem:
        --items_;
        Part();
        break;
      case Meaning::kQuote:
        --quotes_;
        Part();
        break;
      case Meaning::kCode:
        --codes_;
        Part();
        break;
      case Meaning::kTitle:
        if (to_.document().title.empty()) to_.document().title = Collapsed(title_);
        in_title_ = false;
        Part();
        break;
      case Meaning::kMetadata:
        if (to_.document().author.empty()) to_.document().author = Collapsed(metadata_);
        in_metadata_ = false;
        break;
      case Meaning::kInline:
      case Meaning::kSpace:
        if (name == "t") in_word_text_ = false;
        break;
      default:
        Part();
        break;
    }
  }

  void OnText(std::string_view text) override {
    if (skipping_ > 0) return;
    if (vocabulary_ == XmlVocabulary::kWord && !in_word_text_) return;
    if (in_metadata_) {
      metadata_ += text;
      return;
    }
    if (in_title_) title_ += text;
    if (!to_.open() && TrimAsciiSpace(text).empty()) return;
    if (!to_.open()) OpenBlock(BlockKind::kParagraph, 0);
    to_.Text(text);
  }

 private:
  struct Element {
    std::string name;
    Meaning meaning;
  };

  Meaning MeaningOf(std::string_view name) const {
    const auto find = [name](const auto& rules, Meaning otherwise) {
      const auto* found =
          std::lower_bound(std::begin(rules), std::end(rules), name,
                           [](const Rule& rule, std::string_view n) { return rule.name < n; });
      return found != std::end(rules) && found->name == name ? found->meaning : otherwise;
    };
    switch (vocabulary_) {
      case XmlVocabulary::kWord:
        return find(kWordRules, Meaning::kInline);
      case XmlVocabulary::kOpenDocument:
        return find(kOpenDocumentRules, Meaning::kInline);
      case XmlVocabulary::kGeneric:
        return find(kGenericRules, Meaning::kBlock);
    }
    return Meaning::kBlock;
  }

  // The start or end of a block separates text, except inside a row or code.
  void Part() {
    if (row_ || codes_ > 0) {
      to_.Space();
    } else {
      to_.Close();
    }
  }

  void OpenBlock(BlockKind kind, uint8_t level) {
    if (kind == BlockKind::kParagraph && items_ > 0) kind = BlockKind::kListItem, level = Level(items_);
    if (kind == BlockKind::kParagraph && quotes_ > 0) kind = BlockKind::kQuote, level = Level(quotes_);
    path_.clear();
    for (const Element& element : stack_) {
      if (element.meaning == Meaning::kInline || path_.size() > 200) continue;
      if (!path_.empty()) path_ += '/';
      path_ += element.name;
    }
    to_.Open(kind, {level, static_cast<uint16_t>(std::min<size_t>(stack_.size(), 65535)), path_});
  }

  static uint8_t Level(size_t nesting) { return static_cast<uint8_t>(std::clamp<size_t>(nesting, 1, 255)); }

  void OpenHeading(uint8_t level) {
    if (row_ || codes_ > 0) return to_.Space();
    OpenBlock(BlockKind::kHeading, static_cast<uint8_t>(std::clamp<int>(level, 1, 6)));
  }

  void Begin(Meaning meaning, std::string_view name, const Attribute& attribute) {
    switch (meaning) {
      case Meaning::kInline:
        if (name == "t") in_word_text_ = true;
        break;
      case Meaning::kSpace:
        to_.Line();
        break;
      case Meaning::kLink: {
        std::string href = attribute("href");
        if (href.empty()) href = attribute("url");
        if (href.empty()) href = attribute("target");
        if (const auto target = targets_.find(attribute("id")); href.empty() && target != targets_.end()) {
          href = target->second;
        }
        to_.BeginLink(href);
        break;
      }
      case Meaning::kBlock:
        Part();
        break;
      case Meaning::kHeading: {
        const std::string level = attribute("outline-level");
        OpenHeading(level.size() == 1 && IsAsciiDigit(level[0]) ? static_cast<uint8_t>(level[0] - '0') : 1);
        break;
      }
      case Meaning::kNumberedHeading:
        OpenHeading(static_cast<uint8_t>(name.back() - '0'));
        break;
      case Meaning::kTitle:
        in_title_ = true;
        title_.clear();
        OpenHeading(Level(stack_.size() > 2 ? stack_.size() - 2 : 1));
        break;
      case Meaning::kMetadata:
        in_metadata_ = true;
        metadata_.clear();
        break;
      case Meaning::kItem:
        ++items_;
        Part();
        break;
      case Meaning::kQuote:
        ++quotes_;
        Part();
        break;
      case Meaning::kCode:
        if (!row_) OpenBlock(BlockKind::kCode, 0);
        ++codes_;
        break;
      case Meaning::kCaption:
        if (!row_) OpenBlock(BlockKind::kCaption, 0);
        break;
      case Meaning::kRow:
        if (!row_) OpenBlock(BlockKind::kTable, 0);
        row_ = true;
        break;
      case Meaning::kCell:
      case Meaning::kSkip:
        break;
    }
  }

  // In Word, an element inside the paragraph gives its kind: <w:pPr><w:pStyle w:val="Heading1"/>.
  bool ReadWordProperty(std::string_view name, const Attribute& attribute) {
    if (name == "pStyle" && !row_) {
      const std::string style = attribute("val");
      if (style == "Title" || style == "Subtitle") {
        OpenHeading(1);
      } else if (StartsWithIgnoringCase(style, "heading") && style.size() == 8 && IsAsciiDigit(style[7])) {
        OpenHeading(static_cast<uint8_t>(style[7] - '0'));
      } else if (StartsWithIgnoringCase(style, "quote")) {
        OpenBlock(BlockKind::kQuote, 1);
      }
      return true;
    }
    if (name == "numPr" && !row_ && !to_.open()) {
      OpenBlock(BlockKind::kListItem, 1);
      return true;
    }
    return false;
  }

  const XmlVocabulary vocabulary_;
  DocumentBuilder& to_;
  const LinkTargets& targets_;
  std::vector<Element> stack_;
  std::string path_;
  std::string title_;
  std::string metadata_;
  size_t skipping_ = 0;  // open elements inside a skipped one, including it
  size_t items_ = 0;
  size_t quotes_ = 0;
  size_t codes_ = 0;
  bool row_ = false;
  bool in_title_ = false;
  bool in_metadata_ = false;
  bool in_word_text_ = false;
};

template <size_t n>
constexpr bool Sorted(const Rule (&rules)[n]) {
  for (size_t i = 1; i < n; ++i) {
    if (!(rules[i - 1].name < rules[i].name)) return false;
  }
  return true;
}
static_assert(Sorted(kGenericRules) && Sorted(kWordRules) && Sorted(kOpenDocumentRules));

Document FromFeed(const web::Feed& feed, size_t max_text_bytes) {
  DocumentBuilder to(max_text_bytes);
  Document& document = to.document();
  document.title = Collapsed(feed.title.PlainText());
  document.description = Collapsed(feed.description.PlainText());
  document.language = feed.language;
  document.published = feed.published.seconds ? feed.published.seconds : feed.updated.seconds;
  if (!feed.authors.empty()) document.author = feed.authors.front().name;
  to.Open(BlockKind::kParagraph, {});
  to.Text(feed.description.PlainText());
  for (const web::FeedItem& item : feed.items) {
    to.Open(BlockKind::kHeading, {.level = 2, .path = "item/title"});
    to.BeginLink(item.link);
    to.Text(item.title.PlainText());
    to.Open(BlockKind::kParagraph, {.path = "item"});
    to.Text((item.content.empty() ? item.summary : item.content).PlainText());
  }
  return to.Finish();
}

// Whether the root element is that of a feed.
bool LooksLikeFeed(std::string_view xml) {
  for (size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    const std::string_view rest = xml.substr(at + 1);
    if (rest.starts_with("?") || rest.starts_with("!")) continue;
    return rest.starts_with("rss") || rest.starts_with("feed") || rest.starts_with("rdf:RDF") ||
           rest.starts_with("RDF") || rest.starts_with("atom:feed");
  }
  return false;
}

}  // namespace

Status ConvertXml(std::string_view bytes, XmlVocabulary vocabulary, DocumentBuilder& to,
                  const LinkTargets& targets) {
  Converter converter(vocabulary, to, targets);
  return ReadXml(bytes, {.refuse_entities = vocabulary != XmlVocabulary::kGeneric}, converter);
}

Result<Document> ConvertXmlDocument(std::string_view bytes, size_t max_text_bytes) {
  if (LooksLikeFeed(bytes)) {
    const auto decoded = charset::DecodeToUtf8(bytes, charset::DecideCharset(bytes).encoding);
    const auto feed = web::ParseFeed(decoded.text());
    if (feed.ok()) return FromFeed(*feed, max_text_bytes);
  }
  DocumentBuilder to(max_text_bytes);
  CRV_TRY(ConvertXml(bytes, XmlVocabulary::kGeneric, to));
  return to.Finish();
}

}  // namespace crivello::text
