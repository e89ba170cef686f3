// SPDX-License-Identifier: Apache-2.0
// A word of a query as it was typed, without spaces, to a leaf of the tree: "title:rom*^2".  Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "search/query/query.h"

namespace crivello::search {

constexpr uint32_t kMaxSlop = 10000;

struct TypedWord {
  Query leaf;                  // kNothing if nothing of it can be searched
  std::string complaint;       // what a strict reader has against it; else empty
  bool is_bad_filter = false;  // of a filter field, with a value that cannot be read, or with none
};
// In a field, unless the word names its own.
TypedWord ReadTypedWord(std::string_view word, std::string_view field);
// A value of a filter field; kNothing for a date that is none.
Query ReadFilter(std::string_view field, std::string_view value);

// The bytes of the quotation mark that a text starts with, or 0: typed ones and those that phones make of
// them.
size_t QuoteAt(std::string_view text);

// "2.5": nothing if it is no positive number in plain digits.
std::optional<float> ReadBoostNumber(std::string_view text);
// Between 0.01 and 100.
float BoundedBoost(float boost);

}  // namespace crivello::search
