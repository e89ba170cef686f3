// SPDX-License-Identifier: Apache-2.0
// A whole simulated crawl in a separate process, killed at random moments and restarted.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>

#include "base/random.h"
#include "frontier/frontier_test_support.h"
#include "frontier/host_queues.h"

namespace crivello::frontier {
namespace {

// With or without hosts that fail on the first attempts: to a new process each attempt is the first, so after
// many restarts they may be given up.
SimulatedWeb CrashWeb(bool with_failing) {
  SimulatedWebOptions options = {.seed = 11, .hosts = 40, .pages = 1500};
  options.late_names = with_failing ? 0.1 : 0;
  options.robots_error = with_failing ? 0.1 : 0;
  return SimulatedWeb(options);
}

// The process that is killed: this program, told by an environment variable where to work.  It writes each
// committed page to standard output.
TEST(FrontierCrashProcess, DISABLED_Crawls) {
  const char* folder = std::getenv("FRONTIER_CRASH_FOLDER");
  const char* hours = std::getenv("FRONTIER_CRASH_HOURS");
  ASSERT_TRUE(folder != nullptr && hours != nullptr);
  const SimulatedWeb web = CrashWeb(std::getenv("FRONTIER_CRASH_FAILING") != nullptr);
  ManualClock clock(kTestStart + std::chrono::hours(std::atoi(hours)));
  SimulationOptions options = {.time = std::chrono::hours(24 * 365), .commit_visits = 16};
  SimulationJudge judge(options.frontier.politeness);
  judge.OnCommitted([](const Visit& visit) {
    const std::string line = visit.url + "\n";
    if (::write(3, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  });
  const auto tablets = OpenTestTablets(folder, 2);
  auto simulation = Simulation::Open(**tablets, web, clock, judge, options);
  ASSERT_TRUE(simulation.ok());
  ASSERT_TRUE((*simulation)->Begin().ok());  // repeated each time: the sieve knows the seed
  ASSERT_TRUE((*simulation)->Run().ok());
  ASSERT_TRUE(judge.report().finished);
  if (::write(3, "finished\n", 9) != 9) std::abort();
}

// When to kill that process at the latest: after this many pages, or this much time.
struct Patience {
  size_t lines = std::numeric_limits<size_t>::max();
  Duration time = std::chrono::minutes(10);
};

// Runs it; returns the lines that it wrote.
std::vector<std::string> RunAndKill(const std::string& folder, bool with_failing, int hours,
                                    const Patience& patience) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("FRONTIER_CRASH_FOLDER", folder.c_str(), 1);
    ::setenv("FRONTIER_CRASH_HOURS", std::to_string(hours).c_str(), 1);
    if (with_failing) ::setenv("FRONTIER_CRASH_FAILING", "1", 1);
    const int quiet = ::open("/dev/null", O_WRONLY);
    ::dup2(ends[1], 3);
    ::dup2(quiet, STDOUT_FILENO);
    ::execl("/proc/self/exe", "frontier_test", "--gtest_filter=FrontierCrashProcess.DISABLED_Crawls",
            "--gtest_also_run_disabled_tests", nullptr);
    ::_exit(1);
  }
  ::close(ends[1]);
  std::string text;
  const MonotonicTime end = SystemClock().Now() + patience.time;
  while (static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) < patience.lines) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SystemClock().Now()).count();
    pollfd poll = {.fd = ends[0], .events = POLLIN, .revents = 0};
    if (left <= 0 || ::poll(&poll, 1, static_cast<int>(left)) == 0) break;
    char buffer[4096];
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // Output that was in the pipe when it died: it was written after the commit.
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  ::close(ends[0]);
  std::vector<std::string> lines;
  for (size_t begin = 0, line = 0; (line = text.find('\n', begin)) != std::string::npos; begin = line + 1)
    lines.push_back(text.substr(begin, line - begin));
  return lines;
}

void KillAndJudge(uint64_t seed, bool with_failing) {
  const TemporaryFolder folder;
  const SimulatedWeb web = CrashWeb(with_failing);
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  std::map<std::string, int> committed;
  int kills = 0;
  for (bool finished = false; !finished; kills++) {
    ASSERT_LT(kills, 200);
    // Every other run makes progress; in the others the frontier may not even be open yet.
    const Patience patience = kills % 2 == 0
                                  ? Patience{.lines = 50 + random.Below(200)}
                                  : Patience{.time = std::chrono::milliseconds(1 + random.Below(60))};
    for (const auto& line : RunAndKill(folder.path(), with_failing, kills * 24, patience)) {
      if (line == "finished") {
        finished = true;
      } else {
        committed[line]++;
      }
    }
  }
  EXPECT_GT(kills, 5);
  // A URL comes twice only if the kill fell between adding it to its queue and telling the sieve; a real
  // crawler then recognises it by its row.
  std::set<std::string> pages;
  int repeated = 0;
  for (const auto& [url, times] : committed) {
    EXPECT_LE(times, 2) << url;
    repeated += times - 1;
    if (IsReachable(web, *web.HostNumber(SplitUrl(url)->host))) pages.insert(url);
  }
  EXPECT_LT(repeated, static_cast<int>(committed.size()) / 4);
  // The pages that must be found: all that can be found without the hosts that were given up.
  const auto tablets = OpenTestTablets(folder.path());
  uint64_t known = 0, items = 0;
  std::set<uint32_t> given_up;
  for (uint32_t i = 0; i < 2; i++) {
    const HostQueues& queues = *(**tablets)[i].queues;
    known += queues.counts().enqueued;
    items += queues.counts().items;
    ASSERT_TRUE(queues
                    .ForEachHost([&](uint64_t, const HostState& state) {
                      if (state.given_up) given_up.insert(*web.HostNumber(state.name));
                      return true;
                    })
                    .ok());
  }
  for (const uint32_t host : given_up) {
    const bool fails_at_first = web.fate(host) == SimulatedWeb::Fate::kLateName ||
                                web.robots_fate(host) == SimulatedWeb::RobotsFate::kError;
    EXPECT_TRUE(!IsReachable(web, host) || (with_failing && fails_at_first)) << web.Name(host);
  }
  const std::set<std::string> expected =
      AsSet(ReferenceCrawl(web, /*robots=*/true, [&](uint32_t host) { return !given_up.contains(host); }));
  // A page is printed after its commit, so a kill in between can hide at most one page of each commit.
  std::set<std::string> unheard;
  std::set_difference(expected.begin(), expected.end(), pages.begin(), pages.end(),
                      std::inserter(unheard, unheard.end()));
  EXPECT_LE(unheard.size(), static_cast<size_t>(kills) * 16 * 2);
  // Those were committed nevertheless: the collection knows them, and no items are left.
  EXPECT_EQ(items, 0u);
  EXPECT_GE(known, expected.size());
  testing::Test::RecordProperty("kills", kills);
  testing::Test::RecordProperty("hosts_given_up", static_cast<int>(given_up.size()));
  testing::Test::RecordProperty("known", static_cast<int>(known));
  testing::Test::RecordProperty("expected", static_cast<int>(expected.size()));
  testing::Test::RecordProperty("expected_of_all_hosts", static_cast<int>(ReferenceCrawl(web).size()));
}

TEST(FrontierCrashTest, KilledAtRandomMomentsItLosesNothing) { KillAndJudge(3, /*with_failing=*/false); }

TEST(FrontierCrashTest, KilledAtRandomMomentsItLosesOnlyWhatHostsThatFailWithheld) {
  KillAndJudge(3, /*with_failing=*/true);
}

}  // namespace
}  // namespace crivello::frontier
