// SPDX-License-Identifier: Apache-2.0
#include "sieve/external_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"

namespace crivello::sieve {
namespace {

using Row = std::tuple<uint64_t, uint64_t, std::string>;

Result<std::vector<Row>> Sorted(const std::vector<Row>& rows, const ExternalSortOptions& options,
                                uint64_t* spilled = nullptr) {
  ExternalSorter sorter(options);
  for (const auto& [major, minor, bytes] : rows) {
    CRV_TRY(sorter.Add({.major = major, .minor = minor, .bytes = bytes}));
  }
  CRV_TRY(sorter.Finish());
  std::vector<Row> sorted;
  while (sorter.Next()) {
    sorted.emplace_back(sorter.record().major, sorter.record().minor, std::string(sorter.record().bytes));
  }
  CRV_TRY(sorter.status());
  if (spilled != nullptr) *spilled = sorter.spilled_bytes();
  return sorted;
}

std::vector<Row> SlowSorted(std::vector<Row> rows, bool unique) {
  const auto key = [](const Row& row) { return std::pair(std::get<0>(row), std::get<1>(row)); };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
  if (unique) {
    rows.erase(std::unique(rows.begin(), rows.end(),
                           [](const Row& a, const Row& b) { return std::get<0>(a) == std::get<0>(b); }),
               rows.end());
  }
  return rows;
}

std::vector<Row> RandomRows(uint64_t seed, size_t count, uint64_t majors, size_t longest) {
  SeededRandom random(seed);
  std::vector<Row> rows;
  for (size_t i = 0; i < count; i++) {
    std::string bytes(random.Below(longest + 1), static_cast<char>('a' + random.Below(26)));
    rows.emplace_back(random.Below(majors), random.Below(3), bytes + std::to_string(i));
  }
  return rows;
}

TEST(ExternalSorterTest, SortsAsStableSortDoesWhateverTheMemory) {
  const TemporaryFolder folder;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    SCOPED_TRACE(seed);
    const auto rows = RandomRows(seed, seed * 997, seed % 2 == 0 ? 50 : UINT64_MAX, seed * 5);
    for (const uint64_t memory : {kMinSortMemory, uint64_t{1} << 18, uint64_t{64} << 20}) {
      for (const bool unique : {false, true}) {
        const auto sorted = Sorted(rows, {.folder = folder.path(), .memory_bytes = memory, .unique = unique});
        ASSERT_TRUE(sorted.ok()) << sorted.status().ToString();
        ASSERT_EQ(*sorted, SlowSorted(rows, unique));
      }
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ExternalSorterTest, MergesMoreRunsThanItOpensAtOnce) {
  const TemporaryFolder folder;
  // 64 KiB hold about 50 such records: 6,000 are 120 runs, which become one of 64 and the rest.
  const auto rows = RandomRows(7, 6000, 1000, 2400);
  uint64_t bytes = 0, spilled = 0;
  for (const auto& row : rows) bytes += std::get<2>(row).size();
  const auto sorted = Sorted(rows, {.folder = folder.path(), .memory_bytes = kMinSortMemory}, &spilled);
  ASSERT_TRUE(sorted.ok()) << sorted.status().ToString();
  EXPECT_EQ(*sorted, SlowSorted(rows, false));
  EXPECT_GT(spilled, bytes * 5 / 4);
  EXPECT_LT(spilled, bytes * 2);
}

TEST(ExternalSorterTest, TakesNoRecordsOneAndExtremes) {
  const TemporaryFolder folder;
  const std::vector<std::vector<Row>> cases = {
      {},
      {{0, 0, ""}},
      {{UINT64_MAX, UINT64_MAX, "z"}, {0, UINT64_MAX, ""}, {0, 0, std::string(60000, 'x')}}};
  for (const auto& rows : cases) {
    const auto sorted = Sorted(rows, {.folder = folder.path(), .memory_bytes = 0});
    ASSERT_TRUE(sorted.ok()) << sorted.status().ToString();
    EXPECT_EQ(*sorted, SlowSorted(rows, false));
  }
  EXPECT_EQ(
      Sorted({{1, 2, std::string(70000, 'x')}}, {.folder = folder.path(), .memory_bytes = 0}).status().code(),
      StatusCode::kInvalidArgument);
}

TEST(ExternalSorterTest, NeedsNoDiskForWhatFitsInMemory) {
  uint64_t spilled = 1;
  const auto rows = RandomRows(3, 1000, 100, 10);
  const auto sorted = Sorted(rows, {.folder = "/no/such/folder"}, &spilled);
  ASSERT_TRUE(sorted.ok()) << sorted.status().ToString();
  EXPECT_EQ(*sorted, SlowSorted(rows, false));
  EXPECT_EQ(spilled, 0u);
}

TEST(ExternalSorterTest, TellsOfEveryFailedChange) {
  const auto rows = RandomRows(5, 6000, 1000, 2400);
  bool untouched = false;
  for (uint64_t n = 1; !untouched; n += 7) {
    const TemporaryFolder folder;
    FaultFileSystem fs({.fail_at = n, .tear = true, .stay_down = false});
    const auto sorted = Sorted(rows, {.folder = folder.path(), .memory_bytes = kMinSortMemory, .fs = &fs});
    untouched = fs.changes() < n;
    EXPECT_EQ(sorted.ok(), untouched) << n;
    if (sorted.ok()) {
      EXPECT_EQ(*sorted, SlowSorted(rows, false));
    }
  }
}

}  // namespace
}  // namespace crivello::sieve
