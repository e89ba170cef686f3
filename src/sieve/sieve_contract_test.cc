// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_contract.h"

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "base/random.h"

namespace crivello::sieve {
namespace {

// The obvious sieve, as a reference.
class Judge {
 public:
  void Offer(const Key& key) {
    if (seen_.insert(key.signature).second) out_.emplace_back(key.bytes);
  }
  const std::vector<std::string>& out() const { return out_; }

 private:
  std::set<uint64_t> seen_;
  std::vector<std::string> out_;
};

void TakeInto(Sieve& sieve, uint64_t limit, std::vector<std::string>* out) {
  const size_t before = out->size();
  const auto taken = sieve.Take(limit, [&](std::string_view bytes) { out->emplace_back(bytes); });
  ASSERT_TRUE(taken.ok()) << taken.status().ToString();
  ASSERT_EQ(*taken, out->size() - before);
  ASSERT_LE(*taken, limit);
}

TEST_P(SieveContract, LetsEachKeyThroughOnceInOrderOfFirstArrival) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    std::filesystem::remove_all(folder_ / "sieve");
    auto sieve = Open();
    ASSERT_NE(sieve, nullptr);
    Judge judge;
    std::vector<std::string> out;
    uint64_t offered = 0;
    for (int round = 0; round < 400; round++) {
      std::vector<TestKey> keys;
      for (uint64_t n = random.Below(40); n > 0; n--) {
        // Repeats at all distances, and now and then the other version of a record.
        keys.emplace_back(random.Below(1 + static_cast<uint64_t>(round) * 12), random.Below(8) == 0 ? 1 : 0);
      }
      std::vector<Key> views;
      for (const auto& key : keys) views.push_back(key.key());
      for (const auto& key : views) judge.Offer(key);
      offered += views.size();
      ASSERT_TRUE(sieve->Offer(views).ok());
      if (random.Below(20) == 0) {
        ASSERT_TRUE(sieve->Flush({.wait = random.Below(2) == 0}).ok());
      }
      if (random.Below(5) == 0) TakeInto(*sieve, random.Below(200), &out);
      if (random.Below(20) == 0) {
        ASSERT_TRUE(sieve->Sync().ok());
      }
      if (random.Below(20) == 0) {
        ASSERT_TRUE(sieve->Release().ok());
      }
    }
    for (auto& key : Drain(*sieve)) out.push_back(std::move(key));
    EXPECT_EQ(out, judge.out());
    const SieveStats stats = sieve->stats();
    EXPECT_EQ(stats.offered, offered);
    EXPECT_EQ(stats.passed, out.size());
    EXPECT_EQ(stats.known, out.size());
    EXPECT_EQ(stats.waiting, 0u);
    EXPECT_EQ(stats.untaken, 0u);
    EXPECT_GT(stats.written_bytes, 0u);
    EXPECT_GT(stats.disk_bytes, 0u);
    EXPECT_GT(stats.memory_bytes, 0u);
  }
}

TEST_P(SieveContract, LetsTheFirstOfSeveralRecordsOfASignatureWin) {
  auto sieve = Open();
  ASSERT_NE(sieve, nullptr);
  ASSERT_TRUE(OfferOne(*sieve, TestKey(7, 0)).ok());
  ASSERT_TRUE(OfferOne(*sieve, TestKey(7, 1)).ok());
  EXPECT_EQ(Drain(*sieve), std::vector<std::string>({TestKey(7, 0).bytes}));
  ASSERT_TRUE(OfferOne(*sieve, TestKey(7, 1)).ok());
  EXPECT_TRUE(Drain(*sieve).empty());
  const TestKey other(8);
  const Key both[] = {{.signature = other.signature, .bytes = "first"},
                      {.signature = other.signature, .bytes = "second"}};
  ASSERT_TRUE(sieve->Offer(both).ok());
  EXPECT_EQ(Drain(*sieve), std::vector<std::string>({"first"}));
}

TEST_P(SieveContract, TakesSignaturesAndBytesOfEveryKind) {
  auto sieve = Open();
  ASSERT_NE(sieve, nullptr);
  const std::string large(kMaxKeyBytes, 'x');
  const std::string zeros("\0\0", 2);
  std::vector<Key> keys;
  uint64_t n = 0;
  for (const uint64_t signature :
       {uint64_t{0}, ~uint64_t{0}, uint64_t{1}, uint64_t{1} << 63, ~uint64_t{0} - 1}) {
    keys.push_back({.signature = signature, .bytes = n == 1 ? large : n == 2 ? zeros : std::string_view()});
    n++;
  }
  for (uint64_t i = 100; i < 400; i++) keys.push_back({.signature = i, .bytes = "neighbour"});
  std::vector<std::string> expected;
  for (const auto& key : keys) expected.emplace_back(key.bytes);
  ASSERT_TRUE(sieve->Offer(keys).ok());
  EXPECT_EQ(Drain(*sieve), expected);
  ASSERT_TRUE(sieve->Offer(keys).ok());
  EXPECT_TRUE(Drain(*sieve).empty());
}

TEST_P(SieveContract, RefusesAKeyThatIsTooLongAndTakesNoneOfItsCall) {
  auto sieve = Open();
  ASSERT_NE(sieve, nullptr);
  const std::string large(kMaxKeyBytes + 1, 'x');
  const Key keys[] = {{.signature = 5, .bytes = "good"}, {.signature = 6, .bytes = large}};
  EXPECT_EQ(sieve->Offer(keys).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(Drain(*sieve).empty());
  ASSERT_TRUE(sieve->Offer(std::span(keys).first(1)).ok());
  EXPECT_EQ(Drain(*sieve), std::vector<std::string>({"good"}));
}

TEST_P(SieveContract, DoesNothingWhenThereIsNothingToDo) {
  auto sieve = Open();
  ASSERT_NE(sieve, nullptr);
  for (int i = 0; i < 3; i++) {
    EXPECT_TRUE(sieve->Offer({}).ok());
    EXPECT_TRUE(sieve->Sync().ok());
    EXPECT_TRUE(sieve->Release().ok());
    EXPECT_TRUE(sieve->Flush({.wait = i == 1}).ok());
    EXPECT_TRUE(Drain(*sieve).empty());
    if (i == 1) {
      sieve.reset();
      sieve = Open();
      ASSERT_NE(sieve, nullptr);
    }
  }
}

TEST_P(SieveContract, RemembersAcrossReopening) {
  SeededRandom random(11);
  std::set<uint64_t> offered, taken, released;
  for (int life = 0; life < 12; life++) {
    SCOPED_TRACE(life);
    auto sieve = Open();
    ASSERT_NE(sieve, nullptr);
    std::set<uint64_t> in_life;
    const auto note = [&](std::string_view bytes) {
      const uint64_t i = TestKey::NumberIn(bytes);
      EXPECT_TRUE(in_life.insert(i).second) << "twice in one life: " << i;
      EXPECT_FALSE(released.contains(i)) << "again though released: " << i;
      taken.insert(i);
    };
    for (int i = 0; i < 300; i++) {
      const TestKey key(random.Below(200 + 100 * static_cast<uint64_t>(life)));
      ASSERT_TRUE(OfferOne(*sieve, key).ok());
      offered.insert(TestKey::NumberIn(key.bytes));
    }
    ASSERT_TRUE(sieve->Sync().ok());
    if (life % 3 == 0) {
      ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
    }
    ASSERT_TRUE(sieve->Take(random.Below(300), note).ok());
    if (life % 2 == 0) {
      ASSERT_TRUE(sieve->Release().ok());
      released = taken;
      for (const uint64_t i : taken) {
        if (!in_life.contains(i)) released.erase(i);
      }
    }
    ASSERT_TRUE(sieve->Take(random.Below(100), note).ok());
    if (life == 11) {
      for (const auto& bytes : Drain(*sieve)) note(bytes);
      EXPECT_EQ(taken, offered);
      ASSERT_TRUE(sieve->Release().ok());
    }
  }
  auto sieve = Open();
  ASSERT_NE(sieve, nullptr);
  for (const uint64_t i : offered) ASSERT_TRUE(OfferOne(*sieve, TestKey(i)).ok());
  EXPECT_TRUE(Drain(*sieve).empty());
}

TEST_P(SieveContract, KeepsTheOrderOfFirstArrivalAcrossReopening) {
  Judge judge;
  std::vector<std::string> out;
  for (uint64_t life = 0; life < 4; life++) {
    auto sieve = Open();
    ASSERT_NE(sieve, nullptr);
    for (uint64_t i = 0; i < 500; i++) {
      const TestKey key(life * 300 + i);
      judge.Offer(key.key());
      ASSERT_TRUE(OfferOne(*sieve, key).ok());
    }
    ASSERT_TRUE(sieve->Sync().ok());
    TakeInto(*sieve, 170, &out);
    if (life == 3) {
      for (auto& key : Drain(*sieve)) out.push_back(std::move(key));
    }
    ASSERT_TRUE(sieve->Release().ok());
  }
  EXPECT_EQ(out, judge.out());
}

TEST_P(SieveContract, NeverStarvesASmallCrawl) {
  auto sieve = Open();
  ASSERT_NE(sieve, nullptr);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  // A chain: each key is found on the page of the one before, so each must come out on its own.
  for (uint64_t i = 0; i < 30; i++) {
    ASSERT_TRUE(OfferOne(*sieve, TestKey(i)).ok());
    std::vector<std::string> out;
    ASSERT_TRUE(sieve->Flush({.wait = i % 2 == 0}).ok());
    if (i % 2 == 0) TakeInto(*sieve, 10, &out);
    while (out.empty() && i % 2 == 1) {
      TakeInto(*sieve, 10, &out);
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::yield();
    }
    ASSERT_EQ(out, std::vector<std::string>({TestKey(i).bytes}));
  }
}

TEST_P(SieveContract, LetsEachKeyThroughOnceFromEightThreads) {
  auto sieve = Open();
  ASSERT_NE(sieve, nullptr);
  constexpr uint64_t kThreads = 8;
  constexpr uint64_t kShared = 1500;
  constexpr uint64_t kOwn = 500;
  std::atomic<uint64_t> running = kThreads;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      SeededRandom random(t);
      for (uint64_t i = 0; i < kOwn; i++) {
        const TestKey own(1000000 * (t + 1) + i);
        const TestKey shared[] = {TestKey(random.Below(kShared)), TestKey(random.Below(kShared)),
                                  TestKey(i * kShared / kOwn + t % 3)};
        const Key keys[] = {shared[0].key(), own.key(), shared[1].key(), shared[2].key()};
        EXPECT_TRUE(sieve->Offer(keys).ok());
        if (i % 100 == 50) {
          EXPECT_TRUE(sieve->Sync().ok());
        }
        if (i % 200 == 150) {
          EXPECT_TRUE(sieve->Flush({.wait = t == 0}).ok());
        }
      }
      running--;
    });
  }
  std::vector<std::string> out;
  while (running > 0) {
    TakeInto(*sieve, 100, &out);
    EXPECT_TRUE(sieve->Release().ok());
    EXPECT_LE(sieve->stats().passed, kShared + 3 + kThreads * kOwn);
    std::this_thread::yield();
  }
  for (auto& thread : threads) thread.join();
  for (auto& key : Drain(*sieve)) out.push_back(std::move(key));

  std::set<uint64_t> numbers;
  std::vector<uint64_t> last(kThreads + 1);
  for (const auto& bytes : out) {
    const uint64_t i = TestKey::NumberIn(bytes);
    EXPECT_TRUE(numbers.insert(i).second) << i;
    const uint64_t owner = i / 1000000;
    if (owner > 0) {
      EXPECT_LT(last[owner], i) << "the keys of a thread keep their order";
      last[owner] = i;
    }
  }
  EXPECT_GE(numbers.size(), kThreads * kOwn + kShared / 2);
  for (uint64_t t = 1; t <= kThreads; t++) {
    for (uint64_t i = 0; i < kOwn; i++) EXPECT_TRUE(numbers.contains(1000000 * t + i));
  }
  EXPECT_EQ(sieve->stats().offered, kThreads * kOwn * 4);
}

}  // namespace
}  // namespace crivello::sieve
