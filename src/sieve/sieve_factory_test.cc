// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_factory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "sieve/sieve_load.h"

namespace crivello::sieve {
namespace {

// So little memory that Bloom filters lose hundreds of keys.
constexpr SieveOptions kOptions = {.memory_bytes = 32u << 10, .expected_keys = 30000};

// What a sieve lets through of a stream with repeats at all distances. The moments of offers, flushes and
// takes differ from seed to seed, which must not affect the result.
std::vector<std::string> Sieved(std::string_view kind, uint64_t seed) {
  const TemporaryFolder folder;
  std::vector<std::string> out;
  const bool bloom = kind.find("bloom") != std::string_view::npos;
  auto sieve = MakeSieve(kind, folder / "sieve", bloom ? kOptions : SieveOptions{.memory_bytes = 16u << 20});
  EXPECT_TRUE(sieve.ok()) << sieve.status().ToString();
  if (!sieve.ok()) return out;
  const auto take = [&](uint64_t limit) {
    EXPECT_TRUE((*sieve)->Take(limit, [&](std::string_view bytes) { out.emplace_back(bytes); }).ok());
  };
  SeededRandom stream(7);
  SeededRandom moments(seed);
  for (uint64_t offered = 0; offered < 60000;) {
    std::vector<LoadKey> keys;
    for (uint64_t n = 1 + stream.Below(200); n > 0; n--) keys.emplace_back(1, stream.Below(++offered));
    std::vector<Key> views;
    for (const auto& key : keys) views.push_back(key.key());
    EXPECT_TRUE((*sieve)->Offer(views).ok());
    if (moments.Below(30) == 0) {
      EXPECT_TRUE((*sieve)->Flush({.wait = moments.Below(2) == 0}).ok());
    }
    if (moments.Below(10) == 0) take(moments.Below(5000));
  }
  EXPECT_TRUE((*sieve)->Flush({.wait = true}).ok());
  take(UINT64_MAX);
  return out;
}

TEST(SieveFactoryTest, AllKindsLetTheSameKeysThroughInTheSameOrder) {
  const std::vector<std::string> expected = Sieved("memory", 1);
  EXPECT_EQ(std::set<std::string>(expected.begin(), expected.end()).size(), expected.size());
  EXPECT_GT(expected.size(), 20000u);
  uint64_t seed = 1;
  for (const SieveKind& kind : SieveKinds()) {
    SCOPED_TRACE(kind.name);
    const std::vector<std::string> out = Sieved(kind.name, ++seed);
    if (kind.name.find("bloom") == std::string_view::npos) {
      EXPECT_EQ(out, expected);
      continue;
    }
    // Except keys that a Bloom filter considers known; the rest is in the same order.
    size_t at = 0;
    for (const auto& key : out) {
      while (at < expected.size() && expected[at] != key) at++;
      ASSERT_LT(at, expected.size()) << key;
      at++;
    }
    const auto lost = static_cast<double>(expected.size() - out.size());
    const double average = ExpectedLosses(kind.name, kOptions, expected.size());
    EXPECT_GT(average, 20);
    EXPECT_NEAR(lost, average, 5 * std::sqrt(average));
  }
}

TEST(SieveFactoryTest, NamesTheKindsThereAre) {
  const auto none = MakeSieve("colander", "/nowhere", {});
  EXPECT_EQ(none.status().code(), StatusCode::kInvalidArgument);
  for (const SieveKind& kind : SieveKinds()) {
    EXPECT_NE(none.status().message().find(kind.name), std::string::npos) << kind.name;
  }
}

}  // namespace
}  // namespace crivello::sieve
