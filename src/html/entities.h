// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::html {

// HTML character references (WHATWG 13.2.5, from "character reference state" on). Constant tables, no
// allocation, thread-safe.

// The longest name with its ';' is "CounterClockwiseContourIntegral;". Names without ';' have 2 to 6 bytes.
inline constexpr size_t kMaxEntityNameBytes = 32;

// The UTF-8 of a named reference; `name` is without '&' and, except for the 106 legacy names, with its ';'.
// Empty if there is no such name. One or a few probes of a hash table.
std::string_view FindEntity(std::string_view name);

// The length of the longest legacy name (without ';') that `run` starts with, or 0.
size_t LegacyEntityPrefix(std::string_view run, std::string_view* utf8);

// The code point of a numeric reference, by the rules for NUL, surrogates, the range and the windows-1252
// controls.
uint32_t NumericReference(uint64_t number);

// The reference at the start of `text`, which follows an '&' and extends to the end of the attribute, the
// text or the available piece of it.
struct CharacterReference {
  size_t size = 0;       // bytes of it after the '&'; 0 if this is not a reference and '&' is literal
  bool complete = true;  // false: it depends on bytes after `text` (never if `at_end`)
  uint8_t utf8_size = 0;
  char utf8[7] = {};

  std::string_view value() const { return {utf8, utf8_size}; }
};
CharacterReference MatchCharacterReference(std::string_view text, bool in_attribute, bool at_end);

}  // namespace crivello::html
