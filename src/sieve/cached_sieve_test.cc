// SPDX-License-Identifier: Apache-2.0
#include "sieve/cached_sieve.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/test_support.h"
#include "sieve/memory_sieve.h"
#include "sieve/mercator_sieve.h"
#include "sieve/sieve_contract.h"

namespace crivello::sieve {
namespace {

Result<std::unique_ptr<Sieve>> Cached(Result<std::unique_ptr<Sieve>> sieve, uint64_t cache_bytes) {
  CRV_TRY(sieve.status());
  return WithCache(std::move(sieve).value(), cache_bytes);
}

// Cache sizes: one set of eight signatures, and more than the tests offer.
SieveSubject CachedSubject(const std::string& name, uint64_t cache_bytes, uint64_t batch_keys) {
  return {.name = name, .open = [=](const std::string& folder, FileSystem& fs) {
            return Cached(OpenMercatorSieve(folder, {.memory_bytes = 0, .batch_keys = batch_keys}, fs),
                          cache_bytes);
          }};
}
const SieveSubject kTinyCache = CachedSubject("TinyCache", 64, 40);
const SieveSubject kLargeCache = CachedSubject("LargeCache", 1 << 20, 40);
const SieveSubject kBeforeMemory = {.name = "BeforeMemory",
                                    .open = [](const std::string& folder, FileSystem& fs) {
                                      return Cached(OpenMemorySieve(folder, {}, fs), 1 << 20);
                                    }};

std::vector<std::string> AllOf(Sieve& sieve) {
  std::vector<std::string> all;
  while (true) {
    const auto count = sieve.Take(100, [&](std::string_view bytes) { all.emplace_back(bytes); });
    EXPECT_TRUE(count.ok());
    if (!count.ok() || *count == 0) return all;
  }
}

INSTANTIATE_TEST_SUITE_P(Cached, SieveContract, testing::Values(kTinyCache, kLargeCache, kBeforeMemory),
                         SubjectName);
INSTANTIATE_TEST_SUITE_P(Cached, SieveCrash, testing::Values(kLargeCache, kBeforeMemory), SubjectName);

TEST(CachedSieveTest, DropsRecentRepeats) {
  TemporaryFolder folder;
  auto opened = OpenMercatorSieve(folder / "sieve", {.memory_bytes = 1 << 20});
  ASSERT_TRUE(opened.ok());
  const auto sieve = WithCache(std::move(opened).value(), 1 << 17);
  std::vector<Key> keys;
  for (uint64_t i = 1; i <= 100; i++) keys.push_back({.signature = i, .bytes = "key"});
  for (int round = 0; round < 3; round++) ASSERT_TRUE(sieve->Offer(keys).ok());
  EXPECT_EQ(sieve->stats().offered, 300u);
  EXPECT_EQ(sieve->stats().cached, 200u);
  EXPECT_EQ(sieve->stats().waiting, 100u);
  EXPECT_GE(sieve->stats().memory_bytes, 1u << 17);
}

// Otherwise a repeat of it would be lost even though it was synced.
TEST(CachedSieveTest, RemembersNoKeyThatTheSieveDidNotTake) {
  TemporaryFolder folder;
  auto opened = OpenMemorySieve(folder / "sieve", {});
  ASSERT_TRUE(opened.ok());
  const auto sieve = WithCache(std::move(opened).value(), 1 << 17);
  const std::string large(kMaxKeyBytes + 1, 'x');
  const std::vector<Key> keys = {{.signature = 1, .bytes = "a"}, {.signature = 2, .bytes = large}};
  EXPECT_EQ(sieve->Offer(keys).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(sieve->stats().offered, 0u);
  ASSERT_TRUE(sieve->Offer(std::span(keys).first(1)).ok());
  ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
  EXPECT_EQ(AllOf(*sieve), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace crivello::sieve
