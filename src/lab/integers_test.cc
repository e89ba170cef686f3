// SPDX-License-Identifier: Apache-2.0
#include "lab/integers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::lab {
namespace {

using testing::ElementsAre;

TEST(IntegersTest, ReadsNumbersHoweverTheyAreSeparated) {
  EXPECT_THAT(*ParseIntegers("1 2,3\n# a comment 9\n\t18446744073709551615#x\r\n"),
              ElementsAre(1, 2, 3, 18446744073709551615u));
  EXPECT_THAT(*ParseIntegers(""), ElementsAre());
}

TEST(IntegersTest, NamesTheLineOfWhatIsNoNumber) {
  for (const char* bad : {"1\n-2", "1\n18446744073709551616", "1\n2x", "1\n\x1b[0m", "1\n0x10"}) {
    const auto result = ParseIntegers(bad);
    EXPECT_EQ(result.status().code(), StatusCode::kCorruption);
    EXPECT_THAT(result.status().message(), testing::StartsWith("line 2: invalid integer '"));
    EXPECT_EQ(result.status().message().find('\x1b'), std::string::npos);
  }
}

TEST(IntegersTest, ReadsBinaryIntegers) {
  EXPECT_THAT(*ParseBinaryIntegers(std::string_view("\1\0\0\0\xff\xff\xff\xff", 8), 4),
              ElementsAre(1, 0xffffffffu));
  EXPECT_THAT(*ParseBinaryIntegers(std::string_view("\1\0\0\0\0\0\0\x80", 8), 8),
              ElementsAre(0x8000000000000001u));
  EXPECT_EQ(ParseBinaryIntegers("12345", 4).status().code(), StatusCode::kCorruption);
}

TEST(IntegersTest, TakesTheGapsOfAnIncreasingList) {
  const auto gaps = GapsOf({3, 4, 10});
  EXPECT_THAT(gaps->values, ElementsAre(3, 0, 5));
  EXPECT_EQ(GapsOf({3, 3}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(GapsOf({})->values.empty());
}

TEST(IntegersTest, MakesThePostingListsOfAText) {
  const Integers postings = PostingsOf("The cat, the dog; THE end.");
  EXPECT_THAT(postings.lists,
              ElementsAre(ElementsAre(1), ElementsAre(3), ElementsAre(5), ElementsAre(0, 2, 4)));
  EXPECT_THAT(postings.values, ElementsAre(1, 3, 5, 0, 1, 1));
}

}  // namespace
}  // namespace crivello::lab
