// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::cli {

// Text that may come from anywhere, made safe for a terminal: control characters (escape sequences among
// them) and bytes that are not UTF-8 become \xNN.
std::string Printable(std::string_view text);

// Columns for people: headings, then rows, aligned; a column whose cells all look like numbers goes to the
// right.
class Table {
 public:
  explicit Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}
  void Row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string ToString() const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

// "1,234,567".
std::string Grouped(uint64_t number);

}  // namespace crivello::cli
