// SPDX-License-Identifier: Apache-2.0
#include "frontier/workbench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/random.h"

namespace crivello::frontier {
namespace {

MonotonicTime Moment(int64_t t) { return MonotonicTime(Duration(t)); }

TEST(WorkbenchTest, GivesNothingWhenThereIsNothing) {
  Workbench bench;
  EXPECT_EQ(bench.next(), std::nullopt);
  EXPECT_EQ(bench.head(), Workbench::kNoHost);
  EXPECT_EQ(bench.Take(Moment(1000)), Workbench::kNoHost);
}

TEST(WorkbenchTest, GivesAHostAtItsTimeAndNotBefore) {
  Workbench bench;
  const auto host = bench.Add(7, Moment(10));
  EXPECT_EQ(bench.next(), Moment(10));
  EXPECT_EQ(bench.head(), host);
  EXPECT_EQ(bench.Take(Moment(9)), Workbench::kNoHost);
  EXPECT_EQ(bench.Take(Moment(10)), host);
  EXPECT_EQ(bench.Take(Moment(1000)), Workbench::kNoHost) << "it is taken";
  bench.Return(host, Moment(50), Moment(20));
  EXPECT_EQ(bench.next(), Moment(50));
}

TEST(WorkbenchTest, HoldsAnAddressWhileOneOfItsHostsIsTaken) {
  Workbench bench;
  const auto a = bench.Add(7, Moment(10));
  const auto b = bench.Add(7, Moment(11));
  const auto c = bench.Add(8, Moment(12));
  EXPECT_EQ(bench.Take(Moment(100)), a);
  EXPECT_TRUE(bench.WaitOf(b).address_taken);
  EXPECT_EQ(bench.Take(Moment(100)), c) << "b stands under the address that a holds";
  bench.Return(a, Moment(500), Moment(200));
  EXPECT_EQ(bench.next(), Moment(200)) << "b waits for its address";
  EXPECT_EQ(bench.Take(Moment(200)), b);
}

TEST(WorkbenchTest, RemembersTheTimeOfAnAddressWithoutHosts) {
  Workbench bench;
  const auto a = bench.Add(7, Moment(0));
  ASSERT_EQ(bench.Take(Moment(0)), a);
  bench.Remove(a, Moment(100));
  EXPECT_EQ(bench.addresses(), 1u);
  const auto b = bench.Add(7, Moment(5));
  EXPECT_EQ(bench.next(), Moment(100));
  bench.Remove(b);
  EXPECT_EQ(bench.Take(Moment(99)), Workbench::kNoHost);
  EXPECT_EQ(bench.addresses(), 1u);
  EXPECT_EQ(bench.Take(Moment(100)), Workbench::kNoHost);
  EXPECT_EQ(bench.addresses(), 0u) << "it is forgotten once its time has come";
  bench.Add(7, Moment(5), Moment(300));
  EXPECT_EQ(bench.next(), Moment(300)) << "the floor of a new address";
}

// The simple way: looks at all hosts each time.
struct SlowBench {
  struct Host {
    uint64_t address;
    int64_t next;
    bool taken = false;
  };
  struct Address {
    int64_t next = std::numeric_limits<int64_t>::min();
    bool taken = false;
  };
  std::map<Workbench::HostId, Host> hosts;
  std::map<uint64_t, Address> addresses;

  std::optional<int64_t> next() const {
    std::optional<int64_t> least;
    for (const auto& [id, host] : hosts) {
      const Address& address = addresses.at(host.address);
      if (host.taken || address.taken) continue;
      const int64_t key = std::max(host.next, address.next);
      if (!least || key < *least) least = key;
    }
    return least;
  }
};

TEST(WorkbenchTest, AgreesWithLookingAtAllHosts) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    Workbench bench;
    SlowBench slow;
    std::vector<Workbench::HostId> taken;
    int64_t now = 0;
    const uint64_t addresses = 1 + random.Below(12);
    for (int step = 0; step < 1500; step++) {
      const auto later = [&] { return now + static_cast<int64_t>(random.Below(50)); };
      switch (random.Below(6)) {
        case 0: {
          const uint64_t address = random.Below(addresses);
          const int64_t next = later();
          const auto id = bench.Add(address, Moment(next));
          ASSERT_FALSE(slow.hosts.contains(id));
          slow.hosts[id] = {address, next};
          slow.addresses.try_emplace(address);
          break;
        }
        case 1:
          if (!taken.empty()) {
            const size_t i = random.Below(taken.size());
            const auto id = taken[i];
            taken.erase(taken.begin() + static_cast<ptrdiff_t>(i));
            SlowBench::Host& host = slow.hosts.at(id);
            SlowBench::Address& address = slow.addresses.at(host.address);
            const int64_t next = later(), address_next = later();
            address.taken = host.taken = false;
            address.next = std::max(address.next, address_next);
            host.next = next;
            if (random.Below(4) == 0) {
              bench.Remove(id, Moment(address_next));
              slow.hosts.erase(id);
            } else {
              bench.Return(id, Moment(next), Moment(address_next));
            }
          }
          break;
        case 2:
          if (!slow.hosts.empty() && random.Below(3) == 0) {
            auto it = slow.hosts.begin();
            std::advance(it, random.Below(slow.hosts.size()));
            if (it->second.taken) break;
            bench.Remove(it->first);
            slow.hosts.erase(it);
          }
          break;
        default: {
          now += static_cast<int64_t>(random.Below(4));
          const auto next = slow.next();
          ASSERT_EQ(bench.next(), next ? std::optional(Moment(*next)) : std::nullopt);
          const auto id = bench.Take(Moment(now));
          ASSERT_EQ(id != Workbench::kNoHost, next && *next <= now);
          if (id == Workbench::kNoHost) break;
          SlowBench::Host& host = slow.hosts.at(id);
          SlowBench::Address& address = slow.addresses.at(host.address);
          ASSERT_FALSE(host.taken || address.taken);
          ASSERT_EQ(std::max(host.next, address.next), *next);
          host.taken = address.taken = true;
          taken.push_back(id);
        }
      }
      ASSERT_EQ(bench.hosts(), slow.hosts.size());
    }
  }
}

TEST(WorkbenchTest, KeepsItsPromiseOnMemory) {
  Workbench bench;
  constexpr uint64_t kHosts = 1 << 16;
  for (uint64_t i = 0; i < kHosts; i++) bench.Add(i, Moment(static_cast<int64_t>(i)));
  EXPECT_LE(bench.memory_bytes(), kHosts * (24 + 4 + 100));
}

}  // namespace
}  // namespace crivello::frontier
