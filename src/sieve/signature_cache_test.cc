// SPDX-License-Identifier: Apache-2.0
#include "sieve/signature_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/random.h"

namespace crivello::sieve {
namespace {

TEST(SignatureCacheTest, KeepsTheEightUsedLastInASet) {
  SignatureCache cache(1);  // one set
  EXPECT_EQ(cache.memory_bytes(), 64u);
  for (uint64_t i = 1; i <= 8; i++) {
    EXPECT_FALSE(cache.Contains(i));
    cache.Insert(i);
  }
  EXPECT_TRUE(cache.Contains(1));  // now 1 is the newest, 2 the oldest
  cache.Insert(9);
  EXPECT_FALSE(cache.Contains(2));
  for (const uint64_t i : {1u, 3u, 4u, 5u, 6u, 7u, 8u, 9u}) EXPECT_TRUE(cache.Contains(i)) << i;
  cache.Insert(9);  // again: evicts none
  for (const uint64_t i : {1u, 3u, 4u, 5u, 6u, 7u, 8u, 9u}) EXPECT_TRUE(cache.Contains(i)) << i;
}

TEST(SignatureCacheTest, NeverClaimsWhatWasNotInserted) {
  SignatureCache cache(1 << 12);
  SeededRandom random(1);
  EXPECT_FALSE(cache.Contains(0));
  cache.Insert(0);
  EXPECT_FALSE(cache.Contains(0)) << "the signature 0 is never cached";
  for (int i = 0; i < 10000; i++) {
    cache.Insert(random.Next() | 1);
    EXPECT_FALSE(cache.Contains(random.Next() & ~uint64_t{1}));
  }
}

TEST(SignatureCacheTest, HoldsMostOfWhatFits) {
  SignatureCache cache(64 << 10);  // 8192 signatures
  SeededRandom random(2);
  std::vector<uint64_t> last;
  for (int i = 0; i < 100000; i++) {
    const uint64_t signature = random.Next();
    cache.Insert(signature);
    if (i >= 100000 - 4096) last.push_back(signature);
  }
  int found = 0;
  for (const uint64_t signature : last) found += cache.Contains(signature) ? 1 : 0;
  EXPECT_GT(found, 4096 * 9 / 10) << "of the newest half";
}

TEST(SignatureCacheTest, GivesThreadsOnlyWhatWasInserted) {
  SignatureCache cache(1 << 10);
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; t++) {
    threads.emplace_back([&cache, t] {
      SeededRandom random(t);
      for (int i = 0; i < 20000; i++) {
        const uint64_t signature = 1 + random.Below(500);
        if (signature % 2 == 0) cache.Insert(signature);
        if (cache.Contains(signature)) {
          EXPECT_EQ(signature % 2, 0u);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace crivello::sieve
