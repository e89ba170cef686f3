// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace crivello::cli {
namespace {

// The length of the well-formed UTF-8 sequence at the start of `text`, or 0.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, beyond the last code point.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

// Characters that change the direction of the following text, including text of others: U+061C, U+200E,
// U+200F, U+202A to U+202E, U+2066 to U+2069.
bool IsDirectional(std::string_view sequence) {
  if (sequence == "\u061c" || sequence == "\u200e" || sequence == "\u200f") return true;
  return (sequence >= "\u202a" && sequence <= "\u202e") || (sequence >= "\u2066" && sequence <= "\u2069");
}

// The approximate width on a terminal: the number of code points.
size_t Width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string Printable(std::string_view text, Lines lines) {
  std::string safe;
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    const auto first = static_cast<uint8_t>(text[0]);
    const bool c1_control = first == 0xc2 && length == 2 && static_cast<uint8_t>(text[1]) < 0xa0;
    const bool kept = first == '\n' && lines == Lines::kKept;
    if (IsDirectional(text.substr(0, length))) {
      for (const char byte : text.substr(0, length))
        safe += fmt::format("\\x{:02x}", static_cast<uint8_t>(byte));
      text.remove_prefix(length);
      continue;
    }
    if (length == 0 || (first < 0x20 && !kept) || first == 0x7f || c1_control) {
      safe += fmt::format("\\x{:02x}", first);
      text.remove_prefix(1);
    } else {
      safe += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return safe;
}

std::string Table::ToString() const {
  std::vector<std::string> headings;
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns_.size(); c++) {
    headings.push_back(columns_[c].heading);
    widths.push_back(Width(headings[c]));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], Width(row[c]));
  }
  std::string text;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (size_t c = 0; c < cells.size(); c++) {
      const std::string padding(widths[c] - Width(cells[c]), ' ');
      line += columns_[c].right ? padding + cells[c] : cells[c] + padding;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_row(headings);
  for (const auto& row : rows_) add_row(row);
  return text;
}

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string Counted(uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", Grouped(number), number == 1 ? one : many);
}

}  // namespace crivello::cli
