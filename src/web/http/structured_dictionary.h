// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

// A member of a dictionary of Structured Fields (RFC 9651, section 3.2).
struct DictionaryMember {
  std::string_view key;
  std::string_view token;  // its value, if that is a token; else empty.  Parameters are left out
};

// Reads a dictionary, such as "train-ai=n, search;q=1, x=(1 2)", as section 4.2.2 of the RFC says: strictly.
// Of a key that is there several times the last value counts, in the place of the first.  Nothing if the text
// is not a dictionary; an empty one is.  Views into `text`.  Linear.
std::optional<std::vector<DictionaryMember>> ParseDictionary(std::string_view text);

}  // namespace crivello::web
