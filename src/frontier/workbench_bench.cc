// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <set>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "frontier/workbench.h"

namespace crivello::frontier {
namespace {

// The cycle of a fetch on a bench with this many hosts, three per address: take the head, put it back with a
// delay.  The baseline is the same two levels in containers of the standard library.

MonotonicTime At(uint64_t t) { return MonotonicTime(Duration(static_cast<int64_t>(t))); }

void BM_Workbench_Cycle_ours(benchmark::State& state) {
  const auto hosts = static_cast<uint64_t>(state.range(0));
  SeededRandom random(1);
  Workbench bench;
  for (uint64_t i = 0; i < hosts; i++) bench.Add(i / 3, At(random.Below(hosts)));
  MonotonicTime now{};
  for (auto _ : state) {
    now = std::max(now, *bench.next());
    const auto host = bench.Take(now);
    bench.Return(host, now + Duration(hosts + random.Below(hosts)), now + Duration(hosts / 4));
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["bytes_per_host"] = static_cast<double>(bench.memory_bytes()) / static_cast<double>(hosts);
}
BENCHMARK(BM_Workbench_Cycle_ours)->Name("BM_Workbench_Cycle/ours")->Arg(1000)->Arg(100000)->Arg(1000000);

class StdBench {
 public:
  void Add(uint64_t address, uint64_t next) {
    Erase(address);
    addresses_[address].hosts.emplace(next, count_++);
    Insert(address);
  }
  uint64_t next() const { return queue_.begin()->first; }
  std::pair<uint64_t, uint32_t> Take() {
    const uint64_t address = queue_.begin()->second;
    queue_.erase(queue_.begin());
    auto& hosts = addresses_[address].hosts;
    const uint32_t host = hosts.begin()->second;
    hosts.erase(hosts.begin());
    return {address, host};
  }
  void Return(std::pair<uint64_t, uint32_t> taken, uint64_t next, uint64_t address_next) {
    addresses_[taken.first].next = address_next;
    addresses_[taken.first].hosts.emplace(next, taken.second);
    Insert(taken.first);
  }

 private:
  struct Address {
    uint64_t next = 0;
    std::set<std::pair<uint64_t, uint32_t>> hosts;
  };
  uint64_t Key(const Address& address) const { return std::max(address.next, address.hosts.begin()->first); }
  void Erase(uint64_t address) {
    const auto it = addresses_.find(address);
    if (it != addresses_.end() && !it->second.hosts.empty()) queue_.erase({Key(it->second), address});
  }
  void Insert(uint64_t address) { queue_.emplace(Key(addresses_[address]), address); }

  std::unordered_map<uint64_t, Address> addresses_;
  std::set<std::pair<uint64_t, uint64_t>> queue_;
  uint32_t count_ = 0;
};

void BM_Workbench_Cycle_std(benchmark::State& state) {
  const auto hosts = static_cast<uint64_t>(state.range(0));
  SeededRandom random(1);
  StdBench bench;
  for (uint64_t i = 0; i < hosts; i++) bench.Add(i / 3, random.Below(hosts));
  uint64_t now = 0;
  for (auto _ : state) {
    now = std::max(now, bench.next());
    const auto taken = bench.Take();
    bench.Return(taken, now + hosts + random.Below(hosts), now + hosts / 4);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Workbench_Cycle_std)->Name("BM_Workbench_Cycle/std")->Arg(1000)->Arg(100000)->Arg(1000000);

// All hosts on one address, as at a large hosting provider.
void BM_Workbench_OneAddress(benchmark::State& state) {
  const auto hosts = static_cast<uint64_t>(state.range(0));
  SeededRandom random(1);
  Workbench bench;
  for (uint64_t i = 0; i < hosts; i++) bench.Add(7, At(random.Below(hosts)));
  MonotonicTime now{};
  for (auto _ : state) {
    now = std::max(now, *bench.next());
    const auto host = bench.Take(now);
    bench.Return(host, now + Duration(hosts + random.Below(hosts)), now);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Workbench_OneAddress)->Name("BM_Workbench_OneAddress/ours")->Arg(100000);

}  // namespace
}  // namespace crivello::frontier
