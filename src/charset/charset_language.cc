// SPDX-License-Identifier: Apache-2.0
#include "charset/charset_language.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <limits>

#include "base/ascii.h"
#include "charset/encoding_tables.h"

namespace crivello::charset::internal {
namespace {

// How common an encoding is on the web, in bits; decides between readings that give the same text. An ISO
// encoding precedes the Windows encoding that extends it for the same languages: text from Windows can be
// recognised by quotation marks and dashes at 80 to 9F, where ISO has controls. (The standard decodes
// ISO-8859-1, 9 and, nearly always, 8 as windows-1252, 1254 and 1255.)
struct Candidate {
  Encoding encoding;
  int prior_bits;
};
constexpr Candidate kCandidates[] = {
    {Encoding::kWindows1252, 0}, {Encoding::kIso8859_15, 4},  {Encoding::kMacintosh, 8},
    {Encoding::kIso8859_2, 2},   {Encoding::kWindows1250, 3}, {Encoding::kIso8859_16, 6},
    {Encoding::kWindows1254, 3}, {Encoding::kIso8859_3, 6},   {Encoding::kIso8859_13, 4},
    {Encoding::kWindows1257, 5}, {Encoding::kIso8859_4, 6},   {Encoding::kIso8859_10, 8},
    {Encoding::kIso8859_14, 6},  {Encoding::kWindows1251, 1}, {Encoding::kKoi8R, 3},
    {Encoding::kKoi8U, 4},       {Encoding::kIso8859_5, 4},   {Encoding::kIbm866, 4},
    {Encoding::kMacCyrillic, 6}, {Encoding::kIso8859_7, 2},   {Encoding::kWindows1253, 3},
    {Encoding::kWindows1255, 2}, {Encoding::kIso8859_8, 6},   {Encoding::kWindows1256, 2},
    {Encoding::kIso8859_6, 3},   {Encoding::kWindows874, 2},
};

// Costs in 1/16 bit.
constexpr int kForeignLetter = 14 * 16;
constexpr int kCommonSymbol = 4 * 16;
constexpr int kRareSymbol = 9 * 16;
constexpr int kControl = 30 * 16;
constexpr int kMixedScripts = 12 * 16;  // a Latin letter beside a letter of another script
constexpr int kCapitalInside = 7 * 16;  // a capital after a small letter
constexpr int kSpaceAfterSpace = 16;    // for signs and spaces; the tables count a run of them as one
constexpr int kAfterForeign = 5 * 16;
constexpr int kWordBesideSymbol = 3 * 16;  // a Latin letter beside a sign, in a text of another script
// The maximum influence of the language of the ASCII letters, and its weight: pages contain quotations, and
// English is on all of them.
constexpr double kMaxLanguageBits = 40;
constexpr double kLanguageWeight = 0.25;
constexpr double kHintBits = 8;

// Punctuation and signs that occur in running text.
constexpr std::u16string_view kCommon =
    u"\u00a0\u00a1\u00a3\u00a7\u00a9\u00ab\u00ad\u00ae\u00b0\u00b7\u00bb\u00bf\u00ba\u00aa\u00b2\u00b3\u00bd"
    u"\u00b4"
    u"\u2013\u2014\u2015\u2018\u2019\u201a\u201c\u201d\u201e\u2020\u2022\u2026\u2039\u203a\u20ac\u2116\u2122"
    u"\u060c\u061b\u061f\u200c\u200d\u200e\u200f";

enum Kind : uint8_t { kSpace, kLetter, kSymbol, kSymbolRare, kBad };

// The meaning of a byte in an encoding.
struct Meaning {
  char16_t lower = 0;
  Kind kind = kSpace;
  bool small = false;
  bool capital = false;
};
using Meanings = std::array<Meaning, 256>;

Meaning MeaningOf(char16_t c) {
  Meaning meaning;
  meaning.lower = static_cast<char16_t>(u_tolower(c));
  if (c < 0x80) {
    meaning.kind = u_isalpha(c) ? kLetter : kSpace;
  } else if (c < 0xa0) {
    meaning.kind = kBad;
  } else if (kCommon.find(c) != std::u16string_view::npos) {
    meaning.kind = kSymbol;
  } else {
    const int8_t type = u_charType(c);
    const bool letter = u_isalpha(c) || type == U_NON_SPACING_MARK || (c >= 0x0e2f && c <= 0x0e4e);
    meaning.kind = letter ? kLetter : kSymbolRare;
  }
  meaning.small = u_islower(c);
  meaning.capital = u_isupper(c);
  return meaning;
}

Meanings MeaningsOf(Encoding encoding) {
  Meanings meanings;
  const auto& table = SingleByteTable(encoding);
  for (size_t i = 0; i < 256; i++) {
    const auto c = static_cast<char16_t>(i < 128 ? i : table[i - 128]);
    meanings[i] = MeaningOf(c);
    if (i >= 128 && c == 0) meanings[i].kind = kBad;
  }
  return meanings;
}

// The index of each byte in a language's alphabet; 0 for a non-letter, kForeign for any other letter.
constexpr uint8_t kForeign = 255;
constexpr uint8_t kAsciiLetter = 254;  // in a language that is not written with ASCII letters
struct Alphabet {
  std::array<uint8_t, 256> place;
  int covered = 0;  // how many of the language's own letters the encoding has
};

Alphabet AlphabetOf(const LanguageModel& language, const Meanings& meanings) {
  Alphabet alphabet;
  const bool latin = language.script == Script::kLatin;
  const size_t own = latin ? 27 : 1;
  std::vector<bool> seen(language.letters.size());
  for (size_t i = 0; i < 256; i++) {
    const Meaning& meaning = meanings[i];
    alphabet.place[i] = 0;
    if (const size_t found = language.letters.find(meaning.lower); found != std::u16string_view::npos) {
      alphabet.place[i] = static_cast<uint8_t>(own + found);
      alphabet.covered += seen[found] ? 0 : 1;
      seen[found] = true;
    } else if (meaning.kind == kLetter && i >= 128) {
      alphabet.place[i] = kForeign;
    } else if (meaning.kind == kLetter) {
      alphabet.place[i] = latin ? static_cast<uint8_t>(1 + meaning.lower - 'a') : kAsciiLetter;
    }
  }
  return alphabet;
}

// All readings: each of the web's encodings with the languages that it can write. Built once.
struct Model {
  struct LanguageReading {
    const LanguageModel* language;
    Alphabet alphabet;
  };
  struct EncodingReadings {
    Candidate candidate;
    Meanings meanings;
    std::vector<LanguageReading> languages;
  };
  std::vector<EncodingReadings> encodings;

  Model() {
    for (const Candidate& candidate : kCandidates) {
      EncodingReadings& readings = encodings.emplace_back();
      readings.candidate = candidate;
      readings.meanings = MeaningsOf(candidate.encoding);
      for (const LanguageModel& language : kLanguages) {
        LanguageReading reading = {&language, AlphabetOf(language, readings.meanings)};
        const auto letters = static_cast<int>(language.letters.size());
        if (reading.alphabet.covered * 10 >= letters * 6) readings.languages.push_back(reading);
      }
    }
  }
};

const Model& TheModel() {
  static const Model model;
  return model;
}

size_t AlphabetSize(const LanguageModel& language) {
  return language.letters.size() + (language.script == Script::kLatin ? 27 : 1);
}

int PairCost(const Model::LanguageReading& reading, const Meanings& meanings, uint8_t first, uint8_t second) {
  const Meaning& meaning = meanings[second];
  if (meaning.kind == kBad) return kControl;
  const uint8_t a = reading.alphabet.place[first];
  const uint8_t b = reading.alphabet.place[second];
  int cost = meanings[first].small && meaning.capital ? kCapitalInside : 0;
  if (b == kForeign) return cost + kForeignLetter;
  if (a == kAsciiLetter || b == kAsciiLetter) {
    // ASCII next to a space is not evidence; next to the language's letters it is counter-evidence.
    if (a != 0 && b != 0) return cost + kMixedScripts;
    if (first >= 128 || second >= 128) cost += kWordBesideSymbol;
  } else if (a == kForeign) {
    cost += kAfterForeign;
  } else if (a == 0 && b == 0) {
    cost += kSpaceAfterSpace;
  } else {
    cost += reading.language->costs[a * AlphabetSize(*reading.language) + b];
  }
  if (b == 0 && meaning.kind == kSymbol) cost += kCommonSymbol;
  if (b == 0 && meaning.kind == kSymbolRare) cost += kRareSymbol;
  return cost;
}

// For each language, how many bits more its ASCII letters cost than in the best language, weighted and
// capped.
std::array<double, kLanguages.size()> LanguageBits(const BytePairs& pairs, std::string_view hint) {
  std::array<double, kLanguages.size()> bits{};
  double best = std::numeric_limits<double>::max();
  const auto place = [](uint8_t byte) -> size_t {
    const auto lower = static_cast<uint8_t>(byte | 0x20);
    return lower >= 'a' && lower <= 'z' ? lower - 'a' + 1u : 0u;
  };
  for (size_t i = 0; i < kLanguages.size(); i++) {
    if (kLanguages[i].script != Script::kLatin) continue;
    uint64_t cost = 0;
    for (const auto& pair : pairs.ascii) {
      const size_t at = place(pair.first) * AlphabetSize(kLanguages[i]) + place(pair.second);
      cost += uint64_t{kLanguages[i].costs[at]} * pair.count;
    }
    bits[i] = static_cast<double>(cost) / 16;
    best = std::min(best, bits[i]);
  }
  for (size_t i = 0; i < kLanguages.size(); i++) {
    if (kLanguages[i].script == Script::kLatin) {
      bits[i] = std::min(kMaxLanguageBits, (bits[i] - best) * kLanguageWeight);
    }
    if (!hint.empty() && hint.substr(0, hint.find('-')) == kLanguages[i].name) bits[i] -= kHintBits;
  }
  return bits;
}

// The last byte of the tag, comment or CDATA start at `at`; `at` itself if there is none.
size_t SkipTag(std::string_view bytes, size_t at) {
  if (at + 1 >= bytes.size()) return at;
  const char next = bytes[at + 1];
  if (!IsAsciiAlpha(next) && next != '/' && next != '!' && next != '?') return at;
  if (bytes.substr(at, 9) == "<![CDATA[") return at + 8;
  const size_t end = bytes.find('>', at);
  return end == std::string_view::npos ? bytes.size() : end;
}

}  // namespace

BytePairs CountBytePairs(std::string_view bytes, bool skip_markup) {
  std::vector<uint32_t> counts(65536);
  BytePairs pairs;
  uint8_t previous = ' ';
  bool previous_high = false;
  bool lone = false;
  for (size_t i = 0; i <= bytes.size(); i++) {
    uint8_t byte = i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : ' ';
    if (byte == '<' && skip_markup) {
      i = SkipTag(bytes, i);
      byte = ' ';
    }
    const bool high = byte >= 0x80;
    if (high) {
      pairs.high_bytes++;
      lone = !previous_high;
    } else if (previous_high && lone) {
      pairs.lone_high_bytes++;
    }
    previous_high = high;
    counts[static_cast<size_t>(previous) << 8 | byte]++;
    previous = byte;
  }
  for (size_t first = 0; first < 256; first++) {
    for (size_t second = 0; second < 256; second++) {
      const uint32_t count = counts[first << 8 | second];
      if (count == 0) continue;
      const BytePairs::Pair pair = {static_cast<uint8_t>(first), static_cast<uint8_t>(second), count};
      const auto letter = [](size_t c) { return c < 128 && IsAsciiAlpha(static_cast<char>(c)); };
      if (first >= 128 || second >= 128) {
        pairs.with_high.push_back(pair);
      } else if ((letter(first) && (letter(second) || second == ' ')) || (first == ' ' && letter(second))) {
        pairs.ascii.push_back(pair);
      }
    }
  }
  return pairs;
}

Reading BestSingleByteReading(const BytePairs& pairs, std::string_view language_hint) {
  // Other scripts have letters in runs: a single letter among ASCII ones is an accented Latin letter.
  const bool latin_only = pairs.lone_high_bytes * 2 > pairs.high_bytes;
  const auto language_bits = LanguageBits(pairs, language_hint);
  uint64_t total_pairs = 0;
  for (const auto& pair : pairs.with_high) total_pairs += pair.count;
  // The best reading of each encoding.
  std::vector<Reading> best;
  for (const auto& readings : TheModel().encodings) {
    Reading found;
    found.bits = std::numeric_limits<double>::max();
    for (const auto& reading : readings.languages) {
      if (latin_only && reading.language->script != Script::kLatin) continue;
      uint64_t cost = 0;
      for (const auto& pair : pairs.with_high) {
        const int each = PairCost(reading, readings.meanings, pair.first, pair.second);
        cost += static_cast<uint64_t>(each) * pair.count;
      }
      const double bits = static_cast<double>(cost) / 16;
      const auto index = static_cast<size_t>(reading.language - kLanguages.data());
      const Candidate& candidate = readings.candidate;
      const double all = bits + language_bits[index] + candidate.prior_bits;
      if (all < found.bits) {
        found = {candidate.encoding, reading.language->name, all,
                 total_pairs == 0 ? 0 : bits / static_cast<double>(total_pairs), 0};
      }
    }
    if (!found.language.empty()) best.push_back(found);
  }
  std::stable_sort(best.begin(), best.end(),
                   [](const Reading& a, const Reading& b) { return a.bits < b.bits; });
  const auto same_text = [&](Encoding a, Encoding b) {
    const auto& x = SingleByteTable(a);
    const auto& y = SingleByteTable(b);
    return std::all_of(pairs.with_high.begin(), pairs.with_high.end(), [&](const auto& pair) {
      return pair.second < 128 || x[pair.second - 128] == y[pair.second - 128];
    });
  };
  for (size_t i = 1; i < best.size(); i++) {
    if (same_text(best[0].encoding, best[i].encoding)) continue;
    best[0].margin = best[i].bits - best[0].bits;
    break;
  }
  return best[0];
}

}  // namespace crivello::charset::internal
