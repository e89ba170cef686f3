// SPDX-License-Identifier: Apache-2.0
#include "succinct/term_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "base/test_support.h"

namespace crivello::succinct {
namespace {

// Sorted and distinct, of many lengths, with bytes above 127.
std::vector<std::string> Terms(uint64_t count) {
  std::vector<std::string> terms;
  for (uint64_t i = 0; i < count; i++) {
    std::string term = std::to_string(Mix64(i));
    if (i % 3 == 0) term = "\xc3\xa8" + term.substr(0, 1 + i % 4) + std::to_string(i);
    terms.push_back(std::move(term));
  }
  std::sort(terms.begin(), terms.end());
  return terms;
}

ImageWriter MapImage(const std::vector<std::string>& terms, TermMapOptions options) {
  TermMapBuilder builder(std::move(options));
  for (const std::string& term : terms) {
    const Status status = builder.Add(term);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  auto image = builder.Build();
  EXPECT_TRUE(image.ok()) << image.status().ToString();
  return std::move(image).value();
}

TEST(TermMapTest, GivesEveryTermItsRank) {
  for (const uint64_t count : {0u, 1u, 2u, 3u, 10u, 1000u, 100'000u}) {
    for (const unsigned signature_bits : {0u, 1u, 8u, 32u, 40u}) {
      for (const bool compacted : {false, true}) {
        SCOPED_TRACE(testing::Message() << count << " terms, signatures of " << signature_bits << " bits");
        const std::vector<std::string> terms = Terms(count);
        const ImageWriter image =
            MapImage(terms, {.signature_bits = signature_bits, .function = {.compacted = compacted}});
        const auto map = TermMap::FromImage(image.bytes());
        ASSERT_TRUE(map.ok()) << map.status().ToString();
        EXPECT_EQ(map->size(), count);
        const std::vector<std::string_view> views(terms.begin(), terms.end());
        std::vector<int64_t> batch(count);
        map->RankBatch(views, batch);
        for (uint64_t i = 0; i < count; i++) {
          ASSERT_EQ(map->Rank(terms[i]), i);
          ASSERT_EQ(batch[i], static_cast<int64_t>(i));
        }
      }
    }
  }
}

TEST(TermMapTest, HasRanksOfCeilLogBits) {
  for (const auto& [count, bits] :
       {std::pair(1, 1u), {2, 1u}, {3, 2u}, {4, 2u}, {5, 3u}, {1000, 10u}, {1024, 10u}, {1025, 11u}}) {
    const ImageWriter image = MapImage(Terms(static_cast<uint64_t>(count)), {});
    const Description description = TermMap::FromImage(image.bytes())->Describe();
    const auto field = std::find_if(description.begin(), description.end(),
                                    [](const Field& f) { return f.name == "function-bits"; });
    ASSERT_NE(field, description.end());
    EXPECT_EQ(std::get<uint64_t>(field->value), bits) << count;
  }
}

TEST(TermMapTest, TakesForAbsentTermsAsManyAsTheSignaturesLetThrough) {
  constexpr uint64_t kTerms = 65'536;  // all 2^16 ranks are used, so only signatures help
  constexpr uint64_t kStrangers = 400'000;
  const std::vector<std::string> terms = Terms(kTerms);
  for (const unsigned bits : {1u, 4u, 7u}) {
    const ImageWriter image = MapImage(terms, {.signature_bits = bits});
    const auto map = TermMap::FromImage(image.bytes());
    ASSERT_TRUE(map.ok());
    std::vector<std::string> strangers;
    for (uint64_t i = 0; i < kStrangers; i++) strangers.push_back("absent " + std::to_string(i));
    const std::vector<std::string_view> views(strangers.begin(), strangers.end());
    std::vector<int64_t> batch(kStrangers);
    map->RankBatch(views, batch);
    double found = 0;
    for (uint64_t i = 0; i < kStrangers; i++) {
      found += batch[i] != TermMap::kAbsent;
      ASSERT_EQ(map->Rank(views[i]).has_value(), batch[i] != TermMap::kAbsent);
    }
    // The standard deviation is at most 1.8% of the mean.
    EXPECT_NEAR(found / kStrangers, std::ldexp(1, -static_cast<int>(bits)),
                0.1 * std::ldexp(1, -static_cast<int>(bits)));
  }
}

TEST(TermMapTest, WithoutSignaturesGivesStrangersARankOrNone) {
  const ImageWriter image = MapImage(Terms(700), {});
  const auto map = TermMap::FromImage(image.bytes());
  for (uint64_t i = 0; i < 1000; i++) {
    const auto rank = map->Rank("absent " + std::to_string(i));
    if (rank.has_value()) {
      EXPECT_LT(*rank, 700u);
    }
  }
}

TEST(TermMapTest, RefusesTermsOutOfOrderAndTwice) {
  TermMapBuilder builder;
  EXPECT_TRUE(builder.Add("").ok());
  EXPECT_EQ(builder.Add("").code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(builder.Add("b").ok());
  EXPECT_EQ(builder.Add("b").code(), StatusCode::kInvalidArgument);
  const Status status = builder.Add("a");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "term map: terms must increase, but term 2 is \"a\", after \"b\"");
  EXPECT_TRUE(builder.Add("\xff").ok());  // ordered by unsigned bytes
  EXPECT_EQ(builder.size(), 3u);
  EXPECT_TRUE(builder.Build().ok());
}

TEST(TermMapTest, RefusesSignaturesTooLong) {
  EXPECT_EQ(TermMapBuilder({.signature_bits = 41}).Build().status().code(), StatusCode::kInvalidArgument);
}

TEST(TermMapTest, LiesInAFileAndFindsDamageThere) {
  TemporaryFolder folder;
  const std::string path = folder / "terms";
  const std::vector<std::string> terms = Terms(20);
  TermMapBuilder builder({.signature_bits = 8});
  for (const std::string& term : terms) ASSERT_TRUE(builder.Add(term).ok());
  ASSERT_TRUE(builder.WriteFile(path).ok());
  {
    const auto map = Mapped<TermMap>::Open(path);
    ASSERT_TRUE(map.ok()) << map.status().ToString();
    for (uint64_t i = 0; i < terms.size(); i++) EXPECT_EQ((*map)->Rank(terms[i]), i);
    EXPECT_EQ(Mapped<StaticFunction>::Open(path).status().code(), StatusCode::kCorruption);
  }
  const std::string good = *ReadFile(path);
  for (size_t at = 0; at < good.size(); at++) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 16);
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_EQ(Mapped<TermMap>::Open(path).status().code(), StatusCode::kCorruption) << at;
    std::ofstream(path, std::ios::binary) << good.substr(0, at);
    EXPECT_EQ(Mapped<TermMap>::Open(path).status().code(), StatusCode::kCorruption) << at;
  }
}

TEST(TermMapTest, StaysWithinADamagedImage) {
  const std::vector<std::string> terms = Terms(40);
  const std::vector<std::string_view> views(terms.begin(), terms.end());
  for (const unsigned signature_bits : {0u, 9u}) {
    const std::vector<uint64_t> good = MapImage(terms, {.signature_bits = signature_bits}).Release();
    const auto use = [&](const std::vector<uint64_t>& words) {
      const auto map = TermMap::FromImage(std::as_bytes(std::span(words)));
      if (!map.ok()) {
        EXPECT_EQ(map.status().code(), StatusCode::kCorruption);
        return;
      }
      std::vector<int64_t> out(views.size());
      map->RankBatch(views, out);
      for (size_t i = 0; i < views.size(); i++)
        EXPECT_EQ(out[i], static_cast<int64_t>(map->Rank(views[i]).value_or(~uint64_t{0})));
    };
    for (size_t bit = 0; bit < good.size() * 64; bit++) {
      std::vector<uint64_t> bad = good;
      bad[bit / 64] ^= uint64_t{1} << (bit % 64);
      use(bad);
    }
    for (size_t size = 0; size < good.size(); size++)
      use({good.begin(), good.begin() + std::ptrdiff_t(size)});
  }
}

}  // namespace
}  // namespace crivello::succinct
