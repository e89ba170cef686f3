// SPDX-License-Identifier: Apache-2.0
#include "search/query/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "search/suggest/typed_word.h"

namespace crivello::search {
namespace {

struct FieldName {
  std::string_view name;
  std::string_view field;
};
constexpr std::array<FieldName, 14> kFields = {{{"title", "title"},
                                                {"headings", "headings"},
                                                {"intitle", "title"},
                                                {"body", "body"},
                                                {"rest", "rest"},
                                                {"url", "url"},
                                                {"inurl", "url"},
                                                {"anchor", "anchor"},
                                                {"inanchor", "anchor"},
                                                {"site", "site"},
                                                {"lang", "lang"},
                                                {"type", "type"},
                                                {"links", "links"},
                                                {"date", "date"}}};

// Everything that could be syntax escaped: all but letters, digits and what continues a character.
std::string FullyEscaped(std::string_view text, bool wildcards) {
  std::string out;
  for (const char c : text) {
    const bool continues = (c & 0xc0) == 0x80;
    const bool wild = wildcards && (c == '*' || c == '?');
    if (!continues && !wild && !IsAsciiAlnum(c)) out += '\\';
    out += c;
  }
  return out;
}

// A word as it is, if that reads as the same word; else escaped.
std::string PrintedWord(const Query& word) {
  Query plain;
  plain.kind = word.kind;
  plain.edits = word.edits;
  plain.text = word.text;
  std::string suffix;
  if (word.kind == Query::Kind::kFuzzy) suffix = word.edits == 1 ? "~" : fmt::format("~{}", word.edits);
  if (word.text.find('\\') == std::string::npos && ParseQuery(word.text + suffix).query == plain)
    return word.text + suffix;
  const bool is_operator = word.text == "AND" || word.text == "OR" || word.text == "NOT";
  return (is_operator ? "\\" : "") + FullyEscaped(word.text, word.kind == Query::Kind::kWildcard) + suffix;
}

std::string PrintedPhrase(const Query& phrase) {
  std::string out = "\"";
  for (size_t i = 0; i < phrase.text.size(); i++) {
    if (phrase.text[i] == '\\' || QuoteAt(std::string_view(phrase.text).substr(i)) > 0) out += '\\';
    out += phrase.text[i];
  }
  out += '"';
  if (!phrase.ordered) {
    out += fmt::format("~{}", phrase.slop);
  } else if (phrase.slop > 0) {
    out += fmt::format("~>{}", phrase.slop);
  }
  return out;
}

std::string Printed(const Query& query);

std::string PrintedChildren(const Query& query) {
  std::string out;
  bool after_filter = false;
  for (const Query& child : query.children) {
    // Without an OR beside it a filter would be required.
    const bool filter = child.occur == Query::Occur::kOptional && IsFilter(child);
    if (!out.empty()) out += filter || after_filter ? " OR " : " ";
    after_filter = filter;
    if (child.occur == Query::Occur::kRequired) out += '+';
    if (child.occur == Query::Occur::kExcluded) out += '-';
    // A tree in a tree has no boost of 1 and all optional, or it would be part of its parent.
    out +=
        child.kind == Query::Kind::kBoolean && child.boost == 1 ? '(' + Printed(child) + ')' : Printed(child);
  }
  return out;
}

std::string Unboosted(const Query& query) {
  switch (query.kind) {
    case Query::Kind::kNothing:
      return "";
    case Query::Kind::kAll:
      return "*";
    case Query::Kind::kText:
      return query.text;
    case Query::Kind::kWord:
    case Query::Kind::kWildcard:
    case Query::Kind::kFuzzy:
      return PrintedWord(query);
    case Query::Kind::kPhrase:
      return PrintedPhrase(query);
    case Query::Kind::kDate:
      return query.text;
    case Query::Kind::kBoolean:
      return PrintedChildren(query);
  }
  return "";
}

std::string Printed(const Query& query) {
  std::string out = query.field.empty() ? "" : query.field + ':';
  out += Unboosted(query);
  if (query.boost == 1) return out;
  if (query.kind == Query::Kind::kBoolean) out = '(' + out + ')';
  return out + fmt::format("^{}", query.boost);
}

}  // namespace

std::string Query::ToString() const { return Printed(*this); }

std::string_view CanonicalField(std::string_view name) {
  for (const FieldName& f : kFields) {
    if (f.name == name) return f.field;
  }
  return "";
}

bool IsFilterField(std::string_view field) {
  return field == "site" || field == "lang" || field == "type" || field == "links" || field == "date";
}

bool IsFilter(const Query& query) {
  if (query.kind != Query::Kind::kBoolean) return IsFilterField(query.field);
  return std::all_of(query.children.begin(), query.children.end(), IsFilter);
}

}  // namespace crivello::search
