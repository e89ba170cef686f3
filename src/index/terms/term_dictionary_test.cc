// SPDX-License-Identifier: Apache-2.0
#include "index/terms/term_dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/terms/term_test_support.h"

namespace crivello::index {
namespace {

TermDictionary OpenDictionary(const std::vector<uint64_t>& image) {
  auto dictionary = TermDictionary::FromImage(std::as_bytes(std::span(image)));
  EXPECT_TRUE(dictionary.ok()) << dictionary.status().ToString();
  return std::move(dictionary).value();
}

std::vector<std::string> WithLongOnes(std::vector<std::string> terms) {
  for (const size_t size : {14u, 15u, 16u, 17u, 30u, 31u, 32u, 127u, 128u, 143u, 20'000u}) {
    terms.push_back(std::string(size, 'm'));
    terms.push_back(std::string(size, 'm') + "z");
    terms.push_back("m" + std::string(size, '\xff'));
  }
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

TEST(TermDictionaryTest, FindsEveryTermAndNoOther) {
  for (const size_t count : {0u, 1u, 2u, 15u, 16u, 17u, 33u, 5000u}) {
    SCOPED_TRACE(count);
    SeededRandom random(count);
    std::vector<std::string> terms = SomeWords(random, count);
    if (count > 100) terms = WithLongOnes(std::move(terms));
    const std::vector<uint64_t> image = DictionaryImage(terms);
    const TermDictionary dictionary = OpenDictionary(image);
    ASSERT_EQ(dictionary.size(), terms.size());
    for (uint64_t i = 0; i < terms.size(); i++) {
      ASSERT_EQ(dictionary.Find(terms[i]), (TermEntry{i, 3 * i}));
      ASSERT_EQ(dictionary.TermAt(i), terms[i]);
      ASSERT_EQ(dictionary.StartOf(i), 3 * i);
    }
    for (uint64_t i = 0; i < 3000; i++) {
      std::string stranger = SomeWord(random);
      if (i % 2 == 0) stranger.pop_back();
      const bool there = std::binary_search(terms.begin(), terms.end(), stranger);
      ASSERT_EQ(dictionary.Find(stranger).has_value(), there) << stranger;
    }
  }
}

TEST(TermDictionaryTest, HasTheEmptyTerm) {
  const std::vector<uint64_t> image = DictionaryImage({"", "a"});
  const TermDictionary dictionary = OpenDictionary(image);
  EXPECT_EQ(dictionary.Find(""), (TermEntry{0, 0}));
  EXPECT_EQ(dictionary.Find("a"), (TermEntry{1, 3}));
  EXPECT_EQ(dictionary.Find("b"), std::nullopt);
}

TEST(TermDictionaryTest, SeeksTheFirstTermThatIsNotLess) {
  for (const size_t count : {0u, 1u, 16u, 17u, 700u}) {
    SCOPED_TRACE(count);
    SeededRandom random(count + 1);
    const std::vector<std::string> terms = WithLongOnes(SomeWords(random, count));
    const std::vector<uint64_t> image = DictionaryImage(terms);
    const TermDictionary dictionary = OpenDictionary(image);
    std::vector<std::string> targets = terms;
    targets.insert(targets.end(), {"", "\xff\xff", "m"});
    for (const std::string& term : terms) {
      targets.push_back(term + '\0');
      if (!term.empty()) targets.push_back(term.substr(0, term.size() - 1));
    }
    for (const std::string& target : targets) {
      const auto rank =
          static_cast<uint64_t>(std::lower_bound(terms.begin(), terms.end(), target) - terms.begin());
      TermCursor cursor = dictionary.Seek(target);
      for (uint64_t i = rank; i < std::min<uint64_t>(rank + 20, terms.size()); i++, cursor.Next()) {
        ASSERT_TRUE(cursor.valid());
        ASSERT_EQ(cursor.term(), terms[i]);
        ASSERT_EQ(cursor.entry(), (TermEntry{i, 3 * i}));
      }
      if (rank + 20 >= terms.size()) {
        ASSERT_FALSE(cursor.valid());
        ASSERT_EQ(cursor.rank(), terms.size());
      }
    }
  }
}

TEST(TermDictionaryTest, SkipsPrefixes) {
  SeededRandom random(5);
  std::vector<std::string> terms = SomeWords(random, 3000);
  for (int i = 0; i < 40; i++) terms.push_back("\xff\xff" + std::to_string(1000 + i));
  std::sort(terms.begin(), terms.end());
  const std::vector<uint64_t> image = DictionaryImage(terms);
  const TermDictionary dictionary = OpenDictionary(image);
  for (uint64_t i = 0; i < terms.size(); i += 1 + i % 7) {
    for (size_t bytes = 0; bytes <= terms[i].size(); bytes++) {
      const std::string prefix = terms[i].substr(0, bytes);
      TermCursor cursor = dictionary.At(i);
      cursor.SkipPrefix(bytes);
      const auto after = std::find_if(terms.begin() + std::ptrdiff_t(i), terms.end(),
                                      [&](const std::string& t) { return t.compare(0, bytes, prefix) != 0; });
      ASSERT_EQ(cursor.rank(), static_cast<uint64_t>(after - terms.begin())) << terms[i] << " " << bytes;
    }
  }
}

TEST(TermDictionaryTest, RefusesTermsAndStartsOutOfOrder) {
  TermDictionaryBuilder builder;
  ASSERT_TRUE(builder.Add("b", 7).ok());
  EXPECT_EQ(builder.Add("a", 8).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(builder.Add("b", 8).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(builder.Add("c", 6).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(builder.Add("c", 7).ok());
  EXPECT_EQ(builder.size(), 2u);
  EXPECT_TRUE(builder.Build().ok());
}

TEST(TermDictionaryTest, StaysWithinADamagedImage) {
  SeededRandom random(9);
  const std::vector<std::string> terms = SomeWords(random, 40);
  const std::vector<uint64_t> good = DictionaryImage(terms);
  uint64_t opened = 0;
  const auto use = [&](const std::vector<uint64_t>& words) {
    const auto dictionary = TermDictionary::FromImage(std::as_bytes(std::span(words)));
    if (!dictionary.ok()) {
      EXPECT_EQ(dictionary.status().code(), StatusCode::kCorruption);
      return;
    }
    opened++;
    for (const std::string& term : terms) {
      const auto entry = dictionary->Find(term);
      if (entry) {
        ASSERT_EQ(dictionary->TermAt(entry->rank), term);
      }
      TermCursor cursor = dictionary->Seek(term);
      for (uint64_t last = cursor.rank(); cursor.valid(); last = cursor.rank()) {
        cursor.SkipPrefix(std::min<size_t>(cursor.term().size(), 2));
        ASSERT_GT(cursor.rank(), last);
      }
    }
    uint64_t visited = 0;
    for (TermCursor cursor = dictionary->Begin(); cursor.valid(); cursor.Next()) visited++;
    ASSERT_LE(visited, dictionary->size());
    EXPECT_FALSE(dictionary->Describe().empty());
  };
  for (size_t bit = 0; bit < good.size() * 64; bit++) {
    std::vector<uint64_t> bad = good;
    bad[bit / 64] ^= uint64_t{1} << (bit % 64);
    use(bad);
  }
  EXPECT_GT(opened, good.size() * 16);  // most bits are not part of lengths
  for (size_t size = 0; size < good.size(); size++) {
    const std::vector<uint64_t> cut(good.begin(), good.begin() + std::ptrdiff_t(size));
    EXPECT_FALSE(TermDictionary::FromImage(std::as_bytes(std::span(cut))).ok()) << size;
  }
}

}  // namespace
}  // namespace crivello::index
