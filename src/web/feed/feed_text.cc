// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "html/entities.h"
#include "web/feed/feed_internal.h"
#include "web/feed/xml_entities.h"
#include "web/url/url.h"

namespace crivello::web {
namespace internal {

bool LooksLikeMarkup(std::string_view text) {
  // A '<' counts only if a '>' follows somewhere, so it is enough to know the last '>'.
  const size_t last_close = text.rfind('>');
  for (size_t i = text.find_first_of("<&"); i != std::string_view::npos;
       i = text.find_first_of("<&", i + 1)) {
    if (text[i] == '&') {
      std::string_view name;
      uint32_t code_point = 0;
      const size_t length = MeasureReference(text.substr(i), &name, &code_point);
      if (length == 0) continue;
      if (name.empty() || !html::FindEntity(text.substr(i + 1, length - 1)).empty()) return true;
    } else if (last_close != std::string_view::npos && i < last_close) {
      const char next = text[i + 1];
      if (IsAsciiAlpha(next) || next == '!' || next == '/') return true;
    }
  }
  return false;
}

namespace {

constexpr std::array<int8_t, 256> MakeBase64Values() {
  std::array<int8_t, 256> values{};
  for (auto& value : values) value = -1;
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < kAlphabet.size(); i++)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr std::array<int8_t, 256> kBase64Values = MakeBase64Values();

// Whether this is well-formed UTF-8 without control characters that texts never have.
bool IsText(std::string_view s) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && !IsAsciiSpace(c); };
  return std::none_of(s.begin(), s.end(), control) && charset::IsValidUtf8(s);
}

}  // namespace

bool DecodeBase64Text(std::string_view base64, std::string* out) {
  std::string decoded;
  decoded.reserve(base64.size() / 4 * 3);
  uint32_t bits = 0;
  size_t symbols = 0;
  size_t padding = 0;
  for (const char c : base64) {
    if (IsAsciiSpace(c)) continue;
    if (c == '=') {
      padding++;
      continue;
    }
    const int8_t value = kBase64Values[static_cast<unsigned char>(c)];
    if (value < 0 || padding > 0) return false;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++symbols % 4 != 0) continue;
    decoded.push_back(static_cast<char>(bits >> 16));
    decoded.push_back(static_cast<char>(bits >> 8));
    decoded.push_back(static_cast<char>(bits));
    bits = 0;
  }
  if (symbols == 0 || symbols % 4 == 1 || padding > 2 || (symbols + padding) % 4 != 0) return false;
  if (symbols % 4 >= 2) decoded.push_back(static_cast<char>(symbols % 4 == 2 ? bits >> 4 : bits >> 10));
  if (symbols % 4 == 3) decoded.push_back(static_cast<char>(bits >> 2));
  if (!IsText(decoded)) return false;
  *out = std::move(decoded);
  return true;
}

FeedPerson ParsePerson(std::string_view text) {
  text = TrimAsciiSpace(text);
  const auto is_email = [](std::string_view s) {
    return s.find('@') != std::string_view::npos && s.find_first_of(" \t\n") == std::string_view::npos;
  };
  if (text.starts_with("mailto:")) text.remove_prefix(7);
  const size_t open = text.find_first_of("(<");
  if (open == std::string_view::npos) {
    return is_email(text) ? FeedPerson{.name = {}, .email = std::string(text), .uri = {}}
                          : FeedPerson{.name = std::string(text), .email = {}, .uri = {}};
  }
  const char close = text[open] == '(' ? ')' : '>';
  const std::string_view before = TrimAsciiSpace(text.substr(0, open));
  const std::string_view within = TrimAsciiSpace(text.substr(open + 1, text.find(close, open) - open - 1));
  if (is_email(within)) return {.name = std::string(before), .email = std::string(within), .uri = {}};
  if (is_email(before)) return {.name = std::string(within), .email = std::string(before), .uri = {}};
  return {.name = std::string(text), .email = {}, .uri = {}};
}

std::string ResolveLink(std::string_view base, std::string_view reference) {
  reference = TrimAsciiSpace(reference);
  if (reference.empty()) return {};
  Url base_url, url;
  const bool has_base = !base.empty() && base_url.Parse(base);
  return url.Parse(reference, has_base ? &base_url : nullptr) ? std::move(url).href()
                                                              : std::string(reference);
}

}  // namespace internal

namespace {

constexpr std::string_view kInline[] = {"a",      "abbr", "acronym", "b",    "big",   "cite", "code",
                                        "del",    "dfn",  "em",      "font", "i",     "ins",  "kbd",
                                        "mark",   "q",    "s",       "samp", "small", "span", "strike",
                                        "strong", "sub",  "sup",     "time", "tt",    "u",    "var"};

bool IsInline(std::string_view name) {
  return std::binary_search(std::begin(kInline), std::end(kInline), name);
}

// Appends text with its white space collapsed to single spaces, without leading white space.
void AppendCollapsed(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (!IsAsciiSpace(c)) {
      out->push_back(c);
    } else if (!out->empty() && out->back() != ' ') {
      out->push_back(' ');
    }
  }
}

// The name in a tag, in lower case and without '/': "p" in "/P class=x".
std::string TagName(std::string_view tag) {
  if (tag.starts_with("/")) tag.remove_prefix(1);
  size_t end = 0;
  while (end < tag.size() && end < 16 && !IsAsciiSpace(tag[end]) && tag[end] != '/') end++;
  return ToAsciiLower(tag.substr(0, end));
}

// Walks the pieces of a fragment. Each search covers only text that is then skipped, so it is linear.
class MarkupStripper {
 public:
  explicit MarkupStripper(std::string_view html) : html_(html) {}

  std::string Strip() {
    while (at_ < html_.size()) {
      size_t open = html_.find('<', at_);
      while (open != std::string_view::npos && !StartsTag(open)) open = html_.find('<', open + 1);
      AddText(html_.substr(at_, open - at_));
      if (open == std::string_view::npos) break;
      at_ = open;
      if (html_.substr(at_).starts_with("<!--")) {
        const size_t end = html_.find("-->", at_ + 4);
        at_ = end == std::string_view::npos ? html_.size() : end + 3;
      } else {
        SkipTag();
      }
    }
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    return std::move(out_);
  }

 private:
  bool StartsTag(size_t open) const {
    const char next = open + 1 < html_.size() ? html_[open + 1] : '\0';
    return IsAsciiAlpha(next) || next == '/' || next == '!' || next == '?';
  }

  void AddText(std::string_view raw) {
    scratch_.clear();
    AppendWithoutReferences(raw, &scratch_);
    AppendCollapsed(scratch_, &out_);
  }

  // Advances to the end tag "</name", or to the end.
  void SkipToEndTag(std::string_view name) {
    for (at_ = html_.find("</", at_); at_ != std::string_view::npos; at_ = html_.find("</", at_ + 2)) {
      if (ToAsciiLower(html_.substr(at_ + 2, name.size())) == name) return;
    }
    at_ = html_.size();
  }

  void SkipTag() {
    const size_t start = at_ + 1;
    char quote = 0;
    size_t end = start;
    for (; end < html_.size(); end++) {
      const char c = html_[end];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '>') {
        break;
      } else if ((c == '"' || c == '\'') && html_[end - 1] == '=') {
        quote = c;
      }
    }
    const std::string name = TagName(html_.substr(start, end - start));
    at_ = std::min(html_.size(), end + 1);
    if (!IsInline(name)) AppendCollapsed(" ", &out_);
    if ((name == "script" || name == "style") && html_[start] != '/') SkipToEndTag(name);
  }

  std::string_view html_;
  size_t at_ = 0;
  std::string scratch_;
  std::string out_;
};

}  // namespace

std::string MarkupToText(std::string_view html) { return MarkupStripper(html).Strip(); }

std::string FeedText::PlainText() const {
  if (type == Type::kHtml || type == Type::kXhtml) return MarkupToText(value);
  std::string text;
  AppendCollapsed(value, &text);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace crivello::web
