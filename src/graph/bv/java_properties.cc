// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/java_properties.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "base/mapped_file.h"

namespace crivello::graph {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

std::string_view SkipBlanks(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && IsBlank(text[at])) at++;
  return text.substr(at);
}

// The next line of the file, without its line end.
std::string_view TakeLine(std::string_view& rest) {
  const size_t end = rest.find_first_of("\r\n");
  const std::string_view line = rest.substr(0, end);
  if (end == std::string_view::npos) {
    rest = {};
  } else {
    const bool two = rest[end] == '\r' && end + 1 < rest.size() && rest[end + 1] == '\n';
    rest.remove_prefix(end + (two ? 2 : 1));
  }
  return line;
}

bool IsContinued(std::string_view line) {
  size_t backslashes = 0;
  while (backslashes < line.size() && line[line.size() - 1 - backslashes] == '\\') backslashes++;
  return backslashes % 2 == 1;
}

// Joins lines where one ends with a backslash; empty for a comment or a blank line.
std::string TakeLogicalLine(std::string_view& rest) {
  std::string_view line = SkipBlanks(TakeLine(rest));
  if (line.empty() || line[0] == '#' || line[0] == '!') return {};
  std::string whole(line);
  while (IsContinued(whole)) {
    whole.pop_back();
    if (rest.empty()) break;
    whole += SkipBlanks(TakeLine(rest));
  }
  return whole;
}

void AppendUtf8(uint32_t c, std::string& to) {
  if (c < 0x80) {
    to += static_cast<char>(c);
  } else if (c < 0x800) {
    to += static_cast<char>(0xc0 | c >> 6);
    to += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    to += static_cast<char>(0xe0 | c >> 12);
    to += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    to += static_cast<char>(0xf0 | c >> 18);
    to += static_cast<char>(0x80 | (c >> 12 & 0x3f));
    to += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (c & 0x3f));
  }
}

// The four hexadecimal digits after \u.
Result<uint32_t> TakeUnit(std::string_view text, size_t& at) {
  uint32_t unit = 0;
  for (int digit = 0; digit < 4; digit++, at++) {
    const char c = at < text.size() ? text[at] : '\0';
    uint32_t value;
    if (c >= '0' && c <= '9') {
      value = static_cast<uint32_t>(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      value = static_cast<uint32_t>((c | 0x20) - 'a') + 10;
    } else {
      return Status::Corruption("malformed \\u escape: expected four hexadecimal digits");
    }
    unit = unit << 4 | value;
  }
  return unit;
}

// The code point that starts at `at`.  A byte that is not UTF-8 is taken as Latin-1, which is Java's encoding
// of these files.
uint32_t TakeCodePoint(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const uint32_t first = byte(at);
  const unsigned more = first >= 0xf8 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  uint32_t c = more == 0 ? first : first & (0x3fu >> more);
  bool valid = true;
  for (unsigned i = 1; i <= more; i++) {
    valid &= (byte(at + i) & 0xc0) == 0x80;
    c = c << 6 | (byte(at + i) & 0x3fu);
  }
  // Rejects overlong forms and halves of surrogate pairs.
  constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  valid &= c >= kLeast[more] && c <= 0x10ffff && (c < 0xd800 || c >= 0xe000);
  at += valid ? 1 + more : 1;
  return valid ? c : first;
}

Result<std::string> Unescape(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    // A backslash before any other character is ignored.
    if (text[at] != '\\' || at + 1 == text.size() || static_cast<uint8_t>(text[at + 1]) >= 0x80) {
      if (text[at] == '\\' && at + 1 < text.size()) at++;
      AppendUtf8(TakeCodePoint(text, at), plain);
      continue;
    }
    const char c = text[at + 1];
    at += 2;
    if (c == 'u') {
      CRV_ASSIGN(uint32_t unit, TakeUnit(text, at));
      if (unit >= 0xd800 && unit < 0xdc00 && text.substr(at, 2) == "\\u") {
        size_t after = at + 2;
        CRV_ASSIGN(const uint32_t low, TakeUnit(text, after));
        if (low >= 0xdc00 && low < 0xe000) {
          unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
          at = after;
        }
      }
      AppendUtf8(unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit, plain);
    } else {
      plain += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'f' ? '\f' : c;
    }
  }
  return plain;
}

void AppendEscaped(std::string_view text, bool is_key, std::string& to) {
  for (size_t at = 0; at < text.size();) {
    const bool first = at == 0;
    const uint32_t c = TakeCodePoint(text, at);
    if (c == ' ' && (is_key || first)) {
      to += "\\ ";
    } else if (c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      to += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\f";
    } else if (c == '=' || c == ':' || c == '#' || c == '!' || c == '\\') {
      to += '\\';
      to += static_cast<char>(c);
    } else if (c >= 0x20 && c <= 0x7e) {
      to += static_cast<char>(c);
    } else if (c < 0x10000) {
      fmt::format_to(std::back_inserter(to), "\\u{:04X}", c);
    } else {
      fmt::format_to(std::back_inserter(to), "\\u{:04X}\\u{:04X}", 0xd800 + ((c - 0x10000) >> 10),
                     0xdc00 + ((c - 0x10000) & 0x3ff));
    }
  }
}

}  // namespace

Result<JavaProperties> ParseJavaProperties(std::string_view text) {
  JavaProperties properties;
  while (!text.empty()) {
    const std::string line = TakeLogicalLine(text);
    if (line.empty()) continue;
    size_t key_end = 0;
    while (key_end < line.size() && line[key_end] != '=' && line[key_end] != ':' && !IsBlank(line[key_end])) {
      key_end += line[key_end] == '\\' && key_end + 1 < line.size() ? 2 : 1;
    }
    std::string_view value = SkipBlanks(std::string_view(line).substr(key_end));
    if (!value.empty() && (value[0] == '=' || value[0] == ':')) value = SkipBlanks(value.substr(1));
    CRV_ASSIGN(std::string key, Unescape(std::string_view(line).substr(0, key_end)));
    CRV_ASSIGN(properties[std::move(key)], Unescape(value));
  }
  return properties;
}

Result<JavaProperties> ReadJavaProperties(const std::string& path) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path));
  const Bytes bytes = file.bytes();
  if (bytes.size() > kMaxPropertiesBytes) {
    return Status::Corruption(
        fmt::format("{}: {} bytes are too many for a properties file: expected at most {}", path,
                    bytes.size(), kMaxPropertiesBytes));
  }
  auto properties =
      ParseJavaProperties(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  if (!properties.ok()) return properties.status().WithContext(path);
  return properties;
}

std::string FormatJavaProperties(const JavaProperties& properties, std::string_view comment) {
  std::string text = fmt::format("#{}\n", comment);
  for (const auto& [key, value] : properties) {
    AppendEscaped(key, /*is_key=*/true, text);
    text += '=';
    AppendEscaped(value, /*is_key=*/false, text);
    text += '\n';
  }
  return text;
}

}  // namespace crivello::graph
