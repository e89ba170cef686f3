// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_crash.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "base/fault_file_system.h"

namespace crivello::sieve {
namespace {

constexpr uint64_t kSeed = 7;
constexpr int kSteps = 60;
constexpr uint64_t kFaults = 60;  // faults tried in each way, spread over all changes of a fault-free run

// After a crash: everything acknowledged comes out, and the sieve still knows what it knew.
void CheckAfterwards(Sieve& sieve, Ledger& ledger, const std::vector<std::string>& drained) {
  for (const auto& bytes : drained) ledger.Taken(TestKey::NumberIn(bytes));
  ledger.CheckNoneLost();
  ASSERT_TRUE(sieve.Release().ok());
  ledger.Released();
  // Now exactly the keys that have not come out yet must come out.
  for (uint64_t i = 0; i < RandomUser::kKeys; i++) {
    const TestKey key(i);
    const Key one[] = {key.key()};
    ASSERT_TRUE(sieve.Offer(one).ok());
  }
}

struct Way {
  const char* name;
  bool tear;
  bool power_cut;
};
constexpr Way kWays[] = {{"the write fails, the process dies", false, false},
                         {"the write is torn, the process dies", true, false},
                         {"the write is torn, the power goes", true, true}};

TEST_P(SieveCrash, LosesNoAcknowledgedKeyWhenTheNthWriteFailsOrTears) {
  for (const Way& way : kWays) {
    uint64_t changes = 0;  // of the run without faults
    uint64_t stride = 1;
    for (uint64_t n = 0; n <= kFaults; n++) {
      // The first run has no fault, and counts the changes.
      const uint64_t fail_at = n == 0 ? 0 : 1 + (n - 1) * stride + n % stride;
      if (n > 0 && fail_at > changes) break;
      SCOPED_TRACE(testing::Message() << way.name << ", change " << fail_at);
      std::filesystem::remove_all(folder_ / "sieve");
      Ledger ledger;
      FaultFileSystem fs({.fail_at = fail_at, .tear = way.tear, .stay_down = true});
      auto opened = GetParam().open(folder_ / "sieve", fs);
      if (opened.ok()) {
        RandomUser user(kSeed,
                        [&](RandomUser::Event event, uint64_t i) { RandomUser::Tell(ledger, event, i); });
        for (int step = 0; step < kSteps && user.Step(**opened).ok(); step++) {
        }
        std::move(opened).value().reset();
      }
      if (n == 0) {
        changes = fs.changes();
        stride = std::max<uint64_t>(1, changes / kFaults);
      }
      if (way.power_cut) {
        ASSERT_TRUE(fs.DropUnsynced().ok());
      }
      ledger.BeginLife();
      auto sieve = Open();
      ASSERT_NE(sieve, nullptr);
      CheckAfterwards(*sieve, ledger, Drain(*sieve));
      for (const auto& bytes : Drain(*sieve)) ledger.Taken(TestKey::NumberIn(bytes));
      EXPECT_EQ(ledger.taken().size(), RandomUser::kKeys);
      if (HasFailure()) return;
    }
    EXPECT_GT(changes, 5u);
  }
}

TEST_P(SieveCrash, GoesOnAfterTheNthWriteFailed) {
  uint64_t changes = 0;
  uint64_t stride = 1;
  for (uint64_t n = 0; n <= kFaults; n++) {
    const uint64_t fail_at = n == 0 ? 0 : 1 + (n - 1) * stride + n % stride;
    if (n > 0 && fail_at > changes) break;
    SCOPED_TRACE(testing::Message() << "change " << fail_at);
    std::filesystem::remove_all(folder_ / "sieve");
    Ledger ledger;
    FaultFileSystem fs({.fail_at = fail_at, .tear = true, .stay_down = false});
    auto opened = GetParam().open(folder_ / "sieve", fs);
    if (!opened.ok()) opened = GetParam().open(folder_ / "sieve", fs);
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    auto sieve = std::move(opened).value();
    RandomUser user(kSeed, [&](RandomUser::Event event, uint64_t i) { RandomUser::Tell(ledger, event, i); });
    int failures = 0;
    for (int step = 0; step < kSteps; step++) {
      if (user.Step(*sieve).ok()) continue;
      // One failed write may fail several calls, and a failed sync all later ones: then the user opens the
      // sieve again, once.
      if (++failures == 5) {
        sieve.reset();
        ledger.BeginLife();
        sieve = Open(fs);
        ASSERT_NE(sieve, nullptr);
      }
    }
    EXPECT_LT(failures, 10);
    if (n == 0) {
      EXPECT_EQ(failures, 0);
      changes = fs.changes();
      stride = std::max<uint64_t>(1, changes / kFaults);
    }
    sieve.reset();
    ledger.BeginLife();
    sieve = Open();
    ASSERT_NE(sieve, nullptr);
    CheckAfterwards(*sieve, ledger, Drain(*sieve));
    for (const auto& bytes : Drain(*sieve)) ledger.Taken(TestKey::NumberIn(bytes));
    EXPECT_EQ(ledger.taken().size(), RandomUser::kKeys);
    if (HasFailure()) return;
  }
}

TEST_P(SieveCrash, GoesOnWhenAFullDiskHasRoomAgain) {
  for (const uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    SCOPED_TRACE(seed);
    std::filesystem::remove_all(folder_ / "sieve");
    FullFileSystem fs;
    auto sieve = Open(fs);
    ASSERT_NE(sieve, nullptr);
    Ledger ledger;
    RandomUser user(seed, [&](RandomUser::Event event, uint64_t i) { RandomUser::Tell(ledger, event, i); });
    int failures = 0;
    for (int step = 0; step < 6 * kSteps; step++) {
      fs.SetFull(step / 30 % 2 == 1);
      const Status status = user.Step(*sieve);
      if (status.ok()) continue;
      failures++;
      EXPECT_NE(status.message().find("No space left"), std::string::npos) << status.ToString();
    }
    EXPECT_GT(failures, 0);
    fs.SetFull(false);
    // A background failure may still be reported once; then everything works as before, in the same life.
    sieve->Flush({.wait = true}).IgnoreError();
    ASSERT_TRUE(sieve->Sync().ok());
    ledger.Synced();
    CheckAfterwards(*sieve, ledger, Drain(*sieve));
    for (const auto& bytes : Drain(*sieve)) ledger.Taken(TestKey::NumberIn(bytes));
    EXPECT_EQ(ledger.taken().size(), RandomUser::kKeys);
    // The disk has it, too.
    ASSERT_TRUE(sieve->Sync().ok());
    ASSERT_TRUE(sieve->Release().ok());
    sieve.reset();
    sieve = Open();
    ASSERT_NE(sieve, nullptr);
    EXPECT_TRUE(Drain(*sieve).empty());
    if (HasFailure()) return;
  }
}

// The child's side of the pipe: each event is one write, so that a kill leaves complete events.
struct Message {
  RandomUser::Event event;
  uint64_t i;
};

[[noreturn]] void RunChild(const SieveSubject& subject, const std::string& folder, uint64_t seed, int out) {
  auto sieve = subject.open(folder, PosixFileSystem());
  if (!sieve.ok()) ::_exit(3);
  RandomUser user(seed, [&](RandomUser::Event event, uint64_t i) {
    const Message message = {event, i};
    if (::write(out, &message, sizeof message) != sizeof message) ::_exit(4);
  });
  for (;;) {
    if (!user.Step(**sieve).ok()) ::_exit(5);
  }
}

TEST_P(SieveCrash, LosesNoAcknowledgedKeyWhenItIsKilled) {
  SeededRandom random(99);
  Ledger ledger;
  for (uint64_t life = 0; life < 12; life++) {
    SCOPED_TRACE(life);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(ends[0]);
      RunChild(GetParam(), folder_ / "sieve", life, ends[1]);
    }
    ::close(ends[1]);
    ledger.BeginLife();
    // It is killed some time after its first event, because opening takes long on a busy machine.
    const auto life_time = std::chrono::microseconds(random.Below(30000));
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    bool heard = false;
    bool killed = false;
    Message message = {};
    for (;;) {
      pollfd waiting = {.fd = ends[0], .events = POLLIN, .revents = 0};
      if (!killed) ::poll(&waiting, 1, 1);
      if (!killed && std::chrono::steady_clock::now() > deadline) {
        ::kill(child, SIGKILL);
        killed = true;
      }
      if (!killed && (waiting.revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t n = ::read(ends[0], &message, sizeof message);
      if (n != sizeof message) break;
      RandomUser::Tell(ledger, message.event, message.i);
      if (!std::exchange(heard, true)) deadline = std::chrono::steady_clock::now() + life_time;
    }
    ::close(ends[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;

    // Check the remains only now and then; in between the next child continues with them.
    if (life % 3 != 2) continue;
    ledger.BeginLife();
    auto sieve = Open();
    ASSERT_NE(sieve, nullptr);
    for (const auto& bytes : Drain(*sieve)) ledger.Taken(TestKey::NumberIn(bytes));
    ledger.CheckNoneLost();
    if (life % 2 == 1) {
      ASSERT_TRUE(sieve->Release().ok());
      ledger.Released();
    }
  }
  EXPECT_GT(ledger.taken().size(), 100u);
}

}  // namespace
}  // namespace crivello::sieve
