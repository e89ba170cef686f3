// SPDX-License-Identifier: Apache-2.0
// What the host queues guarantee when the disk or the process fails: every acknowledged change is complete,
// the one that failed is complete or absent, and none is applied twice.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"
#include "frontier/host_queues_test_support.h"
#include "web/url/signature.h"

extern char** environ;

namespace crivello::frontier {
namespace {

constexpr int kCrashHosts = 4;

std::string Name(int host) { return fmt::format("h{}.example", host); }
uint64_t Hash(int host) { return web::HostHash(Name(host)); }

// URLs by host and class.
using Model = std::map<std::string, std::array<std::deque<std::string>, 2>>;

// The work is a fixed sequence of steps, each one Change, so the expected state after k steps is known.
std::vector<UrlRecord> NewRecords(int step, std::vector<std::string>& urls) {
  for (int i = 0; i < 8; i++) {
    urls.push_back(fmt::format("https://{}/{}/{}", Name((step + i * i) % kCrashHosts), step, i));
  }
  std::vector<UrlRecord> records;
  for (size_t i = 0; i < urls.size(); i++) {
    records.push_back({.url = urls[i], .priority = static_cast<uint8_t>(i % 2)});
  }
  return records;
}
int HostOfStep(int step) { return step / 3 % kCrashHosts; }

Status RunStep(int step, HostQueues& queues, kv::Database::WriteOptions options) {
  const uint64_t host = Hash(HostOfStep(step));
  if (step % 3 == 1) CRV_TRY(queues.Wake(host));
  QueueCursor cursor;
  CRV_ASSIGN(const auto items, queues.Read(host, cursor, 3));
  HostQueues::Change change = queues.Begin();
  change.batch().Put(0, fmt::format("row {:04}", step), "fetched");  // the caller's, to commit with ours
  if (step % 3 == 0) {
    std::vector<std::string> urls;
    CRV_TRY(change.Enqueue(NewRecords(step, urls), At(step)));
  } else if (step % 3 == 1) {
    for (size_t i = 0; i < std::min<size_t>(items.size(), 3); i++) {
      CRV_TRY(change.Pop(host, items[i]));
      if (i == 1) CRV_TRY(change.PutBack(host, items[i]));
    }
    HostState state;
    state.fetched = static_cast<uint64_t>(step);
    CRV_TRY(change.Store(host, state));
  } else {
    if (!items.empty()) CRV_TRY(change.Pop(host, items[0]));
    CRV_TRY(change.Sleep(host, At(step)));
  }
  return change.Write(options);
}

void RunStep(int step, Model& model) {
  if (step % 3 == 0) {
    std::vector<std::string> urls;
    for (const UrlRecord& record : NewRecords(step, urls)) {
      model[std::string(SplitUrl(record.url)->host)][record.priority].emplace_back(record.url);
    }
    return;
  }
  auto& queues = model[Name(HostOfStep(step))];
  for (int i = 0; i < (step % 3 == 1 ? 3 : 1); i++) {
    auto& queue = queues[0].empty() ? queues[1] : queues[0];
    if (queue.empty()) continue;
    if (step % 3 == 1 && i == 1) queue.push_back(queue.front());
    queue.pop_front();
  }
}

// The number of completed steps, if the state matches one.
std::optional<int> StepsDone(const Opened& o, int at_most) {
  int rows = 0;
  {
    kv::Cursor cursor = o.db->Scan(0);
    for (; cursor.valid(); cursor.Next()) rows++;
  }
  if (rows > at_most) return std::nullopt;
  Model model;
  for (int step = 0; step < rows; step++) RunStep(step, model);
  uint64_t total = 0;
  for (const auto& [name, queues] : model) {
    std::vector<std::string> expected(queues[0].begin(), queues[0].end());
    expected.insert(expected.end(), queues[1].begin(), queues[1].end());
    EXPECT_EQ(Urls(*o.queues, web::HostHash(name)), expected) << "after " << rows << " steps";
    total += expected.size();
  }
  EXPECT_EQ(o.queues->counts().items, total);
  EXPECT_EQ(o.queues->counts().hosts, model.size());
  return rows;
}

uint64_t ChangesOfOpening() {
  const TemporaryFolder folder;
  FaultFileSystem fs({});
  EXPECT_TRUE(OpenQueues(folder / "db", &fs).ok());
  return fs.changes();
}

constexpr int kSteps = 14;

// Repeats the work on a disk where another change fails each time, until none does.
void ForEveryFailure(bool stay_down,
                     const std::function<void(const std::string& path, FaultFileSystem&)>& work) {
  const uint64_t first = ChangesOfOpening();
  for (const bool tear : {false, true}) {
    bool untouched = false;
    for (uint64_t n = first; !untouched; n++) {
      SCOPED_TRACE(fmt::format("change {} fails, torn: {}", n, tear));
      const TemporaryFolder folder;
      FaultFileSystem fs({.fail_at = n, .tear = tear, .stay_down = stay_down});
      work(folder / "db", fs);
      if (testing::Test::HasFailure()) return;
      untouched = fs.changes() < n;
    }
  }
}

TEST(HostQueuesCrashTest, LosesNothingAcknowledgedAtWhicheverChangeTheMachineStops) {
  ForEveryFailure(/*stay_down=*/true, [](const std::string& path, FaultFileSystem& fs) {
    int done = 0;
    {
      auto o = OpenQueues(path, &fs);
      while (o.ok() && done < kSteps && RunStep(done, *o->queues, {.sync = true}).ok()) done++;
    }
    ASSERT_TRUE(fs.DropUnsynced().ok());
    const Opened o = MustOpen(path);
    const std::optional<int> found = StepsDone(o, kSteps);
    ASSERT_TRUE(found.has_value());
    EXPECT_GE(*found, done);
    EXPECT_LE(*found, done + 1);
  });
}

TEST(HostQueuesCrashTest, GoesOnAfterAFailedWriteWithoutRepeatingIt) {
  ForEveryFailure(/*stay_down=*/false, [](const std::string& path, FaultFileSystem& fs) {
    auto o = OpenQueues(path, &fs);
    if (!o.ok()) o = OpenQueues(path, &fs);
    ASSERT_TRUE(o.ok()) << o.status().ToString();
    for (int step = 0; step < kSteps;) {
      if (RunStep(step, *o->queues, {.sync = true}).ok()) {
        step++;
        continue;
      }
      EXPECT_EQ(o->queues->Begin().Write({}).code(), StatusCode::kUnavailable);
      const Status resumed = o->db->Resume();
      ASSERT_TRUE(resumed.ok()) << resumed.ToString();
      const auto is_there = o->queues->Recover();
      ASSERT_TRUE(is_there.ok()) << is_there.status().ToString();
      if (*is_there) step++;
      EXPECT_EQ(StepsDone(*o, kSteps), step);
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(StepsDone(*o, kSteps), kSteps);
    const Opened again = Reopen(*std::move(o), path);
    EXPECT_EQ(StepsDone(again, kSteps), kSteps);
  });
}

constexpr char kChildFolder[] = "CRV_HOST_QUEUES_CRASH_FOLDER";
constexpr int kManySteps = 3000;
constexpr int kAcknowledge = 100;  // the file descriptor to which the child writes a byte after each step

// Not a test by itself: the process that LosesNothingAcknowledgedWhenKilled kills.
TEST(HostQueuesCrashTest, DISABLED_Child) {
  const Opened o = MustOpen(std::string(std::getenv(kChildFolder)) + "/db");
  std::optional<int> step = StepsDone(o, kManySteps);
  ASSERT_TRUE(step.has_value());
  for (; *step < kManySteps; ++*step) {
    ASSERT_TRUE(RunStep(*step, *o.queues, {.sync = *step % 5 == 0}).ok());
    ASSERT_EQ(::write(kAcknowledge, ".", 1), 1);
  }
}

TEST(HostQueuesCrashTest, LosesNothingAcknowledgedWhenKilled) {
  const uint64_t seed = 4;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  SeededRandom random(seed);
  const TemporaryFolder folder;
  ASSERT_EQ(::setenv(kChildFolder, folder.path().c_str(), 1), 0);
  int acknowledged = 0;
  for (int round = 0; round < 6; round++) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, ends[1], kAcknowledge);
    ::posix_spawn_file_actions_addclose(&files, ends[0]);
    ::posix_spawn_file_actions_addclose(&files, ends[1]);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    char self[] = "/proc/self/exe";
    char filter[] = "--gtest_filter=HostQueuesCrashTest.DISABLED_Child";
    char disabled[] = "--gtest_also_run_disabled_tests";
    char* arguments[] = {self, filter, disabled, nullptr};
    pid_t child = 0;
    ASSERT_EQ(::posix_spawn(&child, self, &files, nullptr, arguments, environ), 0);
    ::posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    // Kills it after this many acknowledgements; the moment within the next step is random.
    const uint64_t wanted = 1 + random.Below(300);
    uint64_t steps = 0;
    char buffer[256];
    for (bool killed = false;;) {
      const ssize_t n = ::read(ends[0], buffer, sizeof buffer);
      if (n <= 0) break;
      steps += static_cast<uint64_t>(n);
      if (!killed && steps >= wanted) killed = ::kill(child, SIGKILL) == 0;
    }
    ::close(ends[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const Opened o = MustOpen(folder / "db");
    const std::optional<int> found = StepsDone(o, kManySteps);
    ASSERT_TRUE(found.has_value());
    acknowledged += static_cast<int>(steps);  // a killed process loses no write, synced or not
    EXPECT_GE(*found, acknowledged);
    EXPECT_LE(*found, acknowledged + 1);
    acknowledged = *found;
  }
}

}  // namespace
}  // namespace crivello::frontier
