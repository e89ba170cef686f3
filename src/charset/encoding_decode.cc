// SPDX-License-Identifier: Apache-2.0
// ConverterName() documents where ICU 72 and the standard's indexes differ, as counted by the comparison in
// encoding_decode_test.cc.
#include "charset/encoding_decode.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <memory>

#include "charset/encoding_tables.h"
#include "charset/utf8.h"

namespace crivello::charset {
namespace {

uint8_t At(std::string_view bytes, size_t i) { return static_cast<uint8_t>(bytes[i]); }

// The first non-ASCII position from `from` on, eight bytes at a time.
size_t SkipAscii(std::string_view bytes, size_t from) {
  size_t i = from;
  while (i + 8 <= bytes.size()) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    if ((word & 0x8080808080808080u) != 0) break;
    i += 8;
  }
  while (i < bytes.size() && At(bytes, i) < 0x80) i++;
  return i;
}

DecodedText DecodeUtf8(std::string_view bytes) {
  if (IsValidUtf8(bytes)) return DecodedText::Borrowed(bytes);
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  uint64_t replacements = 0;
  size_t copied = 0;  // bytes[copied, i) are valid and not yet in `out`
  for (size_t i = SkipAscii(bytes, 0); i < bytes.size(); i = SkipAscii(bytes, i)) {
    const Utf8Sequence sequence = Utf8SequenceAt(bytes, i);
    if (!sequence.valid) {
      out.append(bytes.substr(copied, i - copied));
      AppendUtf8(kReplacementCodePoint, &out);
      replacements++;
      copied = i + sequence.length;
    }
    i += sequence.length;
  }
  out.append(bytes.substr(copied));
  return DecodedText::Owned(std::move(out), replacements);
}

// Looks up one UTF-8 sequence for each high byte, and copies runs of ASCII.
DecodedText DecodeByTable(std::string_view bytes, const std::array<char32_t, 128>& table) {
  if (IsAscii(bytes)) return DecodedText::Borrowed(bytes);
  struct Utf8 {
    char bytes[4];
    uint8_t length;
  };
  std::array<Utf8, 128> encoded;
  for (size_t i = 0; i < 128; i++) {
    encoded[i].length = static_cast<uint8_t>(EncodeUtf8(table[i], encoded[i].bytes));
  }
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 2);
  uint64_t replacements = 0;
  for (size_t i = 0; i < bytes.size();) {
    if (At(bytes, i) < 0x80) {
      const size_t end = SkipAscii(bytes, i);
      out.append(bytes.substr(i, end - i));
      i = end;
      continue;
    }
    const size_t high = At(bytes, i) & 0x7fu;
    out.append(encoded[high].bytes, encoded[high].length);
    if (table[high] == kReplacementCodePoint) replacements++;
    i++;
  }
  return DecodedText::Owned(std::move(out), replacements);
}

DecodedText DecodeSingleByte(std::string_view bytes, Encoding encoding) {
  std::array<char32_t, 128> table;
  const auto& source = internal::SingleByteTable(encoding);
  for (size_t i = 0; i < 128; i++) table[i] = source[i] == 0 ? kReplacementCodePoint : source[i];
  return DecodeByTable(bytes, table);
}

DecodedText DecodeUserDefined(std::string_view bytes) {
  std::array<char32_t, 128> table;
  for (size_t i = 0; i < 128; i++) table[i] = static_cast<char32_t>(0xf780 + i);
  return DecodeByTable(bytes, table);
}

DecodedText DecodeUtf16(std::string_view bytes, bool big_endian) {
  std::string out;
  out.reserve(bytes.size() / 2 + bytes.size() / 8);
  uint64_t replacements = 0;
  const auto unit = [&](size_t i) {
    return static_cast<char32_t>(big_endian ? At(bytes, i) << 8 | At(bytes, i + 1)
                                            : At(bytes, i + 1) << 8 | At(bytes, i));
  };
  const size_t whole = bytes.size() & ~size_t{1};
  for (size_t i = 0; i < whole; i += 2) {
    char32_t c = unit(i);
    if (c >= 0xd800 && c <= 0xdfff) {
      const char32_t next = c < 0xdc00 && i + 2 < whole ? unit(i + 2) : 0;
      if (next >= 0xdc00 && next <= 0xdfff) {
        c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
        i += 2;
      } else {
        c = kReplacementCodePoint;
        replacements++;
      }
    }
    AppendUtf8(c, &out);
  }
  if (whole != bytes.size()) {
    AppendUtf8(kReplacementCodePoint, &out);
    replacements++;
  }
  return DecodedText::Owned(std::move(out), replacements);
}

// ICU's converter with the table closest to the standard's. With Mended() below, over all pairs of bytes (ICU
// 72): Shift_JIS, JIS X 0208 in EUC-JP and ISO-2022-JP, GBK and EUC-KR do not differ. Of JIS X 0212, 21
// vendor characters are decoded here but not in the standard. Of Big5, 413 of 19,782 pairs differ: the
// standard decodes some of HKSCS that ICU does not, and after 81 to 84, where there are no characters, ICU
// swallows ASCII bytes.
const char* ConverterName(Encoding encoding) {
  switch (encoding) {
    case Encoding::kGbk:  // the standard decodes GBK as gb18030
    case Encoding::kGb18030:
      return "gb18030";
    case Encoding::kBig5:
      return "Big5-HKSCS";
    case Encoding::kEucJp:
      return "euc-jp-2007";
    case Encoding::kIso2022Jp:
      return "ISO-2022-JP";
    case Encoding::kShiftJis:
      return "ibm-943_P15A-2003";
    case Encoding::kEucKr:
      return "windows-949-2000";
    default:
      return nullptr;
  }
}

// What ICU decodes as private use, by old vendors' tables, and the standard does not: characters that Unicode
// has since added (GB 18030-2022), or nothing.
char32_t Mended(char32_t c, Encoding encoding) {
  const bool chinese = encoding == Encoding::kGbk || encoding == Encoding::kGb18030;
  // Bytes that ICU passes on as controls; in gb18030 they come from four bytes, and Shift_JIS's is right.
  if (c >= 0x80 && c < 0xa0)
    return chinese || (c == 0x80 && encoding == Encoding::kShiftJis) ? c : kReplacementCodePoint;
  if (c < 0xe000 || c > 0xf8ff) return c;
  if (encoding == Encoding::kEucKr || encoding == Encoding::kBig5) return kReplacementCodePoint;
  if (!chinese) return c;
  constexpr std::array<std::array<char16_t, 2>, 19> kAssigned = {{{0xe5e5, 0x3000},
                                                                  {0xe78d, 0xfe10},
                                                                  {0xe78e, 0xfe12},
                                                                  {0xe78f, 0xfe11},
                                                                  {0xe790, 0xfe13},
                                                                  {0xe791, 0xfe14},
                                                                  {0xe792, 0xfe15},
                                                                  {0xe793, 0xfe16},
                                                                  {0xe794, 0xfe17},
                                                                  {0xe795, 0xfe18},
                                                                  {0xe796, 0xfe19},
                                                                  {0xe81e, 0x9fb4},
                                                                  {0xe826, 0x9fb5},
                                                                  {0xe82b, 0x9fb6},
                                                                  {0xe82c, 0x9fb7},
                                                                  {0xe832, 0x9fb8},
                                                                  {0xe843, 0x9fb9},
                                                                  {0xe854, 0x9fba},
                                                                  {0xe864, 0x9fbb}}};
  const auto found =
      std::find_if(kAssigned.begin(), kAssigned.end(), [&](const auto& pair) { return pair[0] == c; });
  return found == kAssigned.end() ? c : (*found)[1];
}

struct Malformed {
  Encoding encoding;
  uint64_t count = 0;
};

// The meaning of a lone byte 80, where ICU has none.
char16_t Meaning80(Encoding encoding) {
  const bool chinese = encoding == Encoding::kGbk || encoding == Encoding::kGb18030;
  return chinese ? 0x20ac : encoding == Encoding::kShiftJis ? 0x80 : 0xfffd;
}

// Called by ICU for malformed sequences: writes one U+FFFD. An ASCII byte in place of a trail byte is kept
// (it may be the '<' of the next tag).
void ReplaceMalformed(const void* context, UConverterToUnicodeArgs* args, const char* units, int32_t length,
                      UConverterCallbackReason reason, UErrorCode* error) {
  if (reason > UCNV_IRREGULAR) return;  // a reset, close or clone: nothing to write
  // ICU returns the context as const, but it points to a variable of DecodeByIcu().
  Malformed& malformed = *static_cast<Malformed*>(const_cast<void*>(context));
  *error = U_ZERO_ERROR;
  const bool is_80 = length == 1 && units[0] == '\x80';
  char16_t text[2] = {is_80 ? Meaning80(malformed.encoding) : static_cast<char16_t>(kReplacementCodePoint),
                      0};
  if (text[0] == kReplacementCodePoint) malformed.count++;
  int32_t size = 1;
  // In a seven-bit encoding an ASCII byte may be a valid trail byte.
  const bool seven_bits = malformed.encoding == Encoding::kIso2022Jp;
  if (length == 2 && static_cast<uint8_t>(units[1]) < 0x80 && !seven_bits) {
    text[size++] = static_cast<char16_t>(units[1]);
  }
  ucnv_cbToUWriteUChars(args, text, size, 0, error);
}

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};

DecodedText DecodeByIcu(std::string_view bytes, Encoding encoding) {
  if (encoding != Encoding::kIso2022Jp && IsAscii(bytes)) return DecodedText::Borrowed(bytes);
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, CloseConverter> converter(ucnv_open(ConverterName(encoding), &error));
  assert(U_SUCCESS(error));  // every build of ICU's data has the names above
  Malformed malformed = {encoding};
  ucnv_setToUCallBack(converter.get(), ReplaceMalformed, &malformed, nullptr, nullptr, &error);

  std::string out;
  out.reserve(bytes.size() + bytes.size() / 2);
  std::array<char16_t, 4096> buffer;
  const char* source = bytes.data();
  const char* const end = source + bytes.size();
  char32_t lead = 0;  // of a surrogate pair split by the end of a buffer
  do {
    error = U_ZERO_ERROR;
    char16_t* target = buffer.data();
    ucnv_toUnicode(converter.get(), &target, buffer.data() + buffer.size(), &source, end, nullptr, true,
                   &error);
    for (const char16_t* unit = buffer.data(); unit != target; unit++) {
      const char32_t c = *unit;
      if (c >= 0xd800 && c <= 0xdbff) {
        lead = c;
      } else if (c >= 0xdc00 && c <= 0xdfff) {
        AppendUtf8(0x10000 + ((lead - 0xd800) << 10) + (c - 0xdc00), &out);
      } else {
        const char32_t mended = Mended(c, encoding);
        if (mended == kReplacementCodePoint && c != mended) malformed.count++;
        AppendUtf8(mended, &out);
      }
    }
  } while (error == U_BUFFER_OVERFLOW_ERROR);
  return DecodedText::Owned(std::move(out), malformed.count);
}

}  // namespace

bool IsAscii(std::string_view bytes) { return SkipAscii(bytes, 0) == bytes.size(); }

DecodedText DecodeToUtf8(std::string_view bytes, Encoding encoding) {
  const auto drop_mark = [&](std::string_view mark) {
    if (bytes.substr(0, mark.size()) == mark) bytes.remove_prefix(mark.size());
  };
  switch (encoding) {
    case Encoding::kUtf8:
      drop_mark("\xef\xbb\xbf");
      return DecodeUtf8(bytes);
    case Encoding::kUtf16Be:
      drop_mark("\xfe\xff");
      return DecodeUtf16(bytes, true);
    case Encoding::kUtf16Le:
      drop_mark("\xff\xfe");
      return DecodeUtf16(bytes, false);
    case Encoding::kUserDefined:
      return DecodeUserDefined(bytes);
    case Encoding::kReplacement:  // ISO-2022-KR, HZ and others: output nothing that could hide ASCII
      if (bytes.empty()) return DecodedText::Borrowed(bytes);
      return DecodedText::Owned(std::string(kReplacementCharacter), 1);
    default:
      return IsSingleByte(encoding) ? DecodeSingleByte(bytes, encoding) : DecodeByIcu(bytes, encoding);
  }
}

}  // namespace crivello::charset
