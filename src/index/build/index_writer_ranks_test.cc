// SPDX-License-Identifier: Apache-2.0
// Replacing ranks does not touch the segments of an index.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/fault_file_system.h"
#include "base/test_support.h"
#include "index/build/index_writer_test_support.h"
#include "index/ranks/rank_test_support.h"
#include "index/segments/index_check.h"
#include "index/segments/index_copy.h"

namespace crivello::index {
namespace {

IndexWriterOptions RankedOptions(const std::string& directory, FileSystem& fs = PosixFileSystem()) {
  IndexWriterOptions options;
  options.directory = directory;
  options.settings = IndexSettings{.analyser = "plain"};
  options.policy = {.fan_in = 3, .floor_bytes = 3000};
  options.merge_in_background = false;
  options.fs = &fs;
  return options;
}

std::unique_ptr<IndexWriter> OpenRanked(const IndexWriterOptions& options) {
  auto writer = IndexWriter::Open(options);
  EXPECT_TRUE(writer.ok()) << writer.status().ToString();
  return std::move(writer).value();
}

// Values for about two thirds of the pages that DoStep() adds.
PlainRank SomeRank(uint64_t seed) {
  SeededRandom random(seed);
  PlainRank rank;
  for (const char letter : {'a', 'b', 'c'}) {
    for (int i = 0; i < 12; i++) {
      if (random.Below(3) == 0) continue;
      rank[std::string(1, letter) + "/" + std::to_string(i)] = static_cast<float>(1 + random.Below(1000));
    }
  }
  return rank;
}

// Files by path, with inode numbers to see whether they were replaced.
std::map<std::string, ino_t> InodesIn(const std::string& index) {
  std::map<std::string, ino_t> inodes;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(index)) {
    struct stat about = {};
    EXPECT_EQ(::stat(entry.path().c_str(), &about), 0);
    inodes[std::filesystem::relative(entry.path(), index).string()] = about.st_ino;
  }
  return inodes;
}

TEST(IndexRanksTest, EveryDocumentHasWhatItsPageHasInARank) {
  TemporaryFolder folder;
  const IndexWriterOptions options = RankedOptions(folder / "index");
  auto writer = OpenRanked(options);
  PlainWriter plain(false);
  SeededRandom random(3);
  std::map<std::string, PlainRank> ranks;
  for (uint64_t step = 1; step < 120; step++) {
    ASSERT_TRUE(DoStep(step, writer.get(), &plain).ok());
    const uint64_t what = random.Below(8);
    if (what < 2) {
      ASSERT_TRUE(writer->Refresh().ok());
    }
    if (what >= 2) {
      ASSERT_TRUE(writer->Commit(step).ok());
    }
    if (what == 3) {
      ASSERT_TRUE(writer->WaitForMerges().ok());
    }
    if (what == 4) {
      const std::string name = random.Below(2) == 0 ? "mine" : "pagerank";
      ranks[name] = SomeRank(step);
      const auto before = StateOf(*writer->snapshot());
      ASSERT_TRUE(writer->ReplaceRanks({PagesOf(name, step, ranks[name])}, {}).ok());
      ASSERT_EQ(StateOf(*writer->snapshot()), before);
    }
    if (what == 5 && random.Below(4) == 0) {
      ranks.erase("mine");
      ASSERT_TRUE(writer->ReplaceRanks({}, {"mine"}).ok());
      ASSERT_EQ(writer->manifest().ranks.size(), ranks.size());
    }
    if (what == 6) {
      writer = nullptr;
      writer = OpenRanked(options);
    }
    for (const auto& [name, rank] : ranks) {
      ASSERT_NO_FATAL_FAILURE(ExpectRank(*writer->snapshot(), name, rank)) << step;
    }
    if (what < 2) continue;
    const auto committed = Snapshot::Open(options.directory);
    ASSERT_TRUE(committed.ok()) << committed.status().ToString();
    for (const auto& [name, rank] : ranks) {
      ASSERT_NO_FATAL_FAILURE(ExpectRank(**committed, name, rank)) << step;
    }
  }
  ASSERT_TRUE(writer->Commit(1000).ok());
  ASSERT_TRUE(writer->MergeAll().ok());
  for (const auto& [name, rank] : ranks) {
    ASSERT_NO_FATAL_FAILURE(ExpectRank(*writer->snapshot(), name, rank));
  }
  const auto check = CheckIndex(options.directory);
  ASSERT_TRUE(check.ok());
  EXPECT_EQ(check->problems, std::vector<std::string>());
}

TEST(IndexRanksTest, ANewRankChangesNoFileOfASegment) {
  TemporaryFolder folder;
  auto writer = OpenRanked(RankedOptions(folder / "index"));
  PlainWriter plain(false);
  for (uint64_t step = 1; step <= 2; step++) {
    ASSERT_TRUE(DoStep(step, writer.get(), &plain).ok());
    ASSERT_TRUE(writer->Commit(step).ok());
  }
  const auto bare = InodesIn(folder / "index");
  ASSERT_TRUE(writer->ReplaceRanks({PagesOf("mine", 1, SomeRank(1))}, {}).ok());
  const auto first = InodesIn(folder / "index");
  // The only new files are a column for each segment, and the pages; only the manifest was replaced.
  for (const auto& [path, inode] : bare) {
    if (path != "manifest") {
      EXPECT_EQ(first.at(path), inode) << path;
    }
  }
  EXPECT_EQ(first.size(), bare.size() + 4);  // two columns, the folder of pages and a file in it
  ASSERT_TRUE(writer->ReplaceRanks({PagesOf("mine", 2, SomeRank(2))}, {}).ok());
  const auto second = InodesIn(folder / "index");
  EXPECT_EQ(second.size(), first.size());
  for (const auto& [path, inode] : bare) {
    if (path != "manifest") {
      EXPECT_EQ(second.at(path), inode) << path;
    }
  }
  ASSERT_TRUE(writer->ReplaceRanks({}, {"mine"}).ok());
  EXPECT_EQ(InodesIn(folder / "index").size(), bare.size() + 1);
}

TEST(IndexRanksTest, PagesNewerThanTheRankHaveTheMedian) {
  TemporaryFolder folder;
  auto writer = OpenRanked(RankedOptions(folder / "index"));
  ASSERT_TRUE(writer->ReplaceRanks({PagesOf("mine", 1, {{"a", 1}, {"b", 5}, {"c", 100}})}, {}).ok());
  ASSERT_TRUE(writer->Add(PageDocument("c", 1, "w1")).ok());
  ASSERT_TRUE(writer->Add(PageDocument("new", 1, "w1")).ok());
  ASSERT_TRUE(writer->Refresh().ok());
  const RankColumn* column = writer->snapshot()->segments()[0].rank("mine");
  ASSERT_NE(column, nullptr);
  EXPECT_EQ((*column)[0], 100);
  EXPECT_EQ((*column)[1], 5);
  EXPECT_EQ(writer->snapshot()->segments()[0].rank("other"), nullptr);
}

// All segments have either the old rank or the new one.
void ExpectOneRank(const Snapshot& snapshot, uint64_t digest) {
  ASSERT_FALSE(snapshot.segments().empty());
  ASSERT_EQ(snapshot.segments()[0].rank("mine")->scale().digest, digest);
  ExpectRank(snapshot, "mine", SomeRank(digest));
}

TEST(IndexRanksTest, HasTheOldOrTheNewRankWhereverTheDiskGoesAway) {
  uint64_t old_ones = 0;
  for (uint64_t fail_at = 1;; fail_at++) {
    SCOPED_TRACE(fail_at);
    TemporaryFolder folder;
    const std::string index = folder / "index";
    {
      auto writer = OpenRanked(RankedOptions(index));
      PlainWriter plain(false);
      for (uint64_t step = 1; step <= 2; step++) {
        ASSERT_TRUE(DoStep(step, writer.get(), &plain).ok());
        ASSERT_TRUE(writer->Commit(step).ok());
      }
      ASSERT_TRUE(writer->ReplaceRanks({PagesOf("mine", 1, SomeRank(1))}, {}).ok());
    }
    const size_t files = InodesIn(index).size();
    FaultFileSystem fs({.fail_at = fail_at, .tear = true});
    auto writer = IndexWriter::Open(RankedOptions(index, fs));
    ASSERT_TRUE(writer.ok()) << writer.status().ToString();
    const Status status = (*writer)->ReplaceRanks({PagesOf("mine", 2, SomeRank(2))}, {});
    const uint64_t in_memory = status.ok() ? 2 : 1;
    ASSERT_NO_FATAL_FAILURE(ExpectOneRank(*(*writer)->snapshot(), in_memory));
    writer->reset();
    ASSERT_TRUE(fs.DropUnsynced().ok());
    const auto left = Snapshot::Open(index, Verify::kPayload);
    ASSERT_TRUE(left.ok()) << left.status().ToString();
    const uint64_t digest = Manifest::Read(index)->ranks.at(0).digest;
    ASSERT_TRUE(digest == 2 || (digest == 1 && !status.ok())) << digest;
    old_ones += digest == 1 ? 1 : 0;
    ASSERT_NO_FATAL_FAILURE(ExpectOneRank(**left, digest));
    const auto again = OpenRanked(RankedOptions(index));
    ASSERT_NO_FATAL_FAILURE(ExpectOneRank(*again->snapshot(), digest));
    ASSERT_EQ(InodesIn(index).size(), files);  // the files left by the crash are gone
    if (fs.changes() < fail_at) break;
  }
  EXPECT_GT(old_ones, 5u);
}

TEST(IndexRanksTest, ACopyOfAnIndexHasItsRanks) {
  TemporaryFolder folder;
  auto writer = OpenRanked(RankedOptions(folder / "index"));
  PlainWriter plain(false);
  ASSERT_TRUE(DoStep(1, writer.get(), &plain).ok());
  ASSERT_TRUE(writer->Commit(1).ok());
  ASSERT_TRUE(writer->ReplaceRanks({PagesOf("mine", 1, SomeRank(1))}, {}).ok());
  ASSERT_TRUE(CopyIndex(folder / "index", folder / "copy").ok());
  const auto copy = OpenRanked(RankedOptions(folder / "copy"));
  ExpectRank(*copy->snapshot(), "mine", SomeRank(1));
}

TEST(IndexRanksTest, ACheckFindsAColumnWithOtherValues) {
  TemporaryFolder folder;
  auto writer = OpenRanked(RankedOptions(folder / "index"));
  ASSERT_TRUE(writer->Add(PageDocument("a", 1, "w1")).ok());
  ASSERT_TRUE(writer->Commit(1).ok());
  const PlainRank rank = {{"a", 1}, {"b", 2}};
  ASSERT_TRUE(writer->ReplaceRanks({PagesOf("mine", 1, rank)}, {}).ok());
  const Manifest manifest = writer->manifest();
  const std::string path = RankColumnPath(folder / "index", manifest.segments[0].id, manifest.ranks[0]);
  const auto other = RankColumn::Make(ScaleOf("mine", 1, rank), std::vector<uint8_t>{1});
  ASSERT_TRUE(WriteImage(path, RankColumn::kFileKind, other->image()).ok());
  const auto check = CheckIndex(folder / "index");
  ASSERT_TRUE(check.ok());
  ASSERT_EQ(check->problems.size(), 1u);
  EXPECT_NE(check->problems[0].find("other values"), std::string::npos) << check->problems[0];

  ASSERT_TRUE(PosixFileSystem().Remove(path).ok());
  const auto missing = CheckIndex(folder / "index");
  ASSERT_TRUE(missing.ok());
  ASSERT_EQ(missing->problems.size(), 1u);
  EXPECT_NE(missing->problems[0].find(path), std::string::npos) << missing->problems[0];
}

}  // namespace
}  // namespace crivello::index
