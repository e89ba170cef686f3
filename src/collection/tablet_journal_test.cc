// SPDX-License-Identifier: Apache-2.0
#include "collection/tablet_journal.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/fault_file_system.h"
#include "base/test_support.h"

namespace crivello::collection {
namespace {

TabletState StateAt(uint64_t i) {
  return {.sequence = i,
          .epoch = i / 100,
          .archive = {.serial = static_cast<uint32_t>(i / 10), .bytes = 1000 * i},
          .sieve = {.batch = i / 7, .keys = i}};
}

TEST(TabletJournalTest, ReadsBackTheStateThatWasRecordedLast) {
  const TemporaryFolder folder;
  const std::string path = folder / "commits";
  EXPECT_EQ(TabletJournal::ReadLast(path).value(), std::nullopt);
  {
    const auto journal = TabletJournal::Open(path).value();
    EXPECT_EQ(journal->last(), TabletState());
    for (uint64_t i = 1; i <= 50; ++i) ASSERT_TRUE(journal->Record(StateAt(i)).ok());
    EXPECT_EQ(TabletJournal::ReadLast(path).value(), StateAt(50)) << "a record is there without a sync";
  }
  EXPECT_EQ(TabletJournal::Open(path).value()->last(), StateAt(50));
}

TEST(TabletJournalTest, NeverFallsInAnyStore) {
  const TemporaryFolder folder;
  const auto journal = TabletJournal::Open(folder / "commits").value();
  ASSERT_TRUE(journal->Record({.sequence = 9, .sieve = {.batch = 1, .keys = 2}}).ok());
  // Another thread read the numbers earlier and comes later; its part of the sieve is further.
  ASSERT_TRUE(journal->Record({.sequence = 8, .sieve = {.batch = 2, .keys = 0}}).ok());
  EXPECT_EQ(journal->last().sequence, 9u);
  EXPECT_EQ(journal->last().sieve, (sieve::SievePosition{.batch = 2, .keys = 0}));
}

TEST(TabletJournalTest, StaysSmall) {
  const TemporaryFolder folder;
  const std::string path = folder / "commits";
  const auto journal = TabletJournal::Open(path).value();
  uint64_t most = 0;
  for (uint64_t i = 1; i <= 40'000; ++i) {
    ASSERT_TRUE(journal->Record(StateAt(i)).ok());
    if (i % 100 == 0) most = std::max<uint64_t>(most, std::filesystem::file_size(path));
  }
  EXPECT_GT(most, TabletJournal::kMaxBytes / 2);
  EXPECT_LE(most, TabletJournal::kMaxBytes + 4096);
  EXPECT_LT(std::filesystem::file_size(path), TabletJournal::kMaxBytes);
  EXPECT_EQ(TabletJournal::ReadLast(path).value(), StateAt(40'000));
}

// Every change to the disk fails once, also while the file is replaced: what was recorded before stays.
TEST(TabletJournalTest, LosesNoStateToAFailedWrite) {
  for (uint64_t fail_at = 1; fail_at < 40; ++fail_at) {
    SCOPED_TRACE(fail_at);
    const TemporaryFolder folder;
    const std::string path = folder / "commits";
    FaultFileSystem fs({.fail_at = fail_at, .tear = fail_at % 2 == 0, .stay_down = false});
    auto journal = TabletJournal::Open(path, fs);
    if (!journal.ok()) continue;
    uint64_t recorded = 0;
    for (uint64_t i = 1; i <= 30; ++i) {
      if ((*journal)->Record(StateAt(i)).ok()) recorded = i;
    }
    EXPECT_GE(recorded, 29u);
    EXPECT_EQ(TabletJournal::ReadLast(path).value(), StateAt(recorded));
  }
}

TEST(TabletJournalTest, TellsDamage) {
  EXPECT_EQ(DecodeTabletState(AsBytes("")).status().code(), StatusCode::kCorruption);
  const std::string bytes = EncodeTabletState(StateAt(1234));
  EXPECT_EQ(DecodeTabletState(AsBytes(bytes)).value(), StateAt(1234));
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(DecodeTabletState(AsBytes(bytes.substr(0, i))).ok()) << i;
  }
  EXPECT_FALSE(DecodeTabletState(AsBytes(bytes + "x")).ok());
}

}  // namespace
}  // namespace crivello::collection
