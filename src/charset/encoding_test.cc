// SPDX-License-Identifier: Apache-2.0
#include "charset/encoding.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "charset/encoding_decode.h"
#include "charset/utf8.h"

namespace crivello::charset {
namespace {

std::string Decode(std::string_view bytes, Encoding encoding) {
  return std::string(DecodeToUtf8(bytes, encoding).text());
}

TEST(EncodingTest, KnowsLabelsInAnyCaseAndSpaceAround) {
  EXPECT_EQ(EncodingForLabel("latin1"), Encoding::kWindows1252);
  EXPECT_EQ(EncodingForLabel(" \tISO-8859-1\r\n"), Encoding::kWindows1252);
  EXPECT_EQ(EncodingForLabel("Utf8"), Encoding::kUtf8);
  EXPECT_EQ(EncodingForLabel("gb2312"), Encoding::kGbk);
  EXPECT_EQ(EncodingForLabel("x-sjis"), Encoding::kShiftJis);
  EXPECT_EQ(EncodingForLabel("iso-2022-kr"), Encoding::kReplacement);
  EXPECT_EQ(EncodingForLabel("logical"), Encoding::kIso8859_8I);
  EXPECT_EQ(EncodingForLabel("x-user-defined"), Encoding::kUserDefined);
}

TEST(EncodingTest, KnowsNoOtherLabels) {
  for (const std::string_view label : {"", " ", "utf-7", "utf-32", "latin-1", "utf 8", "cp850"}) {
    EXPECT_EQ(EncodingForLabel(label), std::nullopt) << label;
  }
  EXPECT_EQ(EncodingForLabel(std::string(1000, 'u')), std::nullopt);
}

TEST(EncodingTest, EveryNameIsALabelOfItself) {
  for (int i = 0; i < kEncodingCount; i++) {
    const auto encoding = static_cast<Encoding>(i);
    EXPECT_EQ(EncodingForLabel(EncodingName(encoding)), encoding) << EncodingName(encoding);
  }
}

TEST(EncodingDecodeTest, PassesValidUtf8WithoutACopy) {
  const std::string text = "caff\xc3\xa8 \xe2\x82\xac \xf0\x9f\x8d\x95";
  const DecodedText decoded = DecodeToUtf8(text, Encoding::kUtf8);
  EXPECT_EQ(decoded.text().data(), text.data());
  EXPECT_TRUE(decoded.borrowed());
  EXPECT_EQ(decoded.replacements(), 0u);
}

TEST(EncodingDecodeTest, DropsTheMarkOfItsOwnEncodingOnly) {
  EXPECT_EQ(Decode("\xef\xbb\xbfx", Encoding::kUtf8), "x");
  EXPECT_EQ(Decode(std::string_view("\xfe\xff\0x", 4), Encoding::kUtf16Be), "x");
  EXPECT_EQ(Decode(std::string_view("\xff\xfex\0", 4), Encoding::kUtf16Le), "x");
  EXPECT_EQ(Decode("\xef\xbb\xbfx", Encoding::kWindows1252), "\xc3\xaf\xc2\xbb\xc2\xbfx");
}

TEST(EncodingDecodeTest, ReplacesMaximalSubparts) {
  const std::string r = "\xef\xbf\xbd";
  // The example of the Unicode standard, table 3-8.
  EXPECT_EQ(Decode("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64", Encoding::kUtf8),
            "a" + r + r + r + "b" + r + "c" + r + r + "d");
  EXPECT_EQ(Decode("\xc0\xaf\xe0\x80\xbf\xed\xa0\x80", Encoding::kUtf8), r + r + r + r + r + r + r + r);
  EXPECT_EQ(DecodeToUtf8("\xe2\x82", Encoding::kUtf8).replacements(), 1u);
  EXPECT_EQ(DecodeToUtf8("\xf5\xff", Encoding::kUtf8).replacements(), 2u);
}

// The standard's decoder, state by state: slow and obvious.
std::string SlowUtf8(std::string_view bytes) {
  std::string out;
  int needed = 0, seen = 0;
  uint8_t low = 0x80, high = 0xbf;
  std::string sequence;
  for (size_t i = 0; i <= bytes.size(); i++) {
    if (i == bytes.size()) {
      if (needed != 0) out += "\xef\xbf\xbd";
      break;
    }
    const auto byte = static_cast<uint8_t>(bytes[i]);
    if (needed == 0) {
      sequence.assign(1, bytes[i]);
      if (byte < 0x80) {
        out += bytes[i];
      } else if (byte >= 0xc2 && byte <= 0xdf) {
        needed = 1;
      } else if (byte >= 0xe0 && byte <= 0xef) {
        if (byte == 0xe0) low = 0xa0;
        if (byte == 0xed) high = 0x9f;
        needed = 2;
      } else if (byte >= 0xf0 && byte <= 0xf4) {
        if (byte == 0xf0) low = 0x90;
        if (byte == 0xf4) high = 0x8f;
        needed = 3;
      } else {
        out += "\xef\xbf\xbd";
      }
      continue;
    }
    const bool fits = byte >= low && byte <= high;
    low = 0x80;
    high = 0xbf;
    if (!fits) {
      needed = seen = 0;
      out += "\xef\xbf\xbd";
      i--;
      continue;
    }
    sequence += bytes[i];
    if (++seen == needed) {
      out += sequence;
      needed = seen = 0;
    }
  }
  return out;
}

TEST(EncodingDecodeTest, RepairsUtf8AsTheStandardsStateMachine) {
  constexpr uint64_t kSeed = 20261115;
  SCOPED_TRACE(kSeed);
  SeededRandom random(kSeed);
  // Bytes at the edges of the ranges, so that almost-valid sequences are frequent.
  constexpr std::string_view kEdges =
      "a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xed\xef\xf0\xf4\xf5\xff";
  for (int round = 0; round < 20000; round++) {
    std::string bytes;
    for (uint64_t n = random.Below(24); n > 0; n--) bytes += kEdges[random.Below(kEdges.size())];
    ASSERT_EQ(Decode(bytes, Encoding::kUtf8), SlowUtf8(bytes));
    ASSERT_EQ(IsValidUtf8(bytes), SlowUtf8(bytes) == bytes);
  }
}

TEST(EncodingDecodeTest, ReadsSingleByteEncodings) {
  EXPECT_EQ(Decode("\x93x\x94 \x80", Encoding::kWindows1252), "\u201cx\u201d \u20ac");
  EXPECT_EQ(Decode("\x81", Encoding::kWindows1252), "\u0081");
  EXPECT_EQ(Decode("\xcf\xf0\xe8\xe2\xe5\xf2", Encoding::kWindows1251), "Привет");
  EXPECT_EQ(Decode("\xf0\xd2\xc9\xd7\xc5\xd4", Encoding::kKoi8R), "Привет");
  EXPECT_EQ(Decode("\x8f\xe0\xa8\xa2\xa5\xe2", Encoding::kIbm866), "Привет");
  EXPECT_EQ(Decode("\x8e", Encoding::kMacintosh), "é");
  EXPECT_EQ(Decode("\xf9\xec\xe5\xed", Encoding::kIso8859_8I), "שלום");
  const DecodedText hole = DecodeToUtf8("a\xa1", Encoding::kIso8859_7);
  EXPECT_EQ(hole.text(), "a\u2018");
  EXPECT_EQ(DecodeToUtf8("\xd2", Encoding::kIso8859_7).replacements(), 1u);
}

TEST(EncodingDecodeTest, ReadsEastAsianEncodings) {
  EXPECT_EQ(Decode("\x93\xfa\x96\x7b\x8c\xea \xb1", Encoding::kShiftJis), "日本語 ｱ");
  EXPECT_EQ(Decode("\x87\x40", Encoding::kShiftJis), "①");
  EXPECT_EQ(Decode("\xc6\xfc\xcb\xdc\xb8\xec", Encoding::kEucJp), "日本語");
  EXPECT_EQ(Decode("\x1b$BF|K\\8l\x1b(B.", Encoding::kIso2022Jp), "日本語.");
  EXPECT_EQ(Decode("\xc7\xd1\xb1\xb9\xbe\xee", Encoding::kEucKr), "한국어");
  EXPECT_EQ(Decode("\x8c\x63", Encoding::kEucKr), "똠");
  EXPECT_EQ(Decode("\xd6\xd0\xce\xc4", Encoding::kGbk), "中文");
  EXPECT_EQ(Decode("\x95\x32\x82\x36", Encoding::kGb18030), "\U00020000");
  EXPECT_EQ(Decode("\xa4\xa4\xa4\xe5", Encoding::kBig5), "中文");
}

TEST(EncodingDecodeTest, KeepsTheAsciiByteAfterAStrayLeadByte) {
  for (const Encoding encoding : {Encoding::kShiftJis, Encoding::kEucJp, Encoding::kEucKr, Encoding::kGbk}) {
    const DecodedText text = DecodeToUtf8("\x81<b>", encoding);
    EXPECT_EQ(text.text(), "\xef\xbf\xbd<b>") << EncodingName(encoding);
    EXPECT_EQ(text.replacements(), 1u);
  }
}

TEST(EncodingDecodeTest, ReadsTextsLongerThanItsBuffers) {
  std::string bytes, expected;
  for (int i = 0; i < 20000; i++) {
    bytes += "\x95\x32\x82\x36\xd6\xd0";
    expected += "\U00020000中";
  }
  EXPECT_EQ(Decode(bytes, Encoding::kGb18030), expected);
}

TEST(EncodingDecodeTest, ReplacesLoneSurrogatesAndOddBytes) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(Decode(std::string_view("\xd8\x3c\xdf\x55", 4), Encoding::kUtf16Be), "\U0001f355");
  EXPECT_EQ(Decode(std::string_view("\xd8\x3c\0a", 4), Encoding::kUtf16Be), r + "a");
  EXPECT_EQ(Decode(std::string_view("\xdf\x55\0a", 4), Encoding::kUtf16Be), r + "a");
  EXPECT_EQ(Decode(std::string_view("a\0b", 3), Encoding::kUtf16Le), "a" + r);
}

TEST(EncodingDecodeTest, ShowsNothingOfTheReplacementEncoding) {
  EXPECT_EQ(Decode("<script>", Encoding::kReplacement), "\xef\xbf\xbd");
  EXPECT_EQ(Decode("", Encoding::kReplacement), "");
  EXPECT_EQ(Decode("a\x80\xff", Encoding::kUserDefined), "a\uf780\uf7ff");
}

TEST(EncodingTest, ReadsTheByte80AloneAsTheStandardDoes) {
  EXPECT_EQ(Decode("a\x80 \xC8\xD5", Encoding::kGbk), "a\u20AC \u65E5");
  EXPECT_EQ(Decode("\x80\x81\x30\x81\x30", Encoding::kGb18030), "\u20AC\u0080");
  EXPECT_EQ(Decode("\x80z", Encoding::kShiftJis), "\u0080z");
  EXPECT_EQ(Decode("\x80z", Encoding::kEucKr), "\uFFFDz");
}

}  // namespace
}  // namespace crivello::charset
