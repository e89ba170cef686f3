// SPDX-License-Identifier: Apache-2.0
#include "index/build/merge_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace crivello::index {
namespace {

constexpr MergePolicy kPolicy = {.fan_in = 4, .floor_bytes = 100, .max_bytes = 1'000'000};

std::vector<MergeCandidate> OfBytes(const std::vector<uint64_t>& bytes) {
  std::vector<MergeCandidate> segments;
  for (const uint64_t b : bytes) segments.push_back({segments.size() + 1, b, 0, b});
  return segments;
}

TEST(MergePolicyTest, LeavesFewSegmentsAlone) {
  EXPECT_TRUE(PlanMerge({}, kPolicy).empty());
  EXPECT_TRUE(PlanMerge(OfBytes({5, 5, 5}), kPolicy).empty());
  EXPECT_TRUE(PlanMerge(OfBytes({5, 5, 5, 1000, 1000, 1000, 20'000}), kPolicy).empty());
}

TEST(MergePolicyTest, MergesSegmentsOfOneTier) {
  using Ids = std::vector<uint64_t>;
  EXPECT_EQ(PlanMerge(OfBytes({5, 100, 7, 90}), kPolicy), (Ids{1, 2, 3, 4}));
  EXPECT_EQ(PlanMerge(OfBytes({20'000, 5, 100, 7, 90, 8}), kPolicy), (Ids{2, 3, 4, 5}));
  EXPECT_EQ(PlanMerge(OfBytes({1000, 5, 1100, 900, 1000}), kPolicy), (Ids{1, 3, 4, 5}));
  EXPECT_TRUE(PlanMerge(OfBytes({2'000'000, 2'000'000, 2'000'000, 2'000'000}), kPolicy).empty());
}

TEST(MergePolicyTest, WritesAnewWhatIsMostlyDeleted) {
  using Ids = std::vector<uint64_t>;
  std::vector<MergeCandidate> segments = OfBytes({5000, 5'000'000});
  segments[0].deleted = 1500;
  EXPECT_TRUE(PlanMerge(segments, kPolicy).empty());
  segments[0].deleted = 1501;
  EXPECT_EQ(PlanMerge(segments, kPolicy), Ids{1});
  segments[0].deleted = 0;
  segments[1].deleted = 5'000'000;
  EXPECT_EQ(PlanMerge(segments, kPolicy), Ids{2});
}

TEST(MergePolicyTest, WritesEachDocumentOnceATier) {
  SeededRandom random(7);
  std::vector<MergeCandidate> segments;
  uint64_t written = 0;
  uint64_t total = 0;
  uint64_t next = 1;
  for (int commit = 0; commit < 3000; commit++) {
    const uint64_t bytes = 20 + random.Below(160);
    total += bytes;
    segments.push_back({next++, bytes, 0, bytes});
    for (;;) {
      const std::vector<uint64_t> plan = PlanMerge(segments, {.fan_in = 4, .floor_bytes = 100});
      if (plan.empty()) break;
      ASSERT_GE(plan.size(), 2u);
      uint64_t merged = 0;
      const auto in_plan = [&](const MergeCandidate& s) {
        return std::find(plan.begin(), plan.end(), s.id) != plan.end();
      };
      for (const MergeCandidate& segment : segments) merged += in_plan(segment) ? segment.bytes : 0;
      segments.erase(std::remove_if(segments.begin(), segments.end(), in_plan), segments.end());
      segments.push_back({next++, merged, 0, merged});
      written += merged;
    }
    const double tiers = 2 + std::log(static_cast<double>(total) / 100) / std::log(4);
    ASSERT_LE(static_cast<double>(segments.size()), 3 * tiers) << commit;
  }
  const double tiers = 2 + std::log(static_cast<double>(total) / 100) / std::log(4);
  EXPECT_LE(static_cast<double>(written), tiers * static_cast<double>(total));
}

}  // namespace
}  // namespace crivello::index
