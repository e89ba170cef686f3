// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash/hamming_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/random.h"
#include "base/test_support.h"

namespace crivello::dedup {
namespace {

// The fingerprint with some bits flipped.
uint64_t FlipBits(uint64_t fingerprint, uint64_t count, SeededRandom* random) {
  for (uint64_t i = 0; i < count; i++) fingerprint ^= uint64_t{1} << random->Below(64);
  return fingerprint;
}

std::vector<NearDocument> SearchAll(std::span<const Fingerprinted> all, uint64_t query, unsigned distance) {
  std::vector<NearDocument> near;
  for (const Fingerprinted& one : all) {
    const int differing = __builtin_popcountll(one.fingerprint ^ query);
    if (differing <= static_cast<int>(distance)) near.push_back({one.document, differing});
  }
  std::sort(near.begin(), near.end());
  return near;
}

TEST(HammingPlanTest, PermutesBitsAndBack) {
  SeededRandom random(1);
  for (unsigned distance = 0; distance <= HammingPlan::kMostDistance; distance++) {
    for (unsigned blocks = distance + 1; blocks <= distance + 3; blocks++) {
      const HammingPlan plan = HammingPlan::Create(distance, blocks).value();
      for (const HammingTable& table : plan.tables) {
        const uint64_t fingerprint = random.Next();
        const uint64_t permuted = table.Permute(fingerprint);
        EXPECT_EQ(table.Restore(permuted), fingerprint);
        EXPECT_EQ(__builtin_popcountll(permuted), __builtin_popcountll(fingerprint));
        // The bits of the mask come first.
        EXPECT_EQ(table.Permute(table.mask()),
                  table.prefix_bits() == 64 ? ~uint64_t{0} : ~(~uint64_t{0} >> table.prefix_bits()));
      }
      // Any fingerprint that close agrees in some prefix.
      for (int i = 0; i < 200; i++) {
        const uint64_t a = random.Next(), b = FlipBits(a, distance, &random);
        EXPECT_TRUE(std::any_of(plan.tables.begin(), plan.tables.end(),
                                [&](const HammingTable& table) { return table.Agree(a, b); }));
      }
    }
  }
  EXPECT_EQ(HammingPlan::Create(3, 4)->tables.size(), 4u);
  EXPECT_EQ(HammingPlan::Create(3, 5)->tables.size(), 10u);
  EXPECT_FALSE(HammingPlan::Create(3, 3).ok());
  EXPECT_FALSE(HammingPlan::Create(7, 9).ok());
  EXPECT_FALSE(HammingPlan::Create(3, 13).ok());
}

TEST(HammingPlanTest, TakesMoreTablesForMoreFingerprints) {
  EXPECT_EQ(HammingPlan::For(3, 1000, 100)->blocks, 4u);
  EXPECT_EQ(HammingPlan::For(3, 100'000'000, 100)->blocks, 5u);
  for (unsigned distance = 0; distance <= HammingPlan::kMostDistance; distance++) {
    const auto plan = HammingPlan::For(distance, uint64_t{1} << 34, 1);
    ASSERT_TRUE(plan.ok());
    EXPECT_LE(plan->tables.size(), HammingPlan::kMostTables);
  }
}

TEST(HammingIndexTest, FindsWhatIsNearAndNothingElse) {
  SeededRandom random(2);
  for (const auto& [distance, blocks] : std::vector<std::pair<unsigned, unsigned>>{
           {0, 1}, {0, 4}, {1, 2}, {2, 4}, {3, 4}, {3, 6}, {4, 6}, {5, 7}, {6, 8}}) {
    for (const uint64_t count : {0u, 1u, 2u, 500u}) {
      HammingIndexBuilder builder(HammingPlan::Create(distance, blocks).value());
      std::vector<Fingerprinted> all;
      for (uint32_t i = 0; i < count; i++) {
        // Some are near each other, some equal, some have few bits.
        uint64_t fingerprint = random.Next();
        if (i > 0 && random.Below(2) == 0) {
          fingerprint = FlipBits(all[random.Below(i)].fingerprint, random.Below(9), &random);
        }
        if (random.Below(10) == 0) fingerprint &= 0xff;
        all.push_back({fingerprint, i * 3});
        builder.Add(fingerprint, i * 3);
      }
      auto image = builder.Build();
      ASSERT_TRUE(image.ok()) << image.status().ToString();
      const auto index = HammingIndex::FromImage(image->bytes());
      ASSERT_TRUE(index.ok()) << index.status().ToString();
      EXPECT_EQ(index->documents(), count);
      std::vector<uint64_t> queries = {0, ~uint64_t{0}, random.Next()};
      for (const Fingerprinted& one : all)
        queries.push_back(FlipBits(one.fingerprint, random.Below(8), &random));
      const auto batch = index->SearchBatch(queries);
      for (size_t i = 0; i < queries.size(); i++) {
        const auto near = SearchAll(all, queries[i], distance);
        EXPECT_EQ(index->Search(queries[i]), near);
        EXPECT_EQ(batch[i], near);
      }
    }
  }
}

TEST(HammingIndexTest, TakesFewBitsForAFingerprint) {
  SeededRandom random(3);
  HammingIndexBuilder builder(HammingPlan::Create(3, 4).value());
  constexpr uint32_t kCount = 100'000;
  for (uint32_t i = 0; i < kCount; i++) builder.Add(random.Next(), i);
  const auto image = builder.Build();
  ASSERT_TRUE(image.ok());
  // Four tables with log2(2^64 / n) + 2 bits plus 5%, and the document.
  EXPECT_LT(static_cast<double>(image->bytes().size() * 8) / kCount, 4 * 1.05 * (64 - 16.6 + 2) + 32 + 4);
}

TEST(HammingIndexTest, RefusesDamageAndNeverReadsOutside) {
  SeededRandom random(4);
  HammingIndexBuilder builder(HammingPlan::Create(3, 4).value());
  for (uint32_t i = 0; i < 20; i++) builder.Add(random.Next(), i / 2);
  const auto image = builder.Build();
  ASSERT_TRUE(image.ok());
  const std::string whole(AsText(image->bytes()));
  const auto use = [&](std::string_view bytes) {
    std::vector<uint64_t> words((bytes.size() + 7) / 8);
    if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
    const auto index = HammingIndex::FromImage(std::as_bytes(std::span(words)).first(bytes.size()));
    if (!index.ok()) return false;
    index->Search(0);
    index->Search(0x123456789abcdef);
    return true;
  };
  EXPECT_TRUE(use(whole));
  for (size_t size = 0; size < whole.size(); size++) EXPECT_FALSE(use(whole.substr(0, size)));
  for (size_t at = 0; at < whole.size(); at++) {
    for (int bit = 0; bit < 8; bit += 3) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      use(bytes);
    }
  }
}

TEST(HammingIndexTest, IsTheSameFromAFile) {
  const TemporaryFolder folder;
  SeededRandom random(5);
  HammingIndexBuilder builder(HammingPlan::Create(3, 4).value());
  std::vector<Fingerprinted> all;
  for (uint32_t i = 0; i < 300; i++) {
    all.push_back({random.Next(), i});
    builder.Add(all.back().fingerprint, i);
  }
  ASSERT_TRUE(builder.WriteFile(folder / "tables").ok());
  const auto file = Mapped<HammingIndex>::Open(folder / "tables");
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  for (const Fingerprinted& one : all) {
    EXPECT_EQ((*file)->Search(one.fingerprint ^ 0x8001), SearchAll(all, one.fingerprint ^ 0x8001, 3));
  }
}

}  // namespace
}  // namespace crivello::dedup
