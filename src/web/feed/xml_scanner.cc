// SPDX-License-Identifier: Apache-2.0
#include "web/feed/xml_scanner.h"

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "web/feed/xml_entities.h"

namespace crivello::web {
namespace {

constexpr std::string_view kXmlNamespace = "http://www.w3.org/XML/1998/namespace";

// Namespace bindings in scope at a time: more than any feed has, few enough to search for each tag.
constexpr size_t kMaxBindings = 128;
constexpr size_t kMaxEntities = 512;
constexpr size_t kMaxEntityBytes = 4096;

// Prefixes that feeds use without declaring them, with their URIs.
struct UsualPrefix {
  std::string_view prefix;
  std::string_view uri;
};
constexpr UsualPrefix kUsualPrefixes[] = {
    {"atom", "http://www.w3.org/2005/Atom"},
    {"atom10", "http://www.w3.org/2005/Atom"},
    {"content", "http://purl.org/rss/1.0/modules/content/"},
    {"dc", "http://purl.org/dc/elements/1.1/"},
    {"dcterms", "http://purl.org/dc/terms/"},
    {"feedburner", "http://rssnamespace.org/feedburner/ext/1.0"},
    {"image", "http://www.google.com/schemas/sitemap-image/1.1"},
    {"itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd"},
    {"media", "http://search.yahoo.com/mrss/"},
    {"news", "http://www.google.com/schemas/sitemap-news/0.9"},
    {"rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"},
    {"sy", "http://purl.org/rss/1.0/modules/syndication/"},
    {"video", "http://www.google.com/schemas/sitemap-video/1.1"},
    {"xhtml", "http://www.w3.org/1999/xhtml"},
    {"xml", kXmlNamespace},
};

bool IsNameStart(char c) { return IsAsciiAlpha(c) || c == '_' || c == ':' || (c & 0x80) != 0; }

bool EndsName(char c) {
  return IsAsciiSpace(c) || c == '/' || c == '>' || c == '<' || c == '=' || c == '"' || c == '\'';
}

size_t PrefixSize(std::string_view name) {
  const size_t colon = name.find(':');
  return colon == std::string_view::npos || colon + 1 == name.size() ? 0 : colon;
}

bool IsForbiddenControl(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; }

// Whether the text can be returned unchanged. No branch in the loop, so that it is vectorised.
bool IsPlain(std::string_view s, bool has_references) {
  unsigned special = 0;
  const auto amp = static_cast<unsigned char>(has_references ? '&' : '\r');
  for (const char c : s) {
    const auto u = static_cast<unsigned char>(c);
    special |= static_cast<unsigned>(u == amp) |
               (static_cast<unsigned>(u < 0x20) & static_cast<unsigned>(u != '\n') &
                static_cast<unsigned>(u != '\t'));
  }
  return special == 0;
}

// Converts CR LF and CR to LF, and removes other forbidden control characters.
void RemoveControls(std::string* s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->size(); i++) {
    char c = (*s)[i];
    if (c == '\r') {
      if (i + 1 < s->size() && (*s)[i + 1] == '\n') continue;
      c = '\n';
    }
    if (!IsForbiddenControl(c)) (*s)[kept++] = c;
  }
  s->resize(kept);
}

}  // namespace

XmlScanner::XmlScanner(std::string_view input, XmlScannerOptions options)
    : input_(input), options_(options), expansion_left_(input.size() + (size_t{64} << 10)) {
  if (StartsWith("\xEF\xBB\xBF")) pos_ = 3;
}

std::string_view XmlScanner::local_name() const {
  return current_.prefix_size == 0 ? current_.name : current_.name.substr(current_.prefix_size + 1);
}

XmlScanner::Event XmlScanner::Next() {
  while (true) {
    if (closes_due_ > 0) {
      closes_due_--;
      Close();
      return Event::kEnd;
    }
    if (pos_ >= input_.size()) {
      if (open_.empty()) return Event::kDone;
      self_closing_ = false;
      cut_off_ = true;
      closes_due_ = open_.size();
      continue;
    }
    Event event = Event::kDone;
    if (input_[pos_] == '<' && ReadMarkup(&event)) {
      if (event != Event::kDone) return event;
    } else if (ReadCharacterData()) {
      return Event::kText;
    }
  }
}

// Returns false if the '<' here is text; *event stays kDone if there is nothing to report.
bool XmlScanner::ReadMarkup(Event* event) {
  const char next = pos_ + 1 < input_.size() ? input_[pos_ + 1] : '\0';
  if (IsNameStart(next)) {
    if (ReadStartTag()) *event = Event::kStart;
  } else if (next == '/') {
    if (ReadEndTag()) *event = Event::kEnd;
  } else if (next == '?') {
    SkipInstruction();
  } else if (next != '!') {
    return false;
  } else if (StartsWith("<![CDATA[")) {
    if (ReadCdata()) *event = Event::kText;
  } else if (StartsWith("<!--")) {
    SkipComment();
  } else if (EqualsIgnoringCase(input_.substr(pos_, 9), "<!doctype") && !doctype_seen_) {
    ReadDoctype();
  } else {
    SkipPast(">");
  }
  return true;
}

void XmlScanner::SkipPast(std::string_view token) {
  const size_t found = input_.find(token, pos_);
  pos_ = found == std::string_view::npos ? input_.size() : found + token.size();
}

// It ends at "?>", or at its first '>' if the next tag comes before a "?>".
void XmlScanner::SkipInstruction() {
  const std::string_view rest = input_.substr(pos_, input_.find('<', pos_ + 1) - pos_);
  size_t end = rest.find("?>");
  if (end == std::string_view::npos) end = rest.find('>');
  pos_ += end == std::string_view::npos ? rest.size() : end + (rest[end] == '?' ? 2 : 1);
}

// The flag avoids searching to the end of the document for each of many unfinished comments.
void XmlScanner::SkipComment() {
  const size_t end = no_comment_end_ahead_ ? std::string_view::npos : input_.find("-->", pos_ + 4);
  if (end != std::string_view::npos) {
    pos_ = end + 3;
    return;
  }
  no_comment_end_ahead_ = true;
  SkipPast(">");
}

bool XmlScanner::ReadCharacterData() {
  const size_t start = pos_;
  size_t end = pos_;
  if (input_[end] == '<') end++;  // it is text; otherwise we would not be here
  while (true) {
    end = input_.find('<', end);
    if (end == std::string_view::npos || end + 1 >= input_.size()) {
      end = input_.size();
      break;
    }
    const char next = input_[end + 1];
    if (IsNameStart(next) || next == '/' || next == '!' || next == '?') break;
    end++;
  }
  pos_ = end;
  SetText(input_.substr(start, end - start), true);
  return !text_.empty();
}

bool XmlScanner::ReadCdata() {
  const size_t start = pos_ + 9;
  const size_t end = input_.find("]]>", start);
  const bool finished = end != std::string_view::npos;
  pos_ = finished ? end + 3 : input_.size();
  SetText(input_.substr(start, finished ? end - start : std::string_view::npos), false);
  return !text_.empty();
}

void XmlScanner::SetText(std::string_view raw, bool has_references) {
  if (IsPlain(raw, has_references)) {
    text_ = raw;
    return;
  }
  text_buffer_.clear();
  if (has_references) {
    AppendDecoded(raw, &text_buffer_);
  } else {
    text_buffer_.assign(raw);
  }
  RemoveControls(&text_buffer_);
  text_ = text_buffer_;
}

void XmlScanner::AppendDecoded(std::string_view raw, std::string* out) const {
  if (entities_.empty()) return AppendWithoutReferences(raw, out);
  while (true) {
    const size_t amp = raw.find('&');
    out->append(raw.substr(0, amp));
    if (amp == std::string_view::npos) return;
    raw.remove_prefix(amp);
    std::string_view name;
    uint32_t code_point = 0;
    const size_t length = std::max<size_t>(1, internal::MeasureReference(raw, &name, &code_point));
    const auto declared = entities_.find(name);
    if (!name.empty() && declared != entities_.end() && declared->second.size() <= expansion_left_) {
      expansion_left_ -= declared->second.size();
      out->append(declared->second);
    } else {
      AppendWithoutReferences(raw.substr(0, length), out);
    }
    raw.remove_prefix(length);
  }
}

bool XmlScanner::ReadStartTag() {
  const size_t start = ++pos_;
  while (pos_ < input_.size() && !EndsName(input_[pos_])) pos_++;
  const std::string_view name = input_.substr(start, pos_ - start);
  const size_t name_end = pos_;
  bool finished = false;
  ReadAttributes(&finished);
  if (!finished) return false;
  tag_rest_ = input_.substr(name_end, pos_ - name_end);
  if (open_.size() >= options_.max_depth) {
    if (!self_closing_) too_deep_++;
    return false;
  }
  Open(name);
  if (self_closing_) closes_due_ = 1;
  return true;
}

// Reads up to and including '>', or up to a '<' that starts the next tag.
void XmlScanner::ReadAttributes(bool* finished) {
  attributes_.clear();
  self_closing_ = false;
  while (pos_ < input_.size()) {
    const char c = input_[pos_];
    if (c == '>') {
      pos_++;
      *finished = true;
      return;
    }
    if (c == '<') {
      *finished = true;
      return;
    }
    if (!IsAsciiSpace(c)) self_closing_ = c == '/';
    const size_t start = pos_;
    while (pos_ < input_.size() && !EndsName(input_[pos_])) pos_++;
    if (pos_ == start) {
      pos_++;
      continue;
    }
    RawAttribute attribute{.name = input_.substr(start, pos_ - start), .value = {}};
    while (pos_ < input_.size() && IsAsciiSpace(input_[pos_])) pos_++;
    if (pos_ < input_.size() && input_[pos_] == '=') {
      pos_++;
      attribute.value = ReadAttributeValue();
    }
    if (attributes_.size() < options_.max_attributes) attributes_.push_back(attribute);
  }
  *finished = false;
}

// Searches for an unclosed quote only once: no quote of its kind lies ahead.
std::string_view XmlScanner::ReadAttributeValue() {
  while (pos_ < input_.size() && IsAsciiSpace(input_[pos_])) pos_++;
  if (pos_ >= input_.size()) return {};
  const char quote = input_[pos_];
  if (quote == '"' || quote == '\'') {
    const size_t end = input_.find(quote, ++pos_);
    if (end != std::string_view::npos) {
      const std::string_view value = input_.substr(pos_, end - pos_);
      pos_ = end + 1;
      return value;
    }
  }
  const size_t start = pos_;
  while (pos_ < input_.size() && !IsAsciiSpace(input_[pos_]) && input_[pos_] != '>' && input_[pos_] != '<')
    pos_++;
  return input_.substr(start, pos_ - start);
}

void XmlScanner::Open(std::string_view name) {
  Element element{.name = name,
                  .prefix_size = PrefixSize(name),
                  .uri = {},
                  .depth = open_.size() + 1,
                  .bindings_before = bindings_.size()};
  for (const RawAttribute& attribute : attributes_) {
    if (!attribute.name.starts_with("xmlns") || bindings_.size() >= kMaxBindings) continue;
    if (attribute.name.size() == 5) {
      bindings_.push_back({.prefix = {}, .uri = TrimAsciiSpace(attribute.value)});
    } else if (attribute.name[5] == ':') {
      bindings_.push_back({.prefix = attribute.name.substr(6), .uri = TrimAsciiSpace(attribute.value)});
    }
  }
  element.uri = Resolve(name.substr(0, element.prefix_size));
  open_.push_back(element);
  current_ = element;
}

void XmlScanner::Close() {
  current_ = open_.back();
  bindings_.resize(current_.bindings_before);
  open_.pop_back();
}

std::string_view XmlScanner::Resolve(std::string_view prefix) const {
  for (size_t i = bindings_.size(); i-- > 0;) {
    if (bindings_[i].prefix == prefix) return bindings_[i].uri;
  }
  if (prefix.empty()) return {};
  for (const UsualPrefix& usual : kUsualPrefixes) {
    if (usual.prefix == prefix) return usual.uri;
  }
  return {};
}

bool XmlScanner::ReadEndTag() {
  pos_ += 2;
  const size_t start = pos_;
  while (pos_ < input_.size() && input_[pos_] != '>' && input_[pos_] != '<') pos_++;
  const std::string_view name = TrimAsciiSpace(input_.substr(start, pos_ - start));
  if (pos_ < input_.size() && input_[pos_] == '>') pos_++;
  if (too_deep_ > 0) {
    too_deep_--;
    return false;
  }
  for (size_t i = open_.size(); i-- > 0;) {
    if (open_[i].name != name && !EqualsIgnoringCase(open_[i].name, name)) continue;
    closes_due_ = open_.size() - i - 1;
    Close();
    self_closing_ = false;
    return true;
  }
  return false;
}

std::optional<std::string> XmlScanner::Attribute(std::string_view local_name, std::string_view uri) const {
  for (const RawAttribute& attribute : attributes_) {
    const size_t prefix_size = PrefixSize(attribute.name);
    const std::string_view local = attribute.name.substr(prefix_size == 0 ? 0 : prefix_size + 1);
    if (!EqualsIgnoringCase(local, local_name) || (prefix_size == 0) != uri.empty()) continue;
    if (!uri.empty() && Resolve(attribute.name.substr(0, prefix_size)) != uri) continue;
    std::string value;
    AppendDecoded(attribute.value, &value);
    if (!IsPlain(value, false)) RemoveControls(&value);
    return value;
  }
  return std::nullopt;
}

void XmlScanner::ReadDoctype() {
  doctype_seen_ = true;
  const size_t start = pos_;
  pos_ += 9;
  if (ReadDoctypeParts()) return;
  pos_ = start;
  SkipPast(">");
}

// Moves past the DOCTYPE's '>'; returns false if there is none.
bool XmlScanner::ReadDoctypeParts() {
  bool in_subset = false;
  while (pos_ < input_.size()) {
    const char c = input_[pos_];
    if (c == '"' || c == '\'') {
      const size_t end = input_.find(c, pos_ + 1);
      if (end == std::string_view::npos) return false;
      pos_ = end;
    } else if (c == '[') {
      in_subset = true;
    } else if (c == ']') {
      in_subset = false;
    } else if (c == '>' && !in_subset) {
      pos_++;
      return true;
    } else if (c == '<' && !in_subset) {
      return true;
    } else if (c == '<' && StartsWith("<!--")) {
      const size_t end = input_.find("-->", pos_);
      if (end == std::string_view::npos) return false;
      pos_ = end + 2;
    } else if (c == '<' && StartsWith("<!ENTITY")) {
      ReadEntityDeclaration(input_.substr(pos_ + 8));
      pos_ += 7;
    }
    pos_++;
  }
  return false;
}

// Reads `NAME "VALUE"`; ignores parameter entities and external ones.
void XmlScanner::ReadEntityDeclaration(std::string_view declaration) {
  size_t i = 0;
  const auto skip_spaces = [&] {
    while (i < declaration.size() && IsAsciiSpace(declaration[i])) i++;
  };
  skip_spaces();
  const size_t name_start = i;
  while (i < declaration.size() && !EndsName(declaration[i])) i++;
  const std::string_view name = declaration.substr(name_start, i - name_start);
  skip_spaces();
  if (name.empty() || i >= declaration.size() || (declaration[i] != '"' && declaration[i] != '\'')) return;
  const std::string_view bounded = declaration.substr(i + 1, kMaxEntityBytes);
  const size_t end = bounded.find(declaration[i]);
  if (end == std::string_view::npos || entities_.size() >= kMaxEntities || entities_.contains(name)) return;
  std::string value;
  AppendWithoutReferences(bounded.substr(0, end), &value);
  entities_.emplace(name, std::move(value));
}

std::string_view XmlDeclaredEncoding(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  bytes = bytes.substr(0, 1024);
  while (!bytes.empty() && IsAsciiSpace(bytes.front())) bytes.remove_prefix(1);
  if (!bytes.starts_with("<?xml")) return {};
  bytes = bytes.substr(0, bytes.find("?>"));
  size_t at = bytes.find("encoding");
  if (at == std::string_view::npos) return {};
  bytes = TrimAsciiSpace(bytes.substr(at + 8));
  if (!bytes.starts_with("=")) return {};
  bytes = TrimAsciiSpace(bytes.substr(1));
  if (bytes.empty() || (bytes.front() != '"' && bytes.front() != '\'')) return {};
  const size_t end = bytes.find(bytes.front(), 1);
  return end == std::string_view::npos ? std::string_view() : TrimAsciiSpace(bytes.substr(1, end - 1));
}

}  // namespace crivello::web
