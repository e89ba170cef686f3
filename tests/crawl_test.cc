// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <set>
#include <thread>

#include "base/file_system.h"
#include "base/random.h"
#include "base/test_paths.h"
#include "crawl_scenario.h"
#include "demo/census.h"

namespace crivello {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

using CrawlTest = CrawlScenario;

TEST_F(CrawlTest, FindsEveryPageOnceAndAsksForNoneThatIsForbidden) {
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  const demo::Census census = demo::TakeCensus(server_->web());
  EXPECT_THAT(RowsWith(200), UnorderedElementsAreArray(census.reachable));

  std::map<std::pair<std::string, std::string>, int> answered;
  std::map<std::string, MonotonicTime> last;
  for (const demo::LoggedRequest& request : server_->Log()) {
    if (request.status == 200) answered[{request.host, request.target}]++;
    if (const auto before = last.find(request.host); before != last.end()) {
      // The server sees the start of a request slightly after the crawler; the previous request ends between
      // the two.
      EXPECT_GE(request.start - before->second, std::chrono::milliseconds(19))
          << request.host << request.target;
    }
    last[request.host] = request.start;
  }
  for (const auto& [page, times] : answered) EXPECT_EQ(times, 1) << page.first << page.second;
  // The first record of the archive describes it once.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "collection")) {
    if (!entry.path().string().ends_with(".warc.gz")) continue;
    ASSERT_EQ(Run({"warc", "cat", entry.path()}), 0) << Text("err");
    const std::string info = "\r\n" + Text("out");
    EXPECT_THAT(info, HasSubstr("\r\nformat: WARC File Format 1.1\r\n"));
    EXPECT_EQ(info.find("\r\nformat:"), info.rfind("\r\nformat:"));
  }
  const std::string port = std::to_string(server_->port());
  for (const std::string& url : census.disallowed) {
    ASSERT_EQ(Run({"why", url, "--json"}), 0);
    EXPECT_THAT(Text("out"), HasSubstr("refused-by-robots")) << url;
    EXPECT_THAT(Text("out"), HasSubstr("found on http://")) << url;
  }
}

// The columns of Heritrix's crawl.log: time, status, bytes, URL, path, via, type, thread, start, digest, tag,
// notes.
TEST_F(CrawlTest, LogsWhatBecameOfEachUrl) {
  std::vector<std::string> arguments = CrawlArguments();
  arguments.insert(arguments.end(), {"--log", folder_ / "crawl.log"});
  ASSERT_EQ(Run(arguments), 0) << Text("err");
  std::map<std::string, int> answered;
  std::set<std::string> refused;
  std::vector<std::string> a_page;
  std::istringstream log(Text("crawl.log"));
  for (std::string line; std::getline(log, line);) {
    std::istringstream words(line);
    const std::vector<std::string> columns{std::istream_iterator<std::string>(words), {}};
    ASSERT_EQ(columns.size(), 12u) << line;
    const int status = std::stoi(columns[1]);
    const std::string& url = columns[3];
    if (server_->web().IsTrap(url)) continue;
    if (status > 0) answered[url] = status;
    if (status == -9998) refused.insert(url);
    if (status == 200 && columns[5] != "-") a_page = columns;
  }
  EXPECT_EQ(answered, Rows());
  const demo::Census census = demo::TakeCensus(server_->web());
  EXPECT_EQ(refused, std::set<std::string>(census.disallowed.begin(), census.disallowed.end()));
  ASSERT_FALSE(a_page.empty());
  ASSERT_EQ(Run({"get", a_page[3], "--json"}), 0) << Text("err");
  const json version = Lines().at(0)["versions"][0];
  EXPECT_EQ(a_page[2], std::to_string(version["bytes"].get<uint64_t>()));
  EXPECT_EQ(a_page[6], version["type"]);
  EXPECT_EQ(a_page[9], version["digest"]);
  ASSERT_EQ(Run({"why", a_page[3]}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("found on " + a_page[5]));
}

// What users of other crawlers expect of the archive: names and sizes of its files, and the robots.txt files.
class CrawlArchiveTest : public CrawlScenario {
 protected:
  using Files = std::map<std::string, std::string>;  // bytes by name, in order of their numbers
  Files ArchiveFiles(const std::string& suffix) const {
    Files files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "collection/tablets/t-/archive")) {
      const std::string name = entry.path().filename();
      if (name.ends_with(suffix)) files[name] = ReadFile(entry.path()).value();
    }
    return files;
  }
  // The URLs in the indexes that end with this.
  std::multiset<std::string> IndexedUrls(const std::string& suffix) const {
    std::multiset<std::string> urls;
    for (const auto& [name, text] : ArchiveFiles(".cdxj")) {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        const std::string url = json::parse(line.substr(line.find('{')))["url"];
        if (url.ends_with(suffix)) urls.insert(url);
      }
    }
    return urls;
  }
};

TEST_F(CrawlArchiveTest, HasFilesOfTheSizeAndNameAskedForAndTheAnswersForRobots) {
  std::vector<std::string> arguments = CrawlArguments();
  arguments.insert(arguments.end(),
                   {"--warc-size", "1M", "--warc-prefix", "harvest_2026", "--warc-compression", "none"});
  ASSERT_EQ(Run(arguments), 0) << Text("err");
  const Files files = ArchiveFiles(".warc");
  ASSERT_GE(files.size(), 2u);
  EXPECT_EQ(ArchiveFiles(".cdxj").size(), files.size());
  size_t number = 0;
  for (const auto& [name, bytes] : files) {
    EXPECT_TRUE(name.starts_with("harvest_2026-2")) << name;
    EXPECT_TRUE(name.ends_with(fmt::format("-{:08}.warc", ++number))) << name;
    // A file is full after the capture that reaches the size.
    if (number < files.size()) {
      EXPECT_GE(bytes.size(), size_t{1} << 20) << name;
    }
    EXPECT_LT(bytes.size(), size_t{2} << 20) << name;
  }

  std::multiset<std::string> asked;
  for (const demo::LoggedRequest& request : server_->Log()) {
    if (request.target == "/robots.txt")
      asked.insert(fmt::format("http://{}:{}/robots.txt", request.host, server_->port()));
  }
  EXPECT_GE(asked.size(), 5u);
  EXPECT_EQ(IndexedUrls("/robots.txt"), asked);
  for (const auto& [url, status] : Rows()) EXPECT_FALSE(url.ends_with("/robots.txt")) << url;
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
  EXPECT_EQ(Run({"get", *asked.begin()}), 1) << "it is not a page";

  // Forgetting a host includes its robots.txt.
  const std::string gone = *asked.begin();
  const std::string host = gone.substr(7, gone.rfind(':') - 7);
  ASSERT_EQ(Run({"forget", host, "--reason", "a test", "--quiet"}), 0) << Text("err");
  EXPECT_EQ(IndexedUrls("/robots.txt").count(gone), 0u);
  for (const auto& [name, bytes] : ArchiveFiles(".warc")) EXPECT_EQ(bytes.find(gone), bytes.npos) << name;
  EXPECT_EQ(IndexedUrls("/robots.txt").size(), asked.size() - 1);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");

  // A repair does not make pages of them.
  const auto rows = Rows();
  std::filesystem::remove(folder_ / "collection/tablets/t-/db/CURRENT");
  ASSERT_EQ(Run({"check", "--repair", "--quiet"}), 0) << Text("out") << Text("err");
  EXPECT_EQ(Rows(), rows);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(CrawlArchiveTest, LeavesOutTheAnswersForRobotsIfAsked) {
  std::vector<std::string> arguments = CrawlArguments();
  arguments.insert(arguments.end(), {"--no-archive-robots", "--max-pages", "5"});
  ASSERT_EQ(Run(arguments), 0) << Text("err");
  EXPECT_GE(IndexedUrls("").size(), 5u);
  EXPECT_EQ(IndexedUrls("/robots.txt").size(), 0u);
}

TEST_F(CrawlTest, GoesOnWhereItStoppedAndFetchesNothingTwice) {
  std::vector<std::string> some = CrawlArguments();
  some.insert(some.end(), {"--max-pages", "40"});
  ASSERT_EQ(Run(some), 0) << Text("err");
  EXPECT_LE(Rows().size(), 60u);
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  EXPECT_THAT(RowsWith(200), UnorderedElementsAreArray(demo::ReachablePages(server_->web())));
  const size_t requests = server_->Log().size();
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  EXPECT_EQ(server_->Log().size(), requests);
}

TEST_F(CrawlTest, SurvivesBeingKilledAtAnyMoment) {
  SeededRandom random(2026);
  for (int kill_number = 0; kill_number < 6; ++kill_number) {
    const pid_t crawler = Start(CrawlArguments());
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + random.Below(900)));
    kill(crawler, SIGKILL);
    Wait(crawler);
  }
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  EXPECT_THAT(RowsWith(200), UnorderedElementsAreArray(demo::ReachablePages(server_->web())));
}

TEST_F(CrawlTest, OthersCanAskWhileItCrawls) {
  const pid_t crawler = Start(CrawlArguments());
  int found = -1;
  for (int attempt = 0; attempt < 200 && found != 0; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    // A separate output, so that the crawler's is not overwritten.
    const std::string command = std::string(ProgramPath()) + " -C " + (folder_ / "collection") +
                                " scan --json > " + (folder_ / "scan") + " 2> " + (folder_ / "scan-err");
    found = WEXITSTATUS(system(command.c_str()));
  }
  EXPECT_EQ(found, 0) << Text("scan-err");
  EXPECT_THAT(Text("scan"), HasSubstr("\"status\":200"));
  const std::string second = std::string(ProgramPath()) + " -C " + (folder_ / "collection") +
                             " crawl --allow-private 2> " + (folder_ / "second");
  EXPECT_EQ(WEXITSTATUS(system(second.c_str())), 4);
  EXPECT_THAT(Text("second"), HasSubstr("in use by process " + std::to_string(crawler)));
  kill(crawler, SIGINT);
  EXPECT_EQ(Wait(crawler), 0);
  EXPECT_THAT(Text("out"), HasSubstr("run the same command to resume"));
}

TEST_F(CrawlTest, WithoutAContactThePublicWebIsLeftAlone) {
  const std::string err = folder_ / "err";
  const pid_t crawler =
      StartProgram({ProgramPath(), "-C", folder_ / "x", "crawl", "https://example.org/"}, [&] {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(99);
        DirectTo(err, STDERR_FILENO);
      });
  EXPECT_EQ(Wait(crawler), 2);
  EXPECT_THAT(Text("err"), HasSubstr("--contact"));
}

TEST_F(CrawlTest, PrivateAddressesAreRefusedUnlessAskedFor) {
  std::vector<std::string> arguments = CrawlArguments();
  std::erase(arguments, "--allow-private");
  arguments.insert(arguments.end(), {"--contact", "test@example.org", "--max-time", "3s"});
  Run(arguments);
  EXPECT_TRUE(server_->Log().empty());
}

}  // namespace
}  // namespace crivello
