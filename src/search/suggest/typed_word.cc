// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/typed_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "search/query/date_filter.h"
#include "web/url/canonical.h"

namespace crivello::search {
namespace {

// The characters of a word without the backslashes, and which of them are taken as they are.
struct Characters {
  std::string text;
  std::vector<bool> escaped;

  size_t size() const { return text.size(); }
  bool Is(size_t i, char c) const { return text[i] == c && !escaped[i]; }
  void Cut(size_t size) {
    text.resize(size);
    escaped.resize(size);
  }
  void CutFront(size_t count) {
    text.erase(0, count);
    escaped.erase(escaped.begin(), escaped.begin() + static_cast<ptrdiff_t>(count));
  }
};

Characters Unescaped(std::string_view word) {
  Characters out;
  for (size_t i = 0; i < word.size(); i++) {
    const bool escape = word[i] == '\\' && i + 1 < word.size();
    if (escape) i++;
    out.text += word[i];
    out.escaped.push_back(escape);
  }
  return out;
}

bool IsLetter(char c) { return IsAsciiAlnum(c) || (c & 0x80) != 0; }

// Takes the boost off the end.
float TakeBoost(Characters* word) {
  for (size_t i = word->size(); i-- > 1;) {
    if (!word->Is(i, '^')) continue;
    const std::optional<float> boost = ReadBoostNumber(std::string_view(word->text).substr(i + 1));
    if (!boost) return 1;
    word->Cut(i);
    return BoundedBoost(*boost);
  }
  return 1;
}

// Takes ~, ~1 or ~2 off the end: the number of edits, or 0.
uint8_t TakeEdits(Characters* word) {
  const size_t size = word->size();
  if (size > 1 && word->Is(size - 1, '~')) {
    word->Cut(size - 1);
    return 1;
  }
  if (size > 2 && word->Is(size - 2, '~') && (word->text[size - 1] == '1' || word->text[size - 1] == '2')) {
    const auto edits = static_cast<uint8_t>(word->text[size - 1] - '0');
    word->Cut(size - 2);
    return edits;
  }
  return 0;
}

// The pattern of a word with wildcards; empty if it has none.  A question mark is one only inside of a word:
// people end questions with it.  Addresses have them as well and mean something else.
std::string PatternOf(const Characters& word) {
  if (word.text.find_first_of(":/=&@") != std::string::npos) return "";
  bool wild = false;
  bool letters = false;
  std::string pattern;
  for (size_t i = 0; i < word.size(); i++) {
    const char c = word.text[i];
    if (word.Is(i, '*')) {
      wild = true;
      if (!pattern.ends_with('*')) pattern += '*';
    } else if (c == '*') {
      continue;
    } else if (c == '?') {
      const bool inside = !word.escaped[i] && i + 1 < word.size() && IsLetter(word.text[i + 1]);
      wild |= inside;
      if (inside) pattern += '?';
    } else {
      letters |= IsLetter(c);
      pattern += c;
    }
  }
  const auto is_edge = [](char c) { return !IsLetter(c) && c != '*' && c != '?'; };
  while (!pattern.empty() && is_edge(pattern.back())) pattern.pop_back();
  pattern.erase(
      0, static_cast<size_t>(std::find_if_not(pattern.begin(), pattern.end(), is_edge) - pattern.begin()));
  return wild && letters ? pattern : "";
}

bool IsAllStars(const Characters& word) {
  for (size_t i = 0; i < word.size(); i++) {
    if (!word.Is(i, '*')) return false;
  }
  return word.size() > 0;
}

// As indexes have it; a name without scheme is taken for one of https.
std::string CanonicalLink(std::string_view value) {
  for (const std::string_view scheme : {"", "https://"}) {
    const auto url = web::CanonicalUrl(std::string(scheme) + std::string(value));
    if (url.ok()) return url->href();
  }
  return std::string(value);
}

}  // namespace

size_t QuoteAt(std::string_view text) {
  if (text.starts_with('"')) return 1;
  for (const std::string_view quote : {"“", "”", "„", "«", "»"}) {
    if (text.starts_with(quote)) return quote.size();
  }
  return 0;
}

std::optional<float> ReadBoostNumber(std::string_view text) {
  if (text.empty() || text.size() > 12 || text.find_first_not_of("0123456789.") != std::string_view::npos) {
    return std::nullopt;
  }
  float boost = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), boost);
  if (error != std::errc() || end != text.data() + text.size() || !(boost > 0)) return std::nullopt;
  return boost;
}

float BoundedBoost(float boost) { return std::clamp(boost, 0.01f, 100.0f); }

Query ReadFilter(std::string_view field, std::string_view value) {
  Query filter;
  filter.field = field;
  if (field == "date") {
    const std::optional<DateInterval> interval = ReadDateFilter(value);
    if (!interval) return {};
    filter.kind = Query::Kind::kDate;
    filter.text = value;
    filter.from = interval->from;
    filter.until = interval->until;
    return filter;
  }
  if (value.empty()) return {};
  filter.kind = Query::Kind::kWord;
  filter.text = field == "links" ? CanonicalLink(value) : ToAsciiLower(value);
  return filter;
}

TypedWord ReadTypedWord(std::string_view typed, std::string_view field) {
  Characters word = Unescaped(typed);
  TypedWord out;
  Query& leaf = out.leaf;
  const size_t colon = word.text.find(':');
  if (colon != std::string::npos && colon > 0 && word.Is(colon, ':')) {
    const std::string name = ToAsciiLower(word.text.substr(0, colon));
    const std::string_view known = CanonicalField(name);
    if (!known.empty() && colon + 1 < word.size()) {
      field = known;
      word.CutFront(colon + 1);
    } else if (field.empty() && std::all_of(name.begin(), name.end(), IsAsciiAlpha) &&
               word.text.compare(colon, 3, "://") != 0) {
      out.complaint =
          known.empty() ? fmt::format("unknown field '{}'", name) : "missing word after the field";
      out.is_bad_filter = !known.empty() && IsFilterField(known);
    }
  }
  const float boost = TakeBoost(&word);
  if (IsFilterField(field)) {
    leaf = ReadFilter(field, word.text);
    if (leaf.kind == Query::Kind::kNothing) {
      out.complaint = fmt::format("invalid value '{}' for {}:", word.text, field);
      out.is_bad_filter = field == "date";
      leaf.kind = Query::Kind::kWord;
      leaf.text = std::string(word.text);
    }
    leaf.boost = boost;
    return out;
  }
  leaf.field = field;
  leaf.boost = boost;
  if (IsAllStars(word)) {
    leaf.kind = Query::Kind::kAll;
    leaf.field.clear();
    return out;
  }
  leaf.edits = TakeEdits(&word);
  leaf.kind = leaf.edits > 0 ? Query::Kind::kFuzzy : Query::Kind::kWord;
  leaf.text = word.text;
  if (leaf.kind == Query::Kind::kFuzzy) return out;
  std::string pattern = PatternOf(word);
  if (!pattern.empty()) {
    leaf.kind = Query::Kind::kWildcard;
    leaf.text = std::move(pattern);
  } else if (leaf.text.empty()) {
    leaf = {};
  }
  return out;
}

}  // namespace crivello::search
