// SPDX-License-Identifier: Apache-2.0
#include "succinct/approximate_dictionary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/test_support.h"

namespace crivello::succinct {
namespace {

std::string DictionaryKey(uint64_t i) { return "http://example.com/" + std::to_string(i); }

ImageWriter DictionaryImage(uint64_t keys, ApproximateDictionaryOptions options) {
  ApproximateDictionaryBuilder builder(std::move(options));
  for (uint64_t i = 0; i < keys; i++) EXPECT_TRUE(builder.Add(DictionaryKey(i)).ok());
  auto image = builder.Build();
  EXPECT_TRUE(image.ok()) << image.status().ToString();
  return std::move(image).value();
}

TEST(ApproximateDictionaryTest, ContainsEveryKey) {
  for (const uint64_t keys : {0u, 1u, 2u, 3u, 1000u, 100'000u}) {
    for (const unsigned bits : {1u, 8u, 16u, 40u}) {
      const ImageWriter image = DictionaryImage(keys, {.signature_bits = bits});
      const auto dictionary = ApproximateDictionary::FromImage(image.bytes());
      ASSERT_TRUE(dictionary.ok());
      EXPECT_EQ(dictionary->size(), keys);
      for (uint64_t i = 0; i < keys; i++) ASSERT_TRUE(dictionary->Contains(DictionaryKey(i))) << i;
    }
  }
}

TEST(ApproximateDictionaryTest, TheEmptySetContainsNothing) {
  const ImageWriter image = DictionaryImage(0, {.signature_bits = 1});
  const auto dictionary = ApproximateDictionary::FromImage(image.bytes());
  for (uint64_t i = 0; i < 100; i++) EXPECT_FALSE(dictionary->Contains(DictionaryKey(i)));
  EXPECT_EQ(dictionary->error(), 0);
}

TEST(ApproximateDictionaryTest, ErrsOnceInTwoToTheBits) {
  constexpr uint64_t kKeys = 50'000;
  constexpr uint64_t kStrangers = 400'000;
  for (const unsigned bits : {1u, 4u, 7u}) {
    const ImageWriter image = DictionaryImage(kKeys, {.signature_bits = bits});
    const auto dictionary = ApproximateDictionary::FromImage(image.bytes());
    ASSERT_TRUE(dictionary.ok());
    std::vector<std::string> strangers;
    for (uint64_t i = 0; i < kStrangers; i++) strangers.push_back(DictionaryKey(kKeys + i));
    const std::vector<std::string_view> views(strangers.begin(), strangers.end());
    const auto batch = std::make_unique<bool[]>(kStrangers);
    dictionary->ContainsBatch(views, {batch.get(), kStrangers});
    double found = 0;
    for (uint64_t i = 0; i < kStrangers; i++) {
      found += batch[i];
      ASSERT_EQ(dictionary->Contains(views[i]), batch[i]);
    }
    // The standard deviation is at most 1.8% of the mean.
    EXPECT_DOUBLE_EQ(dictionary->error(), std::ldexp(1, -static_cast<int>(bits)));
    EXPECT_NEAR(found / kStrangers, dictionary->error(), 0.1 * dictionary->error());
  }
}

TEST(ApproximateDictionaryTest, RefusesDuplicatesAndImpossibleSignatures) {
  ApproximateDictionaryBuilder builder;
  ASSERT_TRUE(builder.Add("a").ok());
  ASSERT_TRUE(builder.Add("a").ok());
  EXPECT_EQ(builder.Build().status().code(), StatusCode::kInvalidArgument);
  for (const unsigned bits : {0u, 41u}) {
    ApproximateDictionaryBuilder impossible({.signature_bits = bits});
    EXPECT_EQ(impossible.Add("a").code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(impossible.Build().status().code(), StatusCode::kInvalidArgument);
  }
}

TEST(ApproximateDictionaryTest, LiesInAFileAndFindsDamageThere) {
  TemporaryFolder folder;
  const std::string path = folder / "set";
  ApproximateDictionaryBuilder builder;
  for (uint64_t i = 0; i < 20; i++) ASSERT_TRUE(builder.Add(DictionaryKey(i)).ok());
  ASSERT_TRUE(builder.WriteFile(path).ok());
  {
    const auto dictionary = Mapped<ApproximateDictionary>::Open(path);
    ASSERT_TRUE(dictionary.ok());
    for (uint64_t i = 0; i < 20; i++) EXPECT_TRUE((*dictionary)->Contains(DictionaryKey(i)));
    EXPECT_EQ((*dictionary)->Describe().back().name, "error");
  }
  const std::string good = *ReadFile(path);
  for (size_t at = 0; at < good.size(); at++) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_EQ(Mapped<ApproximateDictionary>::Open(path).status().code(), StatusCode::kCorruption) << at;
    std::ofstream(path, std::ios::binary) << good.substr(0, at);
    EXPECT_EQ(Mapped<ApproximateDictionary>::Open(path).status().code(), StatusCode::kCorruption) << at;
  }
}

}  // namespace
}  // namespace crivello::succinct
