// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::cli {

// Makes arbitrary text safe for a terminal: control characters (including escape sequences) and bytes that
// are not UTF-8 become \xNN.
enum class Lines { kEscaped, kKept };  // line breaks are control characters too, but kept if text has lines
std::string Printable(std::string_view text, Lines lines = Lines::kEscaped);

// A column of a table; numbers are aligned right, words left.
struct Column {
  std::string heading;
  bool right = false;
};

// A table for people: headings, then rows, aligned.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // REQUIRES: a cell for each column.
  void Row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string ToString() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// "1,234,567".
std::string Grouped(uint64_t number);
// "1 result", "1,234 results".
std::string Counted(uint64_t number, std::string_view one, std::string_view many);

}  // namespace crivello::cli
