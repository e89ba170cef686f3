// SPDX-License-Identifier: Apache-2.0
// The index of an archive file, compared with sorting all of its lines in memory.
#include "store/archive_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"
#include "store/archive_test_support.h"

namespace crivello::store {
namespace {

// Few keys, so that some lines share prefixes and some are equal.
CdxjEntry RandomEntry(SeededRandom& random) {
  const std::string path(random.Below(30) == 0 ? random.Below(9'000) : random.Below(4), 'x');
  return {.key = "org,example)/" + path + std::to_string(random.Below(20)),
          .timestamp = std::to_string(20200102030405 + random.Below(3)),
          .url = "https://example.org/" + path,
          .offset = random.Below(4),
          .filename = "a.warc.gz"};
}

std::string SortedInMemory(const std::vector<CdxjEntry>& entries) {
  std::vector<std::string> lines;
  for (const CdxjEntry& entry : entries) lines.push_back(FormatCdxj(entry) + "\n");
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

// A file of some captures, with its index.
struct Made {
  Made() {
    const auto archive = Archive::Open({.directory = folder / "archive", .seed = 1});
    CaptureEncoder encoder({}, 2);
    for (uint64_t n = 0; n < 30; n++) {
      EXPECT_TRUE((*archive)->Append(CaptureNumber(n * 7 % 30, &encoder)).ok());
    }
    EXPECT_TRUE((*archive)->Close().ok());
    const ArchiveFile file = ListArchive(folder / "archive")->at(0);
    warc = folder / "archive/" + file.name;
    index = *ReadFile(folder / "archive/" + file.index_name);
    EXPECT_TRUE(
        ScanArchiveFile(warc, file.name, [this](const CdxjEntry& entry) { entries.push_back(entry); }).ok());
  }

  const TemporaryFolder folder;
  std::string warc, index;
  std::vector<CdxjEntry> entries;
};

TEST(IndexLinesTest, AreThoseThatSortingInMemoryGives) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const TemporaryFolder folder;
  for (const uint64_t count : {0u, 1u, 2u, 30u, 1'000u, 5'000u}) {
    std::vector<CdxjEntry> entries;
    for (uint64_t i = 0; i < count; i++) entries.push_back(RandomEntry(random));
    const std::string expected = SortedInMemory(entries);
    // A run for each line; a few runs; runs that are read in several pieces; no runs.
    for (const size_t buffer_bytes : {size_t{1}, size_t{700}, size_t{20'000}, IndexLines::kBufferBytes}) {
      SCOPED_TRACE(testing::Message() << count << " lines, " << buffer_bytes << " bytes");
      IndexLines lines(folder / "a.cdxj", PosixFileSystem(), buffer_bytes);
      for (const CdxjEntry& entry : entries) lines.Add(entry);
      ASSERT_TRUE(lines.Finish(folder / "no such file").ok());
      EXPECT_EQ(*ReadFile(folder / "a.cdxj"), expected);
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "a.cdxj");
  }
}

TEST(IndexLinesTest, LeaveNothingInTheFolderUntilTheyAreFinished) {
  const TemporaryFolder folder;
  IndexLines lines(folder / "a.cdxj", PosixFileSystem(), 1);
  SeededRandom random(1);
  for (int i = 0; i < 10; i++) lines.Add(RandomEntry(random));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(IndexLinesTest, CanBeWrittenAgainAfterAFailure) {
  const Made made;
  IndexLines lines(made.folder / "missing/a.cdxj", PosixFileSystem());
  for (const CdxjEntry& entry : made.entries) lines.Add(entry);
  ASSERT_FALSE(lines.Finish(made.warc).ok());
  std::filesystem::create_directory(made.folder / "missing");
  ASSERT_TRUE(lines.Finish(made.warc).ok());
  EXPECT_EQ(*ReadFile(made.folder / "missing/a.cdxj"), made.index);
}

// The lines differ from those of the file, so that it shows which are in the index.
TEST(IndexLinesTest, AreReadFromTheFileIfARunCannotBeWritten) {
  const Made made;
  SeededRandom random(1);
  std::vector<CdxjEntry> others;
  for (int i = 0; i < 40; i++) others.push_back(RandomEntry(random));
  for (const bool tear : {false, true}) {
    bool own = false;
    // The failures, in order: creating the scratch file, removing it, its runs, then the index itself.
    uint64_t fail_at = 1;
    for (; !own; fail_at++) {
      SCOPED_TRACE(fail_at);
      FaultFileSystem fs({.fail_at = fail_at, .tear = tear, .stay_down = false});
      IndexLines lines(made.folder / "a.cdxj", fs, 1'000);
      for (const CdxjEntry& entry : others) lines.Add(entry);
      Status finished = lines.Finish(made.warc);
      own = !finished.ok();
      if (own) finished = lines.Finish(made.warc);
      ASSERT_TRUE(finished.ok()) << finished.ToString();
      EXPECT_EQ(*ReadFile(made.folder / "a.cdxj"), own ? SortedInMemory(others) : made.index);
    }
    EXPECT_GT(fail_at, 5u);
  }
}

TEST(IndexLinesTest, AreWholeWhicheverChangeFails) {
  const Made made;
  EXPECT_EQ(SortedInMemory(made.entries), made.index);
  for (const bool stay_down : {false, true}) {
    bool untouched = false;
    for (uint64_t fail_at = 1; !untouched; fail_at++) {
      SCOPED_TRACE(fail_at);
      const std::string path = made.folder / "whole.cdxj";
      std::filesystem::remove(path);
      FaultFileSystem fs({.fail_at = fail_at, .stay_down = stay_down});
      IndexLines lines(path, fs, 1'000);
      for (const CdxjEntry& entry : made.entries) lines.Add(entry);
      const Status finished = lines.Finish(made.warc);
      untouched = fs.changes() < fail_at;
      const auto index = ReadFile(path);
      ASSERT_TRUE(index.ok() || !finished.ok());
      if (index.ok()) {
        EXPECT_EQ(*index, made.index);
      }
    }
  }
}

}  // namespace
}  // namespace crivello::store
