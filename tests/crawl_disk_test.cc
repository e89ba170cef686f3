// SPDX-License-Identifier: Apache-2.0
// A disk that fills up: the crawl stops with a message, loses nothing, and resumes when there is space.
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/test_waiting.h"
#include "crawl_scenario.h"
#include "demo/census.h"

namespace crivello {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

class DiskTest : public CrawlScenario {
 protected:
  void SetUp() override {
    CrawlScenario::SetUp();
    std::filesystem::create_directory(folder_ / "collection");
    // Mounts for this process only, which disappear with it.
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        !Mount("size=16m", 0)) {
      GTEST_SKIP() << "skipped: no file system may be mounted here: " << std::strerror(errno);
    }
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) umount2((folder_ / "collection").c_str(), MNT_DETACH);
  }
  bool Mount(const char* size, unsigned long flags) const {
    return mount("tmpfs", (folder_ / "collection").c_str(), "tmpfs", flags, size) == 0;
  }
  bool MakeRoom() const { return Mount("size=512m", MS_REMOUNT); }
  std::vector<std::string> Crawl(const std::string& min_free) const {
    std::vector<std::string> arguments = CrawlArguments();
    *(std::find(arguments.begin(), arguments.end(), "--min-free") + 1) = min_free;
    return arguments;
  }
  void ExpectTheWholeWeb() const {
    EXPECT_THAT(RowsWith(200), UnorderedElementsAreArray(demo::ReachablePages(server_->web())));
    EXPECT_EQ(Run({"check"}), 0) << Text("out");
  }

 private:
  bool mounted_ = false;
};

TEST_F(DiskTest, StopsBeforeItIsFullAndGoesOn) {
  EXPECT_EQ(Run(Crawl("15M")), 4) << Text("out") << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("stopped before the disk is full"));
  ASSERT_TRUE(MakeRoom());
  ASSERT_EQ(Run(Crawl("15M")), 0) << Text("err");
  ExpectTheWholeWeb();
}

// The disk is completely full: processes that only read do not notice, and those that write say what is
// missing. The same for a read-only disk.
TEST_F(DiskTest, ReadsFromADiskThatIsFullOrMayOnlyBeRead) {
  ASSERT_TRUE(Mount("size=64m", MS_REMOUNT));
  std::vector<std::string> some = Crawl("1M");
  some.insert(some.end(), {"--max-pages", "20"});
  ASSERT_EQ(Run(some), 0) << Text("err");
  ASSERT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
  std::string url;
  for (const auto& [row, status] : Rows()) {
    if (status == 200) url = row;
  }
  const std::vector<std::vector<std::string>> reading = {{"scan"},
                                                         {"check"},
                                                         {"report"},
                                                         {"frontier"},
                                                         {"why", url},
                                                         {"get", url},
                                                         {"forget", "--dry-run", url},
                                                         {"search", "the"}};
  const std::vector<std::vector<std::string>> writing = {{"index"},
                                                         {"forget", url, "--reason", "a test"},
                                                         {"backup", folder_ / "backup"},
                                                         {"rederive"},
                                                         Crawl("0")};
  {
    std::ofstream other(folder_ / "collection/other");
    const std::string block(4096, 'x');
    while (other << block << std::flush) {
    }
  }
  for (const auto& command : reading) EXPECT_EQ(Run(command), 0) << command[0] << ": " << Text("err");
  for (const auto& command : writing) {
    EXPECT_EQ(Run(command), 4) << command[0] << ": " << Text("err");
    EXPECT_THAT(Text("err"), HasSubstr("KiB are free")) << command[0];
  }
  std::filesystem::remove(folder_ / "collection/other");
  ASSERT_TRUE(Mount("size=64m", MS_REMOUNT | MS_RDONLY));
  for (const auto& command : reading) EXPECT_EQ(Run(command), 0) << command[0] << ": " << Text("err");
  for (const auto& command : writing) EXPECT_EQ(Run(command), 4) << command[0] << ": " << Text("err");
  ASSERT_TRUE(MakeRoom());
  ASSERT_EQ(Run(Crawl("1M")), 0) << Text("err");
  ExpectTheWholeWeb();
}

// Another program writes meanwhile, so the limit does not notice in time.
TEST_F(DiskTest, LosesNothingWhenItIsFullInTheMiddle) {
  const pid_t crawler = Start(Crawl("0"));
  // Pages are in progress on all hosts, and most of the web is still to be crawled.
  const size_t some = demo::ReachablePages(server_->web()).size() / 4;
  EXPECT_TRUE(WaitFor([&] { return server_->Log().size() > some; }));
  {
    std::ofstream other(folder_ / "collection/other");
    const std::string block(4096, 'x');
    while (other << block << std::flush) {
    }
  }
  EXPECT_EQ(Wait(crawler), 4) << Text("out") << Text("err");
  EXPECT_THAT(Text("err"), HasSubstr("No space left"));
  std::filesystem::remove(folder_ / "collection/other");
  ASSERT_TRUE(MakeRoom());
  ASSERT_EQ(Run(Crawl("1M")), 0) << Text("err");
  ExpectTheWholeWeb();
}

}  // namespace
}  // namespace crivello
