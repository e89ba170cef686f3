// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "frontier/queue_load.h"

namespace crivello::frontier {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// N URLs on N/100 hosts; needs some 30 bytes of disk for each, in $CRV_BENCH_DIR (default: /tmp).
void BM_HostQueues_EnqueueDequeue(benchmark::State& state) {
  const char* folder = std::getenv("CRV_BENCH_DIR");
  QueueLoadOptions options;
  options.path = std::string(folder != nullptr ? folder : "/tmp") + "/crivello-host-queues-bench";
  options.urls = static_cast<uint64_t>(state.range(0));
  options.hosts = options.urls / 100;
  options.dequeues = std::min(options.urls, FromEnvironment("CRV_BENCH_DEQUEUES", 2'000'000));
  options.awake = FromEnvironment("CRV_BENCH_AWAKE", options.awake);
  options.slice = FromEnvironment("CRV_BENCH_SLICE", options.slice);
  options.links_per_page = FromEnvironment("CRV_BENCH_LINKS", options.links_per_page);
  options.name_pages = FromEnvironment("CRV_BENCH_NAME_PAGES", 1) != 0;
  options.memory_bytes = FromEnvironment("CRV_BENCH_MEMORY", options.memory_bytes);
  for (auto _ : state) {
    std::filesystem::remove_all(options.path);
    const auto report = RunQueueLoad(options);
    std::filesystem::remove_all(options.path);
    if (!report.ok()) {
      state.SkipWithError(report.status().ToString().c_str());
      return;
    }
    const double enqueue = report->enqueue_cpu_s / static_cast<double>(options.urls);
    const double dequeue = report->dequeue_cpu_s / static_cast<double>(report->dequeued);
    state.counters["enqueue_us"] = enqueue * 1e6;
    state.counters["dequeue_us"] = dequeue * 1e6;
    state.counters["pairs_per_cpu_s"] = 1 / (enqueue + dequeue);
    state.counters["enqueue_s"] = report->enqueue_s;
    state.counters["dequeue_s"] = report->dequeue_s;
    state.counters["open_s"] = report->open_s;
    state.counters["open_cpu_s"] = report->open_cpu_s;
    state.counters["peak_mib"] = static_cast<double>(report->peak_bytes) / (1 << 20);
    state.counters["enqueue_peak_mib"] = static_cast<double>(report->enqueue_peak_bytes) / (1 << 20);
    state.counters["disk_bytes_per_url"] =
        static_cast<double>(report->disk_bytes) / static_cast<double>(options.urls);
    state.counters["written_per_url"] =
        static_cast<double>(report->written_bytes) / static_cast<double>(options.urls);
  }
}
BENCHMARK(BM_HostQueues_EnqueueDequeue)
    ->Arg(1'000'000)
    ->Arg(10'000'000)
    ->Arg(100'000'000)
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace crivello::frontier
