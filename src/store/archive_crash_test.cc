// SPDX-License-Identifier: Apache-2.0
// The archive under faults: every change that fails or tears, a full disk, kill -9. What Sync() acknowledged
// can be read back, and the files are clean, also for a reader that is not ours.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/fault_file_system.h"
#include "base/test_support.h"
#include "store/archive.h"
#include "store/archive_reader.h"
#include "store/archive_test_support.h"

namespace crivello::store {
namespace {

constexpr uint64_t kRotate = 40'000;
constexpr size_t kIndexBuffer = 400;  // so that the index of a file has runs

struct Acknowledged {
  uint64_t n = 0;
  RecordLocator locator;
};

void ExpectClean(const std::string& directory, const std::vector<Acknowledged>& acknowledged) {
  const ArchiveReader reader(directory);
  for (const Acknowledged& each : acknowledged) {
    const auto record = reader.Read(each.locator);
    ASSERT_TRUE(record.ok()) << record.status().ToString();
    EXPECT_EQ((*record)->target_uri, UrlNumber(each.n));
    EXPECT_TRUE((*record)->block.ends_with(BodyNumber(each.n)));
  }
  const auto files = ListArchive(directory);
  ASSERT_TRUE(files.ok());
  for (const ArchiveFile& file : *files) {
    const std::string path = directory + "/" + file.name;
    const auto scan = ScanWhole(path, file.name);
    ASSERT_TRUE(scan.ok());
    EXPECT_EQ(scan->damages, 0u) << file.name;
    EXPECT_EQ(scan->good_bytes, std::filesystem::file_size(path));
    ASSERT_TRUE(file.has_index);
    EXPECT_EQ(*ReadFile(directory + "/" + file.index_name), scan->lines);
  }
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("scratch-"));
  }
}

// Appends captures, with a sync after every third; returns the acknowledged ones.
std::vector<Acknowledged> Work(Archive* archive, uint64_t captures) {
  CaptureEncoder encoder({}, 3);
  std::vector<Acknowledged> appended, acknowledged;
  for (uint64_t n = 0; n < captures; n++) {
    const auto locator = archive->Append(CaptureNumber(n, &encoder));
    if (locator.ok()) appended.push_back({n, *locator});
    if (n % 3 == 2 && archive->Sync().ok()) acknowledged = appended;
  }
  if (archive->Close().ok()) acknowledged = appended;
  return acknowledged;
}

class ArchiveFaultTest : public testing::TestWithParam<bool> {};

TEST_P(ArchiveFaultTest, KeepsWhatWasSyncedWhicheverChangeFails) {
  uint64_t untouched = 0;
  for (uint64_t fail_at = 1; untouched == 0; fail_at++) {
    SCOPED_TRACE(fail_at);
    const TemporaryFolder folder;
    FaultFileSystem fs({.fail_at = fail_at, .tear = GetParam()});
    ArchiveOptions options = {.directory = folder / "archive",
                              .rotate_bytes = kRotate,
                              .index_buffer_bytes = kIndexBuffer,
                              .fs = &fs,
                              .seed = 1};
    std::vector<Acknowledged> acknowledged;
    if (auto archive = Archive::Open(options); archive.ok()) acknowledged = Work(archive->get(), 14);
    if (fs.changes() < fail_at) untouched = fail_at;
    ASSERT_TRUE(fs.DropUnsynced().ok());
    options.fs = &PosixFileSystem();
    const auto again = Archive::Open(options);
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    ASSERT_TRUE((*again)->Close().ok());
    ExpectClean(options.directory, acknowledged);
    if (untouched > 0) {
      EXPECT_EQ(acknowledged.size(), 14u);
    }
  }
  EXPECT_GT(untouched, 20u);
}

TEST_P(ArchiveFaultTest, GoesOnWhenAFullDiskHasRoomAgain) {
  for (uint64_t fail_at = 3;; fail_at++) {
    SCOPED_TRACE(fail_at);
    const TemporaryFolder folder;
    FaultFileSystem fs({.fail_at = fail_at, .tear = GetParam(), .stay_down = false});
    ArchiveOptions options = {.directory = folder / "archive",
                              .rotate_bytes = kRotate,
                              .index_buffer_bytes = kIndexBuffer,
                              .fs = &fs,
                              .seed = 1};
    auto archive = Archive::Open(options);
    ASSERT_TRUE(archive.ok());
    CaptureEncoder encoder({}, 3);
    std::vector<Acknowledged> appended;
    bool broken = false;
    for (uint64_t n = 0; n < 14 && !broken; n++) {
      const EncodedCapture capture = CaptureNumber(n, &encoder);
      auto locator = (*archive)->Append(capture);
      if (!locator.ok()) locator = (*archive)->Append(capture);
      // Only a failed sync is permanent.
      broken = !locator.ok();
      if (!broken) appended.push_back({n, *locator});
    }
    if (!broken && !(*archive)->Close().ok()) (*archive)->Close().IgnoreError();
    archive->reset();
    options.fs = &PosixFileSystem();
    const auto again = Archive::Open(options);
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    ExpectClean(options.directory, appended);
    if (!broken) {
      EXPECT_EQ(appended.size(), 14u);
    }
    if (fs.changes() < fail_at) break;
  }
}

TEST_P(ArchiveFaultTest, RecoversFromACrashWhileItRecovers) {
  const TemporaryFolder folder;
  const std::string made = folder / "made", tried = folder / "tried";
  std::vector<Acknowledged> acknowledged;
  {
    const auto archive = Archive::Open({.directory = made, .rotate_bytes = kRotate, .seed = 1});
    CaptureEncoder encoder({}, 3);
    for (uint64_t n = 0; n < 3; n++)
      acknowledged.push_back({n, *(*archive)->Append(CaptureNumber(n, &encoder))});
  }
  const std::string torn = made + "/" + ListArchive(made)->back().name;
  std::filesystem::resize_file(torn, std::filesystem::file_size(torn) - 5);
  for (uint64_t fail_at = 1;; fail_at++) {
    SCOPED_TRACE(fail_at);
    std::filesystem::remove_all(tried);
    std::filesystem::copy(made, tried);
    FaultFileSystem fs({.fail_at = fail_at, .tear = GetParam()});
    const bool done =
        Archive::Open({.directory = tried, .index_buffer_bytes = kIndexBuffer, .fs = &fs, .seed = 1}).ok();
    ASSERT_TRUE(fs.DropUnsynced().ok());
    ASSERT_TRUE(Archive::Open({.directory = tried, .seed = 1}).ok());
    ExpectClean(tried, acknowledged);
    if (done) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Failing, ArchiveFaultTest, testing::Values(false, true),
                         [](const auto& param) { return param.param ? "tearing" : "failing"; });

TEST(ArchiveKillTest, KeepsWhatWasAcknowledgedBeforeKill9) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const TemporaryFolder folder;
  const std::string directory = folder / "archive";
  std::vector<Acknowledged> acknowledged;
  for (uint64_t round = 0; round < 12; round++) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // Two threads append; each writes what a sync acknowledged to the pipe, in one write.
      auto archive = Archive::Open({.directory = directory, .rotate_bytes = 300'000, .seed = round});
      if (!archive.ok()) ::_exit(1);
      const auto run = [&](uint64_t thread) {
        CaptureEncoder encoder({}, round * 2 + thread);
        for (uint64_t i = 0;; i++) {
          const uint64_t n = (round * 2 + thread) * 100'000 + i;
          const auto locator = (*archive)->Append(CaptureNumber(n, &encoder));
          if (!locator.ok() || !(*archive)->Sync().ok()) ::_exit(2);
          const Acknowledged told = {n, *locator};
          if (::write(ends[1], &told, sizeof told) != sizeof told) ::_exit(3);
        }
      };
      std::thread other(run, 1);
      run(0);
    }
    ::close(ends[1]);
    Acknowledged told;
    if (::read(ends[0], &told, sizeof told) == sizeof told) acknowledged.push_back(told);
    ::usleep(static_cast<useconds_t>(random.Below(30'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
    while (::read(ends[0], &told, sizeof told) == sizeof told) acknowledged.push_back(told);
    ::close(ends[0]);
  }
  const auto archive = Archive::Open({.directory = directory, .seed = 1});
  ASSERT_TRUE(archive.ok()) << archive.status().ToString();
  EXPECT_GE(acknowledged.size(), 12u);
  ExpectClean(directory, acknowledged);

  const auto files = ListArchive(directory);
  for (const ArchiveFile& file : *files) {
    const ForeignReading foreign = ReadByZcat(directory + "/" + file.name);
    ASSERT_TRUE(foreign.available) << "no zcat";
    EXPECT_TRUE(foreign.clean) << file.name;
    ASSERT_FALSE(foreign.types.empty());
    EXPECT_EQ(foreign.types[0], "warcinfo");
    EXPECT_EQ(foreign.types.size(), ScanWhole(directory + "/" + file.name, file.name)->records);
  }
}

}  // namespace
}  // namespace crivello::store
