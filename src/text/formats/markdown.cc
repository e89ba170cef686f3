// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ascii.h"
#include "html/entities.h"
#include "text/formats/document_builder.h"
#include "text/formats/plain_text.h"

namespace crivello::text {
namespace {

// How far to search for the end of an inline mark; without one it is ordinary text.
constexpr size_t kReach = 2048;
constexpr int kMaxNesting = 8;  // of brackets

std::string Lower(std::string_view label) { return ToAsciiLower(Collapsed(label)); }

bool IsPunctuation(char c) { return c > ' ' && c < '\x7F' && !IsAsciiAlnum(c); }

size_t Indent(std::string_view line) {
  size_t columns = 0;
  for (const char c : line) {
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += 4;
    } else {
      break;
    }
  }
  return columns;
}

// "---", "* * *": a rule, which separates blocks.
bool IsRule(std::string_view line) {
  size_t marks = 0;
  char mark = 0;
  for (const char c : line) {
    if (IsAsciiSpace(c)) continue;
    if (mark == 0) mark = c;
    if (c != mark || (c != '-' && c != '*' && c != '_')) return false;
    ++marks;
  }
  return marks >= 3;
}

// The length of a list item's mark and the space after it; 0 if there is none.
size_t ItemMark(std::string_view line) {
  if (line.size() >= 2 && (line[0] == '-' || line[0] == '*' || line[0] == '+') && IsAsciiSpace(line[1]))
    return 2;
  size_t digits = 0;
  while (digits < line.size() && digits < 9 && IsAsciiDigit(line[digits])) ++digits;
  if (digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
      IsAsciiSpace(line[digits + 1])) {
    return digits + 2;
  }
  return 0;
}

// ":---|---:", the line below a table's head.
bool IsTableRule(std::string_view line) {
  bool dash = false;
  bool bar = false;
  for (const char c : line) {
    if (c != '|' && c != '-' && c != ':' && !IsAsciiSpace(c)) return false;
    dash |= c == '-';
    bar |= c == '|';
  }
  return dash && bar;
}

class MarkdownReader {
 public:
  MarkdownReader(std::string_view text, size_t max_text_bytes) : to_(max_text_bytes) {
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      lines_.push_back(line);
      at = end + 1;
    }
  }

  Document Read() {
    size_t i = FrontMatter();
    for (size_t k = i; k < lines_.size(); ++k) Definition(lines_[k]);
    for (; i < lines_.size() && !to_.full(); ++i) i = Line(i);
    Paragraph();
    return to_.Finish();
  }

 private:
  struct Target {
    std::string_view label;
    std::string_view href;
  };

  // Reads "---", keys and values, "---": the title, author and language.
  size_t FrontMatter() {
    if (lines_.empty() || lines_[0] != "---") return 0;
    for (size_t i = 1; i < lines_.size() && i < 200; ++i) {
      if (lines_[i] == "---" || lines_[i] == "...") return i + 1;
      const size_t colon = lines_[i].find(':');
      if (colon == std::string_view::npos) continue;
      const std::string key = ToAsciiLower(TrimAsciiSpace(lines_[i].substr(0, colon)));
      std::string_view value = TrimAsciiSpace(lines_[i].substr(colon + 1));
      if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
          value.back() == value.front()) {
        value = value.substr(1, value.size() - 2);
      }
      Document& document = to_.document();
      if (key == "title") document.title = Collapsed(value);
      if (key == "author") document.author = Collapsed(value);
      if (key == "lang" || key == "language") document.language = Collapsed(value);
    }
    to_.document() = Document();
    return 0;
  }

  // "[label]: href"
  static bool ParseDefinition(std::string_view line, Target* target) {
    line = TrimAsciiSpace(line);
    if (line.size() < 4 || line[0] != '[' || line[1] == '^') return false;
    const size_t close = line.find("]:");
    if (close == std::string_view::npos || close < 2) return false;
    target->label = line.substr(1, close - 1);
    std::string_view href = TrimAsciiSpace(line.substr(close + 2));
    href = href.substr(0, href.find_first_of(" \t"));
    if (href.size() >= 2 && href.front() == '<' && href.back() == '>') href = href.substr(1, href.size() - 2);
    target->href = href;
    return !href.empty();
  }
  void Definition(std::string_view line) {
    Target target;
    if (ParseDefinition(line, &target)) targets_.emplace(Lower(target.label), target.href);
  }

  // Processes a line and the lines that belong to it; returns the last one processed.
  size_t Line(size_t i) {
    std::string_view line = lines_[i];
    const std::string_view trimmed = TrimAsciiSpace(line);
    if (trimmed.empty()) {
      Paragraph();
      return i;
    }
    if (trimmed.starts_with("```") || trimmed.starts_with("~~~")) return Fenced(i);
    if (Indent(line) >= 4 && paragraph_.empty() && items_ == 0) return Indented(i);
    Target unused;
    if (paragraph_.empty() && ParseDefinition(line, &unused)) return i;
    if (const size_t level = HeadingLevel(trimmed); level > 0) {
      Paragraph();
      Heading(static_cast<uint8_t>(level), trimmed.substr(level));
      return i;
    }
    // A line of = or - below a paragraph turns it into a heading.
    if (!paragraph_.empty() && items_ == 0 && quotes_ == 0 &&
        (trimmed.find_first_not_of('=') == std::string_view::npos ||
         trimmed.find_first_not_of('-') == std::string_view::npos)) {
      const std::string text = std::move(paragraph_);
      paragraph_.clear();
      Heading(trimmed[0] == '=' ? 1 : 2, text);
      return i;
    }
    if (IsRule(trimmed)) {
      Paragraph();
      return i;
    }
    if (i + 1 < lines_.size() && trimmed.find('|') != std::string_view::npos && IsTableRule(lines_[i + 1])) {
      return Table(i);
    }
    Text(line);
    return i;
  }

  static size_t HeadingLevel(std::string_view line) {
    size_t level = 0;
    while (level < line.size() && line[level] == '#') ++level;
    const bool marks = level >= 1 && level <= 6 && (level == line.size() || IsAsciiSpace(line[level]));
    return marks ? level : 0;
  }

  // Adds a line to a paragraph, which may be in a quotation or a list.
  void Text(std::string_view line) {
    size_t quotes = 0;
    std::string_view rest = line;
    for (std::string_view inner = TrimAsciiSpace(rest); inner.starts_with(">") && quotes < 255;) {
      ++quotes;
      inner.remove_prefix(1);
      rest = inner = TrimAsciiSpace(inner);
    }
    const size_t indent = Indent(rest);
    rest = TrimAsciiSpace(rest);
    const size_t mark = ItemMark(rest);
    if (quotes != quotes_ && (quotes > 0 || mark > 0)) Paragraph();
    if (quotes > 0) quotes_ = quotes;
    if (mark > 0) {
      Paragraph();
      quotes_ = quotes;
      items_ = std::min<size_t>(indent / 2 + 1, 255);
      rest = TrimAsciiSpace(rest.substr(mark));
      for (const std::string_view box : {"[ ] ", "[x] ", "[X] "}) {
        if (rest.starts_with(box)) rest.remove_prefix(box.size());
      }
    }
    if (!paragraph_.empty()) paragraph_ += ' ';
    paragraph_ += rest;
  }

  void Paragraph() {
    if (!paragraph_.empty()) {
      const BlockKind kind = items_ > 0    ? BlockKind::kListItem
                             : quotes_ > 0 ? BlockKind::kQuote
                                           : BlockKind::kParagraph;
      to_.Open(kind, {.level = static_cast<uint8_t>(std::max(items_, items_ > 0 ? 0 : quotes_))});
      Inline(paragraph_);
      to_.Close();
      paragraph_.clear();
    }
    items_ = quotes_ = 0;
  }

  void Heading(uint8_t level, std::string_view text) {
    text = TrimAsciiSpace(text);
    const size_t last = text.find_last_not_of('#');
    if (last != std::string_view::npos && last + 1 < text.size() && text[last] == ' ')
      text = text.substr(0, last);
    to_.Open(BlockKind::kHeading, {.level = level});
    Inline(text);
    to_.Close();
    Document& document = to_.document();
    if (document.title.empty() && level == 1 && !document.blocks.empty())
      document.title = document.blocks.back().text;
  }

  size_t Fenced(size_t i) {
    Paragraph();
    const std::string_view fence = TrimAsciiSpace(lines_[i]).substr(0, 3);
    to_.Open(BlockKind::kCode, {});
    for (++i; i < lines_.size() && !TrimAsciiSpace(lines_[i]).starts_with(fence); ++i) {
      to_.Text(lines_[i]);
      to_.Line();
    }
    to_.Close();
    return i;
  }

  size_t Indented(size_t i) {
    to_.Open(BlockKind::kCode, {});
    for (; i < lines_.size() && (Indent(lines_[i]) >= 4 || TrimAsciiSpace(lines_[i]).empty()); ++i) {
      to_.Text(lines_[i].substr(
          std::min(lines_[i].find_first_not_of(" \t"), std::min<size_t>(4, lines_[i].size()))));
      to_.Line();
    }
    to_.Close();
    return i - 1;
  }

  size_t Table(size_t i) {
    Paragraph();
    const size_t rule = i + 1;
    for (; i < lines_.size() && lines_[i].find('|') != std::string_view::npos && !to_.full(); ++i) {
      if (i == rule) continue;
      std::string_view row = TrimAsciiSpace(lines_[i]);
      if (row.starts_with("|")) row.remove_prefix(1);
      if (row.ends_with("|")) row.remove_suffix(1);
      to_.Open(BlockKind::kTable, {});
      for (;;) {
        const size_t bar = std::min(row.find('|'), row.size());
        Inline(TrimAsciiSpace(row.substr(0, bar)));
        if (bar == row.size()) break;
        to_.Cell();
        row.remove_prefix(bar + 1);
      }
      to_.Close();
    }
    return i - 1;
  }

  // Writes a text without its inline marks; links become links.
  void Inline(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
      const size_t mark = std::min(text.find_first_of("\\`*_[!<&", i), text.size());
      to_.Text(text.substr(i, mark - i));
      i = mark;
      if (i < text.size()) i = Mark(text, i);
    }
  }

  // Processes what begins at a mark; returns where to continue.
  size_t Mark(std::string_view text, size_t i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && IsPunctuation(text[i + 1])) {
      to_.Text(text.substr(i + 1, 1));
      return i + 2;
    }
    if (c == '`') return Code(text, i);
    if (c == '&') {
      const auto reference = html::MatchCharacterReference(text.substr(i + 1, 64), false, true);
      if (reference.size > 0) {
        to_.Text(reference.value());
        return i + 1 + reference.size;
      }
    }
    if (c == '<') return Angle(text, i);
    if (c == '[') return Link(text, i, i + 1);
    if (c == '!' && i + 1 < text.size() && text[i + 1] == '[') return Link(text, i, i + 2);
    if (c == '*' || (c == '_' && !InsideWord(text, i))) return i + 1;
    to_.Text(text.substr(i, 1));
    return i + 1;
  }

  static bool InsideWord(std::string_view text, size_t i) {
    const auto is_word = [](char c) {
      return IsAsciiAlnum(c) || c == '_' || static_cast<uint8_t>(c) >= 0x80;
    };
    return i > 0 && i + 1 < text.size() && is_word(text[i - 1]) && is_word(text[i + 1]);
  }

  size_t Code(std::string_view text, size_t i) {
    size_t ticks = 0;
    while (i + ticks < text.size() && text[i + ticks] == '`') ++ticks;
    const std::string_view fence = text.substr(i, ticks);
    const size_t close = text.substr(0, std::min(text.size(), i + kReach)).find(fence, i + ticks);
    if (close == std::string_view::npos) {
      to_.Text(fence);
      return i + ticks;
    }
    to_.Text(text.substr(i + ticks, close - i - ticks));
    return close + ticks;
  }

  // "<https://...>" is a link; "<b>" is markup and is dropped.
  size_t Angle(std::string_view text, size_t i) {
    const size_t close = text.substr(0, std::min(text.size(), i + kReach)).find('>', i);
    if (close == std::string_view::npos || i + 1 >= text.size() ||
        !(IsAsciiAlpha(text[i + 1]) || text[i + 1] == '/' || text[i + 1] == '!')) {
      to_.Text("<");
      return i + 1;
    }
    const std::string_view inner = text.substr(i + 1, close - i - 1);
    if (inner.find(' ') == std::string_view::npos &&
        (inner.find("://") != std::string_view::npos || inner.find('@') != std::string_view::npos)) {
      to_.BeginLink(inner);
      to_.Text(inner);
      to_.EndLink();
    }
    return close + 1;
  }

  // "[text](href)", "[text][label]", "[label]"; the text of a picture is its description.
  size_t Link(std::string_view text, size_t whole, size_t begin) {
    const size_t limit = std::min(text.size(), begin + kReach);
    size_t close = begin;
    for (int depth = 1; close < limit; ++close) {
      if (text[close] == '[' && ++depth > kMaxNesting) close = limit;
      if (close >= limit) break;
      if (text[close] == ']' && --depth == 0) break;
    }
    if (close >= limit || nesting_ >= kMaxNesting) {
      to_.Text(text.substr(whole, begin - whole));
      return begin;
    }
    const std::string_view label = text.substr(begin, close - begin);
    std::string_view href;
    size_t next = close + 1;
    if (next < text.size() && text[next] == '(') {
      const size_t end = text.substr(0, std::min(text.size(), next + kReach)).find(')', next);
      if (end != std::string_view::npos) {
        href = TrimAsciiSpace(text.substr(next + 1, end - next - 1));
        href = href.substr(0, href.find_first_of(" \t"));
        next = end + 1;
      }
    } else {
      std::string_view name = label;
      if (next < text.size() && text[next] == '[') {
        const size_t end = text.substr(0, std::min(text.size(), next + kReach)).find(']', next);
        if (end != std::string_view::npos) {
          if (end > next + 1) name = text.substr(next + 1, end - next - 1);
          next = end + 1;
        }
      }
      const auto found = targets_.find(Lower(name));
      if (found != targets_.end()) {
        href = found->second;
      } else {
        next = close + 1;
      }
    }
    const bool picture = begin == whole + 2;
    if (!picture && !href.empty()) to_.BeginLink(href);
    ++nesting_;
    Inline(label);
    --nesting_;
    if (!picture) to_.EndLink();
    return next;
  }

  std::vector<std::string_view> lines_;
  DocumentBuilder to_;
  std::unordered_map<std::string, std::string_view> targets_;
  std::string paragraph_;
  size_t items_ = 0;
  size_t quotes_ = 0;
  int nesting_ = 0;
};

}  // namespace

Document ConvertMarkdown(std::string_view utf8, size_t max_text_bytes) {
  if (utf8.starts_with("\xEF\xBB\xBF")) utf8.remove_prefix(3);
  return MarkdownReader(utf8, max_text_bytes).Read();
}

}  // namespace crivello::text
