// SPDX-License-Identifier: Apache-2.0
// The values of a feed's elements: texts in all their notations, people, links, categories, enclosures.
#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "charset/escape.h"
#include "web/feed/feed_xml_reader.h"

namespace crivello::web::internal {
namespace {

using Event = XmlScanner::Event;

// Removes a <div> that encloses everything.
std::string_view WithoutDiv(std::string_view xhtml) {
  if (!xhtml.starts_with("<div") || !xhtml.ends_with("</div>")) return xhtml;
  if (xhtml.size() > 4 && xhtml[4] != '>' && !IsAsciiSpace(xhtml[4])) return xhtml;
  // Only if the last tag closes the first: all others must be closed before the end.
  size_t open = 0;
  for (size_t at = 0; at < xhtml.size();) {
    at = std::min(xhtml.find("<div", at), xhtml.find("</div", at));
    if (at == std::string_view::npos) break;
    open += xhtml[at + 1] == '/' ? size_t(-1) : 1;
    if (open == 0 && at + 6 < xhtml.size()) return xhtml;
    at += 4;
  }
  const size_t inner = xhtml.find('>');
  return TrimAsciiSpace(xhtml.substr(inner + 1, xhtml.size() - 6 - inner - 1));
}

}  // namespace

// The text and markup in the current element. Tags are kept as written, without XHTML's prefix.
std::string XmlFeedReader::ReadInner(bool escape_text, bool* has_children) {
  const size_t depth = scanner_.depth();
  std::string out;
  bool cut = false;
  const auto append = [&](std::string_view piece) {
    const size_t room = options_.max_text_bytes - std::min(out.size(), options_.max_text_bytes);
    if (piece.size() > room) {
      cut = true;
      piece = piece.substr(0, room);
      while (!piece.empty() && (piece.back() & 0x80) != 0) piece.remove_suffix(1);  // not inside a character
    }
    out.append(piece);
  };
  const auto append_name = [&] {
    const bool keep_prefix = Classify(scanner_.prefix(), scanner_.namespace_uri()) != Vocabulary::kXhtml;
    if (keep_prefix && !scanner_.prefix().empty()) {
      append(scanner_.prefix());
      append(":");
    }
    append(scanner_.local_name());
  };
  while (true) {
    const Event event = scanner_.Next();
    if (event == Event::kDone) break;
    if (event == Event::kText) {
      if (!escape_text) {
        append(scanner_.text());
        continue;
      }
      std::string_view text = scanner_.text();
      for (size_t i; !text.empty(); text.remove_prefix(i)) {
        i = std::min(text.size(), text.find_first_of("<>&"));
        append(text.substr(0, i));
        if (i == text.size()) continue;
        append(charset::HtmlReference(text[i]));
        i++;
      }
    } else if (event == Event::kStart) {
      name_ = ToAsciiLower(scanner_.local_name());
      vocabulary_ = Classify(scanner_.prefix(), scanner_.namespace_uri());
      // An item inside a title or description: the end tag is missing.
      if (StartsItem() && !escape_text) {
        replay_ = true;
        break;
      }
      *has_children = true;
      append("<");
      append_name();
      append(scanner_.tag_rest());
      if (!scanner_.tag_rest().ends_with(">")) append(">");
    } else {
      if (scanner_.depth() <= depth) break;
      if (scanner_.self_closing()) continue;
      append("</");
      append_name();
      append(">");
    }
  }
  if (cut) feed_.texts_cut++;
  LeaveScopes(depth);
  return out;
}

std::string XmlFeedReader::ReadString() {
  bool has_children = false;
  const std::string text = ReadInner(false, &has_children);
  return std::string(TrimAsciiSpace(text));
}

std::string XmlFeedReader::ReadUrl() {
  const std::string element_base = base();
  return ResolveLink(element_base, ReadString());
}

FeedText XmlFeedReader::ReadFeedText(bool typed, bool force_xhtml) {
  FeedText text;
  text.base = base();
  text.language = scopes_.back().language;
  const std::string type =
      force_xhtml ? "xhtml" : ToAsciiLower(TrimAsciiSpace(scanner_.Attribute("type").value_or("")));
  const std::string mode = ToAsciiLower(scanner_.Attribute("mode").value_or(""));
  if (const auto src = scanner_.Attribute("src"); src && typed) text.src = Resolve(*src);
  const bool html = type == "html" || type == "text/html";
  const bool xhtml = type == "xhtml" || type == "application/xhtml+xml";
  const bool plain = type == "text" || type == "text/plain" || type.empty();
  const bool xml = type.ends_with("/xml") || type.ends_with("+xml");
  bool has_children = false;
  const std::string inner = ReadInner((xhtml || (xml && typed)) && mode != "escaped", &has_children);
  text.value = TrimAsciiSpace(inner);
  if (xhtml) {
    text.type = FeedText::Type::kXhtml;
    text.value = std::string(WithoutDiv(text.value));
  } else if (html || has_children) {
    text.type = FeedText::Type::kHtml;
  } else if (!typed) {
    text.type = LooksLikeMarkup(text.value) ? FeedText::Type::kHtml : FeedText::Type::kText;
  } else if (!plain && !type.starts_with("text/")) {
    text.type = FeedText::Type::kOther;
  }
  const bool binary = text.type == FeedText::Type::kOther && !xml && typed;
  if ((mode == "base64" || binary) && DecodeBase64Text(text.value, &text.value)) {
    text.value = std::string(TrimAsciiSpace(text.value));
    if (text.type != FeedText::Type::kXhtml && LooksLikeMarkup(text.value)) text.type = FeedText::Type::kHtml;
  }
  return text;
}

// Reads a person: a text as in RSS, or name, email and uri as in Atom.
void XmlFeedReader::ReadPerson() {
  const size_t depth = scanner_.depth();
  const bool weak = vocabulary_ == Vocabulary::kItunes || name_ == "webmaster";
  FeedPerson person;
  std::string text;
  for (Event event = scanner_.Next(); event != Event::kDone; event = scanner_.Next()) {
    if (event == Event::kEnd && scanner_.depth() <= depth) break;
    if (event == Event::kText && text.size() < 1024) text.append(scanner_.text());
    if (event != Event::kStart) continue;
    name_ = ToAsciiLower(scanner_.local_name());
    vocabulary_ = Classify(scanner_.prefix(), scanner_.namespace_uri());
    replay_ = StartsItem();
    if (replay_) break;
    LeaveScopes(scanner_.depth());
    EnterScope();
    if (name_ == "name") {
      person.name = ReadString();
    } else if (name_ == "email") {
      person.email = ReadString();
    } else if (name_ == "uri" || name_ == "url" || name_ == "homepage") {
      person.uri = ReadUrl();
    }
    if (replay_) break;
  }
  LeaveScopes(depth);
  if (person.name.empty() && person.email.empty() && person.uri.empty()) person = ParsePerson(text);
  auto& authors = in_item_ ? item_.authors : feed_.authors;
  if (person.name.empty() && person.email.empty() && person.uri.empty()) return;
  if (Full(authors.size()) || (weak && !authors.empty())) return;
  authors.push_back(std::move(person));
}

void XmlFeedReader::ReadLink() {
  FeedLink link;
  link.href = Resolve(scanner_.Attribute("href").value_or(""));
  link.rel = ToAsciiLower(TrimAsciiSpace(scanner_.Attribute("rel").value_or("")));
  constexpr std::string_view kRegistry = "http://www.iana.org/assignments/relation/";
  if (link.rel.starts_with(kRegistry)) link.rel.erase(0, kRegistry.size());
  if (link.rel.empty()) link.rel = "alternate";
  link.type = ToAsciiLower(TrimAsciiSpace(scanner_.Attribute("type").value_or("")));
  link.hreflang = scanner_.Attribute("hreflang").value_or("");
  link.title = scanner_.Attribute("title").value_or("");
  if (link.rel == "enclosure" && in_item_) {
    AddLink(std::move(link));
    ReadEnclosure();
    return;
  }
  std::string text = ReadUrl();
  if (link.href.empty()) link.href = std::move(text);
  AddLink(std::move(link));
}

void XmlFeedReader::AddLink(FeedLink link) {
  if (!link.href.empty() && !Full(links().size())) links().push_back(std::move(link));
}

void XmlFeedReader::ReadCategory() {
  FeedCategory category;
  category.term = TrimAsciiSpace(scanner_.Attribute("term").value_or(""));
  category.scheme =
      TrimAsciiSpace(scanner_.Attribute("scheme").value_or(scanner_.Attribute("domain").value_or("")));
  category.label = TrimAsciiSpace(scanner_.Attribute("label").value_or(""));
  if (category.scheme.empty() && vocabulary_ == Vocabulary::kMedia) {
    category.scheme = "http://search.yahoo.com/mrss/category_schema";
  }
  const std::string text = ReadString();
  if (category.term.empty()) category.term = text;
  AddCategory(std::move(category));
}

void XmlFeedReader::ReadKeywords() {
  const std::string keywords = ReadString();
  for (std::string_view rest = keywords; !rest.empty();) {
    const size_t comma = std::min(rest.size(), rest.find(','));
    AddCategory({.term = std::string(TrimAsciiSpace(rest.substr(0, comma)))});
    rest.remove_prefix(std::min(rest.size(), comma + 1));
  }
}

void XmlFeedReader::AddCategory(FeedCategory category) {
  auto& categories = in_item_ ? item_.categories : feed_.categories;
  if (category.term.empty() && category.label.empty() && category.scheme.empty()) return;
  if (!Full(categories.size())) categories.push_back(std::move(category));
}

// RSS's <enclosure url=...> and Atom's <link rel="enclosure" href=...>.
void XmlFeedReader::ReadEnclosure() {
  FeedEnclosure enclosure;
  const auto url = scanner_.Attribute("url");
  enclosure.url = Resolve(url ? *url : scanner_.Attribute("href").value_or(""));
  enclosure.type = TrimAsciiSpace(scanner_.Attribute("type").value_or(""));
  const std::string length = scanner_.Attribute("length").value_or("");
  const std::string_view digits = TrimAsciiSpace(length);
  uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  if (error == std::errc() && end == digits.data() + digits.size()) enclosure.length_bytes = bytes;
  ReadString();
  if (!enclosure.url.empty() && !Full(item_.enclosures.size()))
    item_.enclosures.push_back(std::move(enclosure));
}

void XmlFeedReader::SetText(FeedText* field, Rank* held, Rank rank, FeedText value) {
  if ((value.empty() && value.src.empty()) || rank <= *held) return;
  *field = std::move(value);
  *held = rank;
}

void XmlFeedReader::SetDate(FeedDate* field, Rank* held, Rank rank, const FeedDate& value) {
  if (value.text.empty() || rank <= *held) return;
  *field = value;
  *held = rank;
}

}  // namespace crivello::web::internal
