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
  std::string_view token;  // its value if that is a token, else empty. Parameters are dropped
};

// Parses a dictionary, such as "train-ai=n, search;q=1, x=(1 2)", strictly by section 4.2.2 of the RFC. For a
// repeated key, the last value counts, at the position of the first. nullopt if the text is not a dictionary;
// empty text is an empty dictionary. Views into `text`. Linear.
std::optional<std::vector<DictionaryMember>> ParseDictionary(std::string_view text);

}  // namespace crivello::web
