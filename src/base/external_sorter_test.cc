// SPDX-License-Identifier: Apache-2.0
// The sorter, compared with std::stable_sort on random records from a printed seed.
#include "base/external_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"

namespace crivello {
namespace {

// A number with some bytes that are not compared.
struct Numbered {
  uint64_t number = 0;
  std::string_view bytes = {};
};
struct NumberOrder {
  using Record = Numbered;
  using Key = uint64_t;
  static constexpr bool kByBytes = false;
  static Key KeyOf(const Numbered& record) { return record.number; }
  static std::string_view BytesOf(const Numbered& record) { return record.bytes; }
  static Numbered Join(Key key, std::string_view bytes) { return {key, bytes}; }
  static bool Repeats(Key, Key) { return false; }
};
struct FirstOfNumber : NumberOrder {
  static bool Repeats(Key last, Key next) { return last == next; }
};
using NumberRow = std::pair<uint64_t, std::string>;

// Few different bytes, so that some records share prefixes and some are equal.
std::vector<std::string> RandomRecords(Random& random, size_t count, size_t longest) {
  std::vector<std::string> records;
  for (size_t i = 0; i < count; i++) {
    std::string record(random.Below(longest + 1), '\0');
    for (char& c : record) c = static_cast<char>(random.Below(3) == 0 ? 0xff : random.Below(3));
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<std::string> ReadAll(ExternalSorter& sorter) {
  std::vector<std::string> out;
  while (sorter.Next()) out.emplace_back(sorter.record());
  EXPECT_FALSE(sorter.Next());
  return out;
}

Result<std::vector<std::string>> SortOutside(const std::vector<std::string>& records,
                                             const ExternalSortOptions& options,
                                             uint64_t* spilled_bytes = nullptr) {
  ExternalSorter sorter(options);
  for (const std::string& record : records) CRV_TRY(sorter.Add(record));
  CRV_TRY(sorter.Sort());
  std::vector<std::string> sorted = ReadAll(sorter);
  CRV_TRY(sorter.status());
  if (spilled_bytes != nullptr) *spilled_bytes = sorter.spilled_bytes();
  return sorted;
}

std::vector<std::string> SortInMemory(std::vector<std::string> records) {
  std::sort(records.begin(), records.end());
  return records;
}

TEST(ExternalSorterTest, SortsAsStdSortDoesWhateverTheMemory) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const TemporaryFolder folder;
  for (const size_t count : {0u, 1u, 2u, 300u, 5'000u, 20'000u}) {
    std::vector<std::string> records = RandomRecords(random, count, random.Below(100));
    if (count > 2) records.emplace_back(300'000u, 'x');  // more than a buffer, and than most memory limits
    const std::vector<std::string> expected = SortInMemory(records);
    for (const uint64_t memory : {uint64_t{1} << 12, uint64_t{1} << 16, uint64_t{64} << 20}) {
      SCOPED_TRACE(testing::Message() << count << " records, " << memory << " bytes");
      const auto sorted = SortOutside(records, {.folder = folder.path(), .memory_bytes = memory});
      ASSERT_TRUE(sorted.ok()) << sorted.status().ToString();
      ASSERT_EQ(*sorted, expected);
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

template <typename Order>
std::vector<NumberRow> SortNumbers(const std::vector<NumberRow>& rows, const ExternalSortOptions& options) {
  BasicExternalSorter<Order> sorter(options);
  for (const auto& [number, bytes] : rows) EXPECT_TRUE(sorter.Add({number, bytes}).ok());
  EXPECT_TRUE(sorter.Sort().ok());
  std::vector<NumberRow> sorted;
  while (sorter.Next()) sorted.emplace_back(sorter.record().number, std::string(sorter.record().bytes));
  EXPECT_TRUE(sorter.status().ok());
  return sorted;
}

TEST(ExternalSorterTest, KeepsTheOrderOfEqualKeysAndDropsRepeatsIfAsked) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const TemporaryFolder folder;
  for (const uint64_t numbers : {uint64_t{50}, UINT64_MAX}) {
    std::vector<NumberRow> rows;
    for (size_t i = 0; i < 20'000; i++) {
      rows.emplace_back(random.Below(numbers), std::string(random.Below(40), 'x') + std::to_string(i));
    }
    std::vector<NumberRow> expected = rows;
    const auto number = [](const NumberRow& row) { return row.first; };
    std::stable_sort(expected.begin(), expected.end(),
                     [&](const NumberRow& a, const NumberRow& b) { return number(a) < number(b); });
    std::vector<NumberRow> first = expected;
    first.erase(std::unique(first.begin(), first.end(),
                            [&](const NumberRow& a, const NumberRow& b) { return number(a) == number(b); }),
                first.end());
    for (const uint64_t memory : {uint64_t{1} << 12, uint64_t{1} << 16, uint64_t{64} << 20}) {
      SCOPED_TRACE(testing::Message() << numbers << " numbers, " << memory << " bytes");
      const ExternalSortOptions options = {.folder = folder.path(), .memory_bytes = memory};
      EXPECT_EQ(SortNumbers<NumberOrder>(rows, options), expected);
      EXPECT_EQ(SortNumbers<FirstOfNumber>(rows, options), first);
    }
  }
}

// With one byte of memory there is room only for the largest record, so each record is a run: 64 runs become
// one of the next level, and 64 of those one of the level above.
TEST(ExternalSorterTest, MergesRunsOfManyLevels) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const TemporaryFolder folder;
  std::vector<std::string> records = RandomRecords(random, 64 * 64 + 64 * 3 + 5, 20);
  for (std::string& record : records) record.resize(20, 'x');
  uint64_t bytes = 0;
  for (const std::string& record : records) bytes += record.size() + 4;
  ExternalSorter sorter({.folder = folder.path(), .memory_bytes = 1});
  for (const std::string& record : records) ASSERT_TRUE(sorter.Add(record).ok());
  ASSERT_TRUE(sorter.Sort().ok());
  EXPECT_EQ(sorter.runs(), 1u + 3u + 5u);
  EXPECT_GT(sorter.spilled_bytes(), bytes * 29 / 10);
  EXPECT_LE(sorter.spilled_bytes(), bytes * 3);
  EXPECT_EQ(ReadAll(sorter), SortInMemory(records));
}

TEST(ExternalSorterTest, CanBeReadAgainAndMoved) {
  SeededRandom random(1);
  const TemporaryFolder folder;
  const std::vector<std::string> records = RandomRecords(random, 3'000, 30);
  const std::vector<std::string> expected = SortInMemory(records);
  for (const uint64_t memory : {uint64_t{1} << 12, uint64_t{64} << 20}) {
    ExternalSorter sorter({.folder = folder.path(), .memory_bytes = memory});
    for (const std::string& record : records) ASSERT_TRUE(sorter.Add(record).ok());
    ASSERT_TRUE(sorter.Sort().ok());
    for (int i = 0; i < 1'000; i++) ASSERT_TRUE(sorter.Next());
    ASSERT_TRUE(sorter.Sort().ok());
    ExternalSorter moved = std::move(sorter);
    EXPECT_EQ(ReadAll(moved), expected);
    ASSERT_TRUE(moved.Sort().ok());
    EXPECT_EQ(ReadAll(moved), expected);
  }
}

TEST(ExternalSorterTest, NeedsNoDiskForWhatFitsInMemory) {
  SeededRandom random(1);
  const std::vector<std::string> records = RandomRecords(random, 1'000, 30);
  const TemporaryFolder folder;
  uint64_t spilled_bytes = 1;
  const auto sorted = SortOutside(records, {.folder = folder / "runs"}, &spilled_bytes);
  ASSERT_TRUE(sorted.ok()) << sorted.status().ToString();
  EXPECT_EQ(*sorted, SortInMemory(records));
  EXPECT_EQ(spilled_bytes, 0u);
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
}

TEST(ExternalSorterTest, ReturnsEveryErrorOfTheDisk) {
  SeededRandom random(5);
  const std::vector<std::string> records = RandomRecords(random, 3'000, 2'400);
  for (const bool tear : {false, true}) {
    bool untouched = false;
    for (uint64_t n = 1; !untouched; n++) {
      SCOPED_TRACE(n);
      const TemporaryFolder folder;
      FaultFileSystem fs({.fail_at = n, .tear = tear, .stay_down = false});
      const auto sorted =
          SortOutside(records, {.folder = folder / "runs", .memory_bytes = 1 << 16, .fs = &fs});
      untouched = fs.changes() < n;
      ASSERT_EQ(sorted.ok(), untouched);
      if (untouched) {
        EXPECT_EQ(*sorted, SortInMemory(records));
        EXPECT_GT(n, 50u);
      } else {
        EXPECT_EQ(sorted.status().code(), StatusCode::kIoError) << sorted.status().ToString();
      }
    }
  }
}

TEST(ExternalSorterTest, StaysFailedAfterAnError) {
  const TemporaryFolder folder;
  FaultFileSystem fs({.fail_at = 1, .stay_down = false});
  ExternalSorter sorter({.folder = folder.path(), .memory_bytes = 100, .fs = &fs});
  Status status;
  while (status.ok()) status = sorter.Add("a record that fills the memory soon");
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_EQ(sorter.Add("a record that fills the memory soon"), status);
  EXPECT_EQ(sorter.Sort(), status);
  EXPECT_FALSE(sorter.Next());
  EXPECT_EQ(sorter.status(), status);
}

}  // namespace
}  // namespace crivello
