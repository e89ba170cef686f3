// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"

#include <gtest/gtest.h>

#include <cctype>

namespace crivello {
namespace {

// Compared with the C library in its own locale; there bytes from 0x80 on belong to no class.
TEST(AsciiTest, AgreesWithTheCLibraryOnEveryByte) {
  for (int byte = 0; byte < 256; byte++) {
    const auto c = static_cast<char>(byte);
    EXPECT_EQ(IsAsciiUpper(c), std::isupper(byte) != 0) << byte;
    EXPECT_EQ(IsAsciiAlpha(c), std::isalpha(byte) != 0) << byte;
    EXPECT_EQ(IsAsciiDigit(c), std::isdigit(byte) != 0) << byte;
    EXPECT_EQ(IsAsciiAlnum(c), std::isalnum(byte) != 0) << byte;
    EXPECT_EQ(IsAsciiSpace(c), std::isspace(byte) != 0 && c != '\v') << byte;
    EXPECT_EQ(AsciiLower(c), static_cast<char>(std::tolower(byte))) << byte;
    EXPECT_EQ(HexValue(c) >= 0, std::isxdigit(byte) != 0) << byte;
  }
  EXPECT_EQ(HexValue('9'), 9);
  EXPECT_EQ(HexValue('a'), 10);
  EXPECT_EQ(HexValue('F'), 15);
}

TEST(AsciiTest, ComparesAndTrims) {
  EXPECT_TRUE(EqualsIgnoringCase("Content-TYPE", "content-type"));
  EXPECT_FALSE(EqualsIgnoringCase("a", "ab"));
  EXPECT_FALSE(EqualsIgnoringCase("@", "`"));  // they differ only in the case bit
  EXPECT_TRUE(StartsWithIgnoringCase("HTTP/1.1", "http/"));
  EXPECT_TRUE(StartsWithIgnoringCase("x", ""));
  EXPECT_FALSE(StartsWithIgnoringCase("ht", "http"));
  EXPECT_EQ(TrimAsciiSpace(" \t\r\n\fa b\n"), "a b");
  EXPECT_EQ(TrimAsciiSpace(" \n"), "");
  EXPECT_EQ(ToAsciiLower("A\xC3\x89z"), "a\xC3\x89z");
  EXPECT_EQ(DoubleQuoted("a \"b\\"), "\"a \\\"b\\\\\"");
}

}  // namespace
}  // namespace crivello
