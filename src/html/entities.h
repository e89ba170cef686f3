// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::html {

// Character references of HTML (WHATWG 13.2.5, from "character reference state" on).  Constant tables, no
// allocation, thread-safe.

// The longest name with its ';' is "CounterClockwiseContourIntegral;".  A name without ';' has 2 to 6 bytes.
inline constexpr size_t kMaxEntityNameBytes = 32;

// The UTF-8 that a named reference stands for; `name` is without '&' and, except for the 106 legacy names,
// with its ';'.  Empty if there is no such name.  One probe of a hash table or a few.
std::string_view FindEntity(std::string_view name);

// The longest legacy name (one without ';') that `run` starts with; its size, or 0.
size_t LegacyEntityPrefix(std::string_view run, std::string_view* utf8);

// The code point that a numeric reference stands for, by the rules on NUL, surrogates, the range and the
// windows-1252 controls.
uint32_t NumericReference(uint64_t number);

// The reference at the start of `text`, which follows an '&' and ends where the attribute, the text or the
// piece of it ends.
struct CharacterReference {
  size_t size = 0;       // bytes of it after the '&'; 0 if this is no reference and the '&' stands for itself
  bool complete = true;  // false: the bytes after `text` decide (never if `at_end`)
  uint8_t utf8_size = 0;
  char utf8[7] = {};

  std::string_view value() const { return {utf8, utf8_size}; }
};
CharacterReference MatchCharacterReference(std::string_view text, bool in_attribute, bool at_end);

}  // namespace crivello::html
