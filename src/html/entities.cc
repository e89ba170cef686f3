// SPDX-License-Identifier: Apache-2.0
#include "html/entities.h"

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "html/entities_table.h"

namespace crivello::html {
namespace {

constexpr size_t kMaxLegacyNameBytes = 6;

// The meaning of numeric references 0x80 to 0x9F: windows-1252, where that has a character.
constexpr uint16_t kWindows1252[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                       0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                       0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

size_t EntityHash(std::string_view name) {
  uint32_t value = 0;
  for (const char c : name) value = value * 33 + static_cast<uint8_t>(c);
  return (value ^ (value >> 12)) % kEntitySlotCount;
}

void SetValue(std::string_view utf8, CharacterReference* reference) {
  std::memcpy(reference->utf8, utf8.data(), utf8.size());
  reference->utf8_size = static_cast<uint8_t>(utf8.size());
}

CharacterReference MatchNumeric(std::string_view text, bool at_end) {
  const bool hex = text.size() > 1 && (text[1] | 0x20) == 'x';
  size_t at = hex ? 2 : 1;
  const size_t first = at;
  uint64_t number = 0;
  for (; at < text.size(); ++at) {
    const int digit = HexValue(text[at]);
    if (digit < 0 || (!hex && digit > 9)) break;
    number = std::min<uint64_t>(number * (hex ? 16 : 10) + static_cast<uint64_t>(digit), 0x110000);
  }
  CharacterReference result;
  if (at == text.size() && !at_end) {
    result.complete = false;
    return result;
  }
  if (at == first) return result;
  result.size = at + (at < text.size() && text[at] == ';' ? 1 : 0);
  result.utf8_size = static_cast<uint8_t>(charset::EncodeUtf8(NumericReference(number), result.utf8));
  return result;
}

}  // namespace

std::string_view FindEntity(std::string_view name) {
  if (name.size() > kMaxEntityNameBytes) return {};
  for (size_t slot = EntityHash(name); kEntitySlots[slot] != 0; slot = (slot + 1) % kEntitySlotCount) {
    const Entity& entity = kEntities[kEntitySlots[slot] - 1];
    if (std::string_view(entity.name, entity.name_size) == name) return {entity.utf8, entity.utf8_size};
  }
  return {};
}

size_t LegacyEntityPrefix(std::string_view run, std::string_view* utf8) {
  for (size_t size = std::min(run.size(), kMaxLegacyNameBytes); size >= 2; --size) {
    *utf8 = FindEntity(run.substr(0, size));
    if (!utf8->empty()) return size;
  }
  return 0;
}

uint32_t NumericReference(uint64_t number) {
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return 0xFFFD;
  if (number >= 0x80 && number <= 0x9F) return kWindows1252[number - 0x80];
  return static_cast<uint32_t>(number);
}

CharacterReference MatchCharacterReference(std::string_view text, bool in_attribute, bool at_end) {
  CharacterReference result;
  if (text.empty()) {
    result.complete = at_end;
    return result;
  }
  if (text[0] == '#') return MatchNumeric(text, at_end);

  size_t run = 0;
  while (run < text.size() && run < kMaxEntityNameBytes && IsAsciiAlnum(text[run])) ++run;
  if (run == text.size() && !at_end) {
    result.complete = run == 0;
    return result;
  }
  const char next = run < text.size() ? text[run] : '\0';
  if (next == ';') {
    const std::string_view utf8 = FindEntity(text.substr(0, run + 1));
    if (!utf8.empty()) {
      result.size = run + 1;
      SetValue(utf8, &result);
      return result;
    }
  }
  std::string_view utf8;
  const size_t size = LegacyEntityPrefix(text.substr(0, run), &utf8);
  // In an attribute, "&copy=1" and "&copying" are parts of a query, not references.
  if (size == 0 || (in_attribute && (size < run || next == '='))) return result;
  result.size = size;
  SetValue(utf8, &result);
  return result;
}

}  // namespace crivello::html
