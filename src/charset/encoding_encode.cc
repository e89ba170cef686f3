// SPDX-License-Identifier: Apache-2.0
#include "charset/encoding_encode.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <vector>

#include "charset/encoding_decode.h"
#include "charset/encoding_tables.h"
#include "charset/utf8.h"

namespace crivello::charset {
namespace {

// Code points and their bytes, two or four, as a big-endian number; sorted and unique.
class ReverseTable {
 public:
  // 0 if there is none.
  uint32_t Find(char32_t code_point) const {
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), code_point,
                                        [](const Entry& e, char32_t c) { return e.code_point < c; });
    return found != entries_.end() && found->code_point == code_point ? found->bytes : 0;
  }

  // Builds the inverse from the decoder's result for each of these sequences. If several give the same code
  // point, the first one is used, as in the standard.
  static ReverseTable Invert(Encoding encoding, const std::vector<uint32_t>& sequences) {
    std::string text;
    for (const uint32_t bytes : sequences) {
      AppendBytes(bytes, &text);
      text.push_back('\n');
    }
    const DecodedText decoded = DecodeToUtf8(text, encoding);
    std::string_view rest = decoded.text();
    ReverseTable table;
    for (const uint32_t bytes : sequences) {
      const size_t end = rest.find('\n');
      assert(end != std::string_view::npos);  // the decoder drops no line end
      size_t used = 0;
      const char32_t code_point = end == 0 ? 0 : TakeCodePoint(rest, &used);
      if (used == end && code_point >= 0x80 && code_point != kReplacementCodePoint)
        table.entries_.push_back({code_point, bytes});
      rest.remove_prefix(end + 1);
    }
    std::stable_sort(table.entries_.begin(), table.entries_.end(), Before);
    const auto same = [](const Entry& a, const Entry& b) { return a.code_point == b.code_point; };
    table.entries_.erase(std::unique(table.entries_.begin(), table.entries_.end(), same),
                         table.entries_.end());
    return table;
  }

  static void AppendBytes(uint32_t bytes, std::string* out) {
    for (int shift = bytes > 0xFFFF ? 24 : 8; shift >= 0; shift -= 8)
      out->push_back(static_cast<char>(bytes >> shift));
  }

 private:
  struct Entry {
    char32_t code_point;
    uint32_t bytes;
  };
  static bool Before(const Entry& a, const Entry& b) { return a.code_point < b.code_point; }

  std::vector<Entry> entries_;
};

void AddPairs(uint32_t first_lead, uint32_t last_lead, uint32_t first_trail, uint32_t last_trail,
              std::vector<uint32_t>* sequences) {
  for (uint32_t lead = first_lead; lead <= last_lead; lead++) {
    for (uint32_t trail = first_trail; trail <= last_trail; trail++) sequences->push_back(lead << 8 | trail);
  }
}

// Big5 proper: the rows before A1 belong to HKSCS, which the standard does not encode.
ReverseTable MakeBig5() {
  std::vector<uint32_t> sequences;
  // For these the standard uses the last code, so they are put first.
  for (const uint32_t last : {0xF9F9u, 0xF9E9u, 0xF9EBu, 0xF9EAu, 0xA451u, 0xA4CAu})
    sequences.push_back(last);
  AddPairs(0xA1, 0xFE, 0x40, 0xFE, &sequences);
  return ReverseTable::Invert(Encoding::kBig5, sequences);
}

ReverseTable MakeEucKr() {
  std::vector<uint32_t> sequences;
  AddPairs(0x81, 0xFE, 0x41, 0xFE, &sequences);
  return ReverseTable::Invert(Encoding::kEucKr, sequences);
}

// JIS X 0208 and the half-width katakana; JIS X 0212 is only decoded.
ReverseTable MakeEucJp() {
  std::vector<uint32_t> sequences;
  AddPairs(0x8E, 0x8E, 0xA1, 0xDF, &sequences);
  AddPairs(0xA1, 0xFE, 0xA1, 0xFE, &sequences);
  return ReverseTable::Invert(Encoding::kEucJp, sequences);
}

// Without the rows ED to EF, which are duplicates, and the private-use rows.
ReverseTable MakeShiftJis() {
  std::vector<uint32_t> sequences;
  AddPairs(0x81, 0x9F, 0x40, 0xFC, &sequences);
  AddPairs(0xE0, 0xEC, 0x40, 0xFC, &sequences);
  AddPairs(0xFA, 0xFC, 0x40, 0xFC, &sequences);
  return ReverseTable::Invert(Encoding::kShiftJis, sequences);
}

ReverseTable MakeGbk(bool four_bytes) {
  std::vector<uint32_t> sequences;
  AddPairs(0x81, 0xFE, 0x40, 0xFE, &sequences);
  // The sequences of the Basic Multilingual Plane; a formula gives those of the other planes.
  for (uint32_t i = 0; four_bytes && i < 39420; i++) {
    sequences.push_back((0x81 + i / 12600) << 24 | (0x30 + i / 1260 % 10) << 16 | (0x81 + i / 10 % 126) << 8 |
                        (0x30 + i % 10));
  }
  return ReverseTable::Invert(Encoding::kGb18030, sequences);
}

const ReverseTable& TableOf(Encoding encoding) {
  switch (encoding) {
    case Encoding::kBig5: {
      static const ReverseTable table = MakeBig5();
      return table;
    }
    case Encoding::kEucKr: {
      static const ReverseTable table = MakeEucKr();
      return table;
    }
    case Encoding::kShiftJis: {
      static const ReverseTable table = MakeShiftJis();
      return table;
    }
    case Encoding::kGbk: {
      static const ReverseTable table = MakeGbk(false);
      return table;
    }
    case Encoding::kGb18030: {
      static const ReverseTable table = MakeGbk(true);
      return table;
    }
    default: {
      static const ReverseTable table = MakeEucJp();
      return table;
    }
  }
}

void AppendMissing(char32_t code_point, std::string* out) {
  char digits[8];
  const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<uint32_t>(code_point)).ptr;
  out->append("%26%23").append(digits, end).append("%3B");
}

// Appends the bytes of a code point above ASCII in a stateless encoding; false if it has none.
bool AppendCodePoint(char32_t c, Encoding encoding, std::string* out) {
  const auto put = [out](char32_t byte) { return out->push_back(static_cast<char>(byte)), true; };
  if (IsSingleByte(encoding)) {
    const auto& table = internal::SingleByteTable(encoding);
    const auto found = std::find(table.begin(), table.end(), c);
    return found != table.end() && put(0x80 + static_cast<char32_t>(found - table.begin()));
  }
  switch (encoding) {
    case Encoding::kUserDefined:
      return c >= 0xF780 && c <= 0xF7FF && put(c - 0xF780 + 0x80);
    case Encoding::kShiftJis:
      if (c == 0x80) return put(c);
      if (c >= 0xFF61 && c <= 0xFF9F) return put(c - 0xFF61 + 0xA1);
      [[fallthrough]];
    case Encoding::kEucJp:
      if (c == 0xA5) return put(0x5C);
      if (c == 0x203E) return put(0x7E);
      if (c == 0x2212) c = 0xFF0D;
      break;
    case Encoding::kGbk:
      if (c == 0x20AC) return put(0x80);
      break;
    case Encoding::kGb18030:
      if (c >= 0x10000) {
        const uint32_t i = static_cast<uint32_t>(c) - 0x10000;
        put(0x90 + i / 12600), put(0x30 + i / 1260 % 10), put(0x81 + i / 10 % 126);
        return put(0x30 + i % 10);
      }
      break;
    default:
      break;
  }
  const uint32_t bytes = TableOf(encoding).Find(c);
  if (bytes != 0) ReverseTable::AppendBytes(bytes, out);
  return bytes != 0;
}

// The full-width forms of U+FF61 to U+FF9F.
constexpr std::u16string_view kFullWidthKatakana =
    u"。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモ"
    u"ヤユヨラリル"
    u"レロワン゛゜";
static_assert(kFullWidthKatakana.size() == 0xFF9F - 0xFF61 + 1);

class Iso2022JpEncoder {
 public:
  explicit Iso2022JpEncoder(std::string* out) : out_(out) {}

  void Append(char32_t c) {
    if (c == 0x0E || c == 0x0F || c == 0x1B) {  // they would switch the state
      if (state_ == State::kJis0208) Switch(State::kAscii);
      return AppendMissing(kReplacementCodePoint, out_);
    }
    // Roman equals ASCII except for two characters.
    const bool in_roman = c < 0x80 ? c != '\\' && c != '~' : c == 0xA5 || c == 0x203E;
    if (c < 0x80 && !(state_ == State::kRoman && in_roman)) return Switch(State::kAscii), Put(c);
    if (in_roman) return Switch(State::kRoman), Put(c == 0xA5 ? '\\' : c == 0x203E ? '~' : c);
    if (c == 0x2212) c = 0xFF0D;
    if (c >= 0xFF61 && c <= 0xFF9F) c = kFullWidthKatakana[c - 0xFF61];
    const uint32_t bytes = TableOf(Encoding::kEucJp).Find(c);
    if (bytes == 0) {
      if (state_ == State::kJis0208) Switch(State::kAscii);
      return AppendMissing(c, out_);
    }
    Switch(State::kJis0208);
    ReverseTable::AppendBytes(bytes & 0x7F7F, out_);
  }
  void Finish() { Switch(State::kAscii); }

 private:
  enum class State : uint8_t { kAscii, kRoman, kJis0208 };
  void Put(char32_t c) { out_->push_back(static_cast<char>(c)); }
  void Switch(State state) {
    if (state_ == state) return;
    state_ = state;
    out_->append(state == State::kAscii ? "\x1B(B" : state == State::kRoman ? "\x1B(J" : "\x1B$B");
  }

  std::string* const out_;
  State state_ = State::kAscii;
};

}  // namespace

void AppendEncodedQuery(std::string_view utf8, Encoding encoding, std::string* out) {
  if (encoding == Encoding::kIso2022Jp) {
    Iso2022JpEncoder encoder(out);
    for (size_t i = 0; i < utf8.size();) encoder.Append(TakeCodePoint(utf8, &i));
    return encoder.Finish();
  }
  const bool as_utf8 = encoding == Encoding::kUtf8 || encoding == Encoding::kUtf16Be ||
                       encoding == Encoding::kUtf16Le || encoding == Encoding::kReplacement;
  if (as_utf8 || IsAscii(utf8)) {
    out->append(utf8);
    return;
  }
  for (size_t i = 0; i < utf8.size();) {
    const char32_t c = TakeCodePoint(utf8, &i);
    if (c < 0x80) {
      out->push_back(static_cast<char>(c));
    } else if (!AppendCodePoint(c, encoding, out)) {
      AppendMissing(c, out);
    }
  }
}

}  // namespace crivello::charset
