// SPDX-License-Identifier: Apache-2.0
#include "bits/kraft.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "bits/reference_codes.h"

namespace crivello::bits {
namespace {

std::vector<std::string> WordsOf(const std::vector<unsigned>& lengths) {
  const auto code = KraftCode::FromLengths(lengths);
  EXPECT_TRUE(code.ok()) << code.status().ToString();
  std::vector<std::string> words;
  for (size_t i = 0; i < lengths.size(); i++) words.push_back(code->word(i).ToString());
  return words;
}

std::string SumOf(const std::vector<unsigned>& lengths) {
  KraftSum sum;
  for (unsigned length : lengths) sum.Add(length);
  return sum.ToString();
}

TEST(KraftSumTest, IsExact) {
  EXPECT_EQ(SumOf({}), "0");
  EXPECT_EQ(SumOf({0}), "1");
  EXPECT_EQ(SumOf({1, 1}), "1");
  EXPECT_EQ(SumOf({1, 2}), "3/4");
  EXPECT_EQ(SumOf({1, 2, 2, 2}), "5/4");
  EXPECT_EQ(SumOf({64}), "1/2^64");
  EXPECT_EQ(SumOf({1, 64}), "9223372036854775809/2^64");
  EXPECT_EQ(SumOf({0, 0, 0}), "3");
  KraftSum sum;
  for (unsigned i = 1; i <= 64; i++) sum.Add(i);
  EXPECT_FALSE(sum.IsOne());
  EXPECT_EQ(sum.value(), 1);  // as doubles, the two sums would be equal
  sum.Add(64);
  EXPECT_TRUE(sum.IsOne());
  EXPECT_FALSE(sum.ExceedsOne());
  sum.Add(64);
  EXPECT_TRUE(sum.ExceedsOne());
}

TEST(KraftCodeTest, TakesTheLeftmostFreeIntervalInOrderOfLength) {
  EXPECT_EQ(WordsOf({1, 2, 3, 3}), (std::vector<std::string>{"0", "10", "110", "111"}));
  EXPECT_EQ(WordsOf({3, 1, 3, 2}), (std::vector<std::string>{"110", "0", "111", "10"}));
  EXPECT_EQ(WordsOf({2, 2, 2}), (std::vector<std::string>{"00", "01", "10"}));
  EXPECT_EQ(WordsOf({0}), (std::vector<std::string>{""}));
  EXPECT_EQ(WordsOf({}), (std::vector<std::string>{}));
  EXPECT_EQ(WordsOf({64, 1}), (std::vector<std::string>{"1" + std::string(63, '0'), "0"}));
}

TEST(KraftCodeTest, RefusesLengthsThatNoInstantaneousCodeHas) {
  for (const std::vector<unsigned>& lengths :
       {std::vector<unsigned>{1, 1, 64}, {0, 0}, {0, 64}, {2, 2, 2, 2, 2}, {1, 65}, {1000000}}) {
    EXPECT_EQ(KraftCode::FromLengths(lengths).status().code(), StatusCode::kInvalidArgument);
  }
}

std::vector<unsigned> RandomLengths(Random& random, unsigned longest, bool complete) {
  // Splits words until there are enough, then sometimes removes some.
  std::vector<unsigned> lengths = {0};
  for (uint64_t splits = random.Below(200); splits > 0; splits--) {
    const size_t at = random.Below(lengths.size());
    if (lengths[at] == longest) continue;
    lengths.push_back(++lengths[at]);
  }
  if (!complete) {
    for (uint64_t cuts = random.Below(lengths.size()); cuts > 0; cuts--) {
      lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(random.Below(lengths.size())));
    }
  }
  for (size_t i = lengths.size(); i > 1; i--) std::swap(lengths[i - 1], lengths[random.Below(i)]);
  return lengths;
}

TEST(KraftCodeTest, HasIncomparableWordsOfTheLengthsGiven) {
  SeededRandom random(1);
  for (int round = 0; round < 100; round++) {
    const bool complete = round % 2 == 0;
    const std::vector<unsigned> lengths = RandomLengths(random, round % 3 == 0 ? 64 : 12, complete);
    const auto code = KraftCode::FromLengths(lengths);
    ASSERT_TRUE(code.ok());
    if (complete) {
      ASSERT_TRUE(code->complete());
    }
    const std::vector<std::string> words = WordsOf(lengths);
    for (size_t i = 0; i < words.size(); i++) {
      ASSERT_EQ(words[i].size(), lengths[i]);
      for (size_t j = 0; j < words.size(); j++) {
        if (i != j) {
          ASSERT_FALSE(words[j].starts_with(words[i]));
        }
      }
    }
  }
}

TEST(KraftCodeTest, ReadsBackWhatItWrites) {
  SeededRandom random(2);
  for (int round = 0; round < 100; round++) {
    const std::vector<unsigned> lengths = RandomLengths(random, round % 3 == 0 ? 64 : 12, round % 2 == 0);
    const auto code = KraftCode::FromLengths(lengths);
    ASSERT_TRUE(code.ok());
    if (lengths.empty()) continue;
    std::vector<size_t> symbols(100);
    BitWriter writer;
    for (size_t& symbol : symbols) {
      symbol = random.Below(lengths.size());
      code->Write(writer, symbol);
    }
    const uint64_t size = writer.position();
    BitReader reader(writer.Finish(), size);
    uint64_t position = 0;
    for (size_t symbol : symbols) {
      ASSERT_EQ(code->Read(reader), symbol);
      ASSERT_EQ(reader.position(), position += lengths[symbol]);
    }
    ASSERT_TRUE(reader.ok());
  }
}

TEST(KraftCodeTest, FailsOnCutWordsAndOnBitsThatAreNone) {
  const auto code = KraftCode::FromLengths(std::vector<unsigned>{2, 3, 5});  // 00, 010, 01100
  ASSERT_TRUE(code.ok());
  for (const std::string word : {"00", "010", "01100"}) {
    for (size_t cut = 0; cut < word.size(); cut++) {
      const std::vector<std::byte> bytes = reference::Packed(word.substr(0, cut));
      BitReader reader(bytes, cut);
      EXPECT_EQ(code->Read(reader), 0u);
      EXPECT_FALSE(reader.ok());
    }
  }
  for (const std::string none : {"01101", "0111", "1"}) {
    const std::vector<std::byte> bytes = reference::Packed(none + "0000000");
    BitReader reader(bytes);
    EXPECT_EQ(code->Read(reader), 0u);
    EXPECT_EQ(reader.error(), BitReader::Error::kNotACodeword);
  }
  BitReader any(AsBytes("any"));
  EXPECT_EQ(KraftCode::FromLengths({})->Read(any), 0u);
  EXPECT_FALSE(any.ok());
}

}  // namespace
}  // namespace crivello::bits
