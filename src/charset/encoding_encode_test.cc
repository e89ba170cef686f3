// SPDX-License-Identifier: Apache-2.0
#include "charset/encoding_encode.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "charset/encoding_decode.h"
#include "charset/utf8.h"

namespace crivello::charset {
namespace {

std::string Encoded(std::string_view utf8, Encoding encoding) {
  std::string out;
  AppendEncodedQuery(utf8, encoding, &out);
  return out;
}

std::string Utf8(char32_t c) {
  std::string text;
  AppendUtf8(c, &text);
  return text;
}

TEST(EncodeQueryTest, WritesKnownCharacters) {
  EXPECT_EQ(Encoded("a\xC3\xA9", Encoding::kUtf8), "a\xC3\xA9");
  EXPECT_EQ(Encoded("a\xC3\xA9", Encoding::kUtf16Le), "a\xC3\xA9");
  EXPECT_EQ(Encoded("a\xC3\xA9", Encoding::kReplacement), "a\xC3\xA9");
  EXPECT_EQ(Encoded("a\xC3\xA9", Encoding::kWindows1252), "a\xE9");
  EXPECT_EQ(Encoded(Utf8(0x20AC), Encoding::kWindows1252), "\x80");
  EXPECT_EQ(Encoded(Utf8(0xF7FF), Encoding::kUserDefined), "\xFF");
  // U+65E5 U+672C, "Japan".
  const std::string japan = Utf8(0x65E5) + Utf8(0x672C);
  EXPECT_EQ(Encoded(japan, Encoding::kShiftJis), "\x93\xFA\x96\x7B");
  EXPECT_EQ(Encoded(japan, Encoding::kEucJp), "\xC6\xFC\xCB\xDC");
  EXPECT_EQ(Encoded(japan + "x", Encoding::kIso2022Jp), "\x1B$BF|K\\\x1B(Bx");
  EXPECT_EQ(Encoded(japan, Encoding::kGbk), "\xC8\xD5\xB1\xBE");
  EXPECT_EQ(Encoded(japan, Encoding::kBig5), "\xA4\xE9\xA5\xBB");
  EXPECT_EQ(Encoded(Utf8(0xD55C), Encoding::kEucKr), "\xC7\xD1");
  EXPECT_EQ(Encoded(Utf8(0xFF71), Encoding::kShiftJis), "\xB1");
  EXPECT_EQ(Encoded(Utf8(0xFF71), Encoding::kEucJp), "\x8E\xB1");
  EXPECT_EQ(Encoded(Utf8(0xFF71), Encoding::kIso2022Jp), "\x1B$B%\"\x1B(B");
  EXPECT_EQ(Encoded(Utf8(0x5341), Encoding::kBig5), "\xA4\x51");
  EXPECT_EQ(Encoded(Utf8(0x1F600), Encoding::kGb18030), "\x94\x39\xFC\x36");
  EXPECT_EQ(Encoded(Utf8(0x20AC), Encoding::kGbk), "\x80");
  EXPECT_EQ(Encoded(Utf8(0x20AC), Encoding::kGb18030), "\xA2\xE3");
}

TEST(EncodeQueryTest, NamesWhatIsMissing) {
  EXPECT_EQ(Encoded("a" + Utf8(0x4E2D) + "b", Encoding::kWindows1252), "a%26%2320013%3Bb");
  EXPECT_EQ(Encoded(Utf8(0x1F600), Encoding::kGbk), "%26%23128512%3B");
  EXPECT_EQ(Encoded(Utf8(0x4E00) + Utf8(0x1F600), Encoding::kIso2022Jp), "\x1B$B0l\x1B(B%26%23128512%3B");
  EXPECT_EQ(Encoded("\xFFz", Encoding::kKoi8R), "%26%2365533%3Bz");
  EXPECT_EQ(Encoded("", Encoding::kEucJp), "");
}

// Every character of an encoding survives the round trip, except the few that share a code.
TEST(EncodeQueryTest, IsUndoneByTheDecoder) {
  for (int e = 0; e < kEncodingCount; e++) {
    const auto encoding = static_cast<Encoding>(e);
    if (encoding == Encoding::kReplacement || encoding == Encoding::kUtf16Be ||
        encoding == Encoding::kUtf16Le)
      continue;
    SCOPED_TRACE(EncodingName(encoding));
    size_t has = 0, other = 0;
    for (char32_t c = 0x80; c < 0x11000; c++) {
      if (c >= 0xD800 && c < 0xE000) continue;
      const std::string encoded = Encoded(Utf8(c), encoding);
      if (encoded.starts_with("%26%23")) continue;
      has++;
      if (DecodeToUtf8(encoded, encoding).text() != Utf8(c)) other++;
    }
    EXPECT_GE(has, encoding == Encoding::kUserDefined || IsSingleByte(encoding) ? 80u : 6000u);
    // ISO-2022-JP encodes 63 half-width katakana as full-width.
    EXPECT_LE(other, encoding == Encoding::kIso2022Jp ? 66u : 3u) << "of " << has;
  }
}

TEST(EncodeQueryTest, TakesAnyBytes) {
  const uint64_t seed = 41;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int i = 0; i < 2000; i++) {
    std::string bytes(random.Below(20), '\0');
    for (char& c : bytes) c = static_cast<char>(random.Next());
    const std::string out = Encoded(bytes, static_cast<Encoding>(random.Below(kEncodingCount)));
    EXPECT_LE(out.size(), 20 * bytes.size());
  }
}

}  // namespace
}  // namespace crivello::charset
