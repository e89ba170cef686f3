// SPDX-License-Identifier: Apache-2.0
// If an index is killed, or loses its disk or power at any moment, it has the state of its last commit.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <set>

#include "base/fault_file_system.h"
#include "base/test_support.h"
#include "index/build/index_writer_test_support.h"

namespace crivello::index {
namespace {

IndexWriterOptions CrashOptions(const std::string& directory, FileSystem& fs) {
  IndexWriterOptions options;
  options.directory = directory;
  options.settings = IndexSettings{.analyser = "plain", .versions = true};
  options.policy = {.fan_in = 2, .floor_bytes = 1 << 20};
  options.merge_in_background = false;
  options.fs = &fs;
  return options;
}

// The reference state after each step; a step is a commit, and its number the sequence.
PlainIndexState StateAfter(uint64_t step) {
  PlainWriter plain(true);
  for (uint64_t i = 1; i <= step; i++) EXPECT_TRUE(DoStep(i, nullptr, &plain).ok());
  return plain.state();
}

// Additions, replacements, deletions and merges.  `committed` is the last committed step.
constexpr uint64_t kSteps = 4;
Status Work(const IndexWriterOptions& options, uint64_t* committed) {
  CRV_ASSIGN(const std::unique_ptr<IndexWriter> writer, IndexWriter::Open(options));
  PlainWriter unused(true);
  for (uint64_t step = writer->sequence() + 1; step <= kSteps; step++) {
    CRV_TRY(DoStep(step, writer.get(), &unused));
    CRV_TRY(writer->Commit(step));
    *committed = step;
    if (step % 2 == 0) CRV_TRY(writer->WaitForMerges());
  }
  return Status::Ok();
}

// The files in the folder of an index, and those that its manifest names.
std::set<std::string> FilesIn(const std::string& index) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(index))
    files.insert(std::filesystem::relative(entry.path(), index).string());
  return files;
}

void ExpectNoStaleFiles(const std::string& index) {
  const auto manifest = Manifest::Read(index);
  ASSERT_TRUE(manifest.ok()) << manifest.status().ToString();
  std::set<std::string> expected = {"lock", "manifest", "segments"};
  for (const Manifest::Entry& entry : manifest->segments) {
    const std::string folder = std::filesystem::relative(SegmentPath(index, entry.id), index).string();
    expected.insert(folder);
    for (const char* part : {"segment", "values", "texts", "body.terms", "body.documents", "body.counts",
                             "body.positions", "body.lengths", "site.terms", "site.documents"})
      expected.insert(folder + "/" + part);
    if (entry.deletions > 0) expected.insert(folder + "/deleted-" + std::to_string(entry.deletions));
  }
  EXPECT_EQ(FilesIn(index), expected);
}

// Opens what a crash left: it must be the state of some commit, the last acknowledged one or a later one, and
// must be usable.
void ExpectRecovery(const std::string& index, uint64_t committed) {
  const auto snapshot = Snapshot::Open(index);
  if (snapshot.ok()) {
    EXPECT_EQ(StateOf(**snapshot), StateAfter(Manifest::Read(index)->sequence));
  } else {
    ASSERT_EQ(snapshot.status().code(), StatusCode::kNotFound);
    ASSERT_EQ(committed, 0u);
  }
  const IndexWriterOptions options = CrashOptions(index, PosixFileSystem());
  {
    const auto writer = IndexWriter::Open(options);
    ASSERT_TRUE(writer.ok()) << writer.status().ToString();
    const uint64_t sequence = (*writer)->sequence();
    ASSERT_TRUE(sequence == committed || sequence == committed + 1) << sequence << " after " << committed;
    ASSERT_EQ(StateOf(*(*writer)->snapshot()), StateAfter(sequence));
    if (sequence > 0) ExpectNoStaleFiles(index);
  }
  uint64_t more = 0;
  const Status status = Work(options, &more);
  ASSERT_TRUE(status.ok()) << status.ToString();
  const auto after = Snapshot::Open(index, Verify::kPayload);
  ASSERT_TRUE(after.ok()) << after.status().ToString();
  EXPECT_EQ(StateOf(**after), StateAfter(kSteps));
  ExpectNoStaleFiles(index);
}

TEST(IndexCrashTest, KeepsTheLastCommitWhereverTheDiskGoesAway) {
  for (const bool power_cut : {false, true}) {
    for (uint64_t fail_at = 1;; fail_at += power_cut ? 2 : 1) {
      SCOPED_TRACE(testing::Message() << "change " << fail_at << (power_cut ? ", power cut" : ""));
      TemporaryFolder folder;
      const std::string index = folder / "index";
      FaultFileSystem fs({.fail_at = fail_at, .tear = power_cut});
      uint64_t committed = 0;
      const Status status = Work(CrashOptions(index, fs), &committed);
      if (power_cut) {
        ASSERT_TRUE(fs.DropUnsynced().ok());
      }
      ASSERT_NO_FATAL_FAILURE(ExpectRecovery(index, committed));
      if (fs.changes() < fail_at) {
        EXPECT_TRUE(status.ok()) << status.ToString();
        EXPECT_GT(fail_at, 100u);
        break;
      }
    }
  }
}

TEST(IndexCrashTest, GoesOnAfterAChangeThatFailedOnce) {
  for (uint64_t fail_at = 1;; fail_at += 3) {
    SCOPED_TRACE(fail_at);
    TemporaryFolder folder;
    FaultFileSystem fs({.fail_at = fail_at, .tear = true, .stay_down = false});
    auto opened = IndexWriter::Open(CrashOptions(folder / "index", fs));
    if (!opened.ok()) opened = IndexWriter::Open(CrashOptions(folder / "index", fs));
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    IndexWriter& writer = **opened;
    PlainWriter plain(true);
    for (uint64_t step = 1; step <= kSteps; step++) {
      ASSERT_TRUE(DoStep(step, &writer, &plain).ok());
      if (!writer.Commit(step).ok()) {
        ASSERT_TRUE(writer.Commit(step).ok());
      }
      ASSERT_EQ(StateOf(*writer.snapshot()), plain.state());
      if (step % 2 == 0 && !writer.WaitForMerges().ok()) {
        ASSERT_EQ(StateOf(*writer.snapshot()), plain.state());
        ASSERT_TRUE(writer.MergeAll().ok());
      }
      ASSERT_EQ(StateOf(*writer.snapshot()), plain.state());
      const auto committed = Snapshot::Open(folder / "index");
      ASSERT_TRUE(committed.ok()) << committed.status().ToString();
      ASSERT_EQ(StateOf(**committed), plain.state());
    }
    if (fs.changes() < fail_at) break;
  }
}

// Documents that go straight to disk cannot be written again: no later commit may claim to have them.
TEST(IndexCrashTest, NeverCommitsWithoutABatchThatWasLost) {
  uint64_t refused = 0;
  for (uint64_t fail_at = 1;; fail_at += 2) {
    SCOPED_TRACE(fail_at);
    TemporaryFolder folder;
    FaultFileSystem fs({.fail_at = fail_at, .stay_down = false});
    IndexWriterOptions options = CrashOptions(folder / "index", fs);
    options.live = false;
    PlainWriter plain(true);
    {
      auto writer = IndexWriter::Open(options);
      if (!writer.ok()) continue;
      if (!DoStep(1, writer->get(), &plain).ok()) continue;  // the caller was told
      Status status = (*writer)->Commit(1);
      if (!status.ok()) status = (*writer)->Commit(1);
      if (!status.ok()) {
        refused++;
        EXPECT_FALSE((*writer)->Add(PageDocument("a", 1, "w")).ok());
        EXPECT_FALSE((*writer)->Commit(1).ok());
        EXPECT_EQ((*writer)->sequence(), 0u);
      } else {
        ASSERT_EQ(StateOf(*(*writer)->snapshot()), StateAfter(1));
      }
    }
    const auto after = IndexWriter::Open(options);
    ASSERT_TRUE(after.ok()) << after.status().ToString();
    ASSERT_EQ(StateOf(*(*after)->snapshot()), StateAfter((*after)->sequence()));
    if (fs.changes() < fail_at) break;
  }
  EXPECT_GT(refused, 10u);
}

// Commits one step after another, with merges in the background, and reports each through the pipe.
[[noreturn]] void CommitForEver(const std::string& index, int pipe) {
  IndexWriterOptions options = CrashOptions(index, PosixFileSystem());
  options.merge_in_background = true;
  options.merge_bytes_per_second = 0;
  auto writer = IndexWriter::Open(options);
  if (!writer.ok()) _exit(1);
  PlainWriter unused(true);
  for (uint64_t step = (*writer)->sequence() + 1;; step++) {
    if (!DoStep(step, writer->get(), &unused).ok() || !(*writer)->Commit(step).ok()) _exit(2);
    if (write(pipe, &step, sizeof step) != sizeof step) _exit(3);
  }
}

TEST(IndexCrashTest, KeepsTheLastCommitWhenItIsKilled) {
  TemporaryFolder folder;
  const std::string index = folder / "index";
  SeededRandom random(1);
  for (int life = 0; life < 12; life++) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) CommitForEver(index, pipe[1]);
    ::close(pipe[1]);
    uint64_t committed = 0;
    for (uint64_t left = 1 + random.Below(5); left > 0; left--)
      ASSERT_EQ(::read(pipe[0], &committed, sizeof committed), ssize_t{sizeof committed});
    ::usleep(static_cast<useconds_t>(random.Below(8000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself: " << WEXITSTATUS(status);
    while (::read(pipe[0], &committed, sizeof committed) == ssize_t{sizeof committed}) {
    }
    ::close(pipe[0]);
    const auto snapshot = Snapshot::Open(index, Verify::kPayload);
    ASSERT_TRUE(snapshot.ok()) << snapshot.status().ToString();
    const uint64_t sequence = Manifest::Read(index)->sequence;
    ASSERT_TRUE(sequence == committed || sequence == committed + 1) << sequence << " after " << committed;
    ASSERT_EQ(StateOf(**snapshot), StateAfter(sequence));
    const auto writer = IndexWriter::Open(CrashOptions(index, PosixFileSystem()));
    ASSERT_TRUE(writer.ok()) << writer.status().ToString();
    ExpectNoStaleFiles(index);
  }
}

}  // namespace
}  // namespace crivello::index
