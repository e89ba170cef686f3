// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace crivello::frontier {

// A benchmark load for the host queues: URLs on Zipf-distributed hosts arrive in order of discovery, in
// slices as from the sieve; then hosts are woken, visited in turns, one URL at a time, and put to sleep
// again. Each group of visits is one synced write.
struct QueueLoadOptions {
  std::string path = {};  // a folder that does not exist yet
  uint64_t urls = 10'000'000;
  uint64_t hosts = 100'000;
  uint64_t slice = 1'000'000;  // URLs enqueued in one write
  // URLs are found on pages with this many links, three quarters of which stay on the host of the page; 0:
  // each URL on its own, which is the worst case.
  uint64_t links_per_page = 0;
  bool name_pages = true;         // pass the page, if there is one, to the queues
  uint64_t dequeues = 2'000'000;  // after all are enqueued
  uint64_t awake = 50'000;        // hosts visited in turns
  uint32_t quantum = 128;         // visits of a host before it goes to sleep
  uint32_t read_ahead = 16;       // URLs read at a time
  uint32_t group = 250;           // visits in one write
  uint64_t memory_bytes = 160 << 20;
  uint64_t seed = 1;
};

// CPU seconds are those of the whole process, with compactions and syncs, without generating the load.
struct QueueLoadReport {
  double enqueue_cpu_s = 0;
  double dequeue_cpu_s = 0;
  double enqueue_s = 0;  // wall-clock time
  double dequeue_s = 0;
  double open_s = 0;                // to open the full queues after a stop
  double open_cpu_s = 0;            // until the first hosts are woken
  uint64_t peak_bytes = 0;          // VmHWM: peak resident memory
  uint64_t enqueue_peak_bytes = 0;  // until all was enqueued
  uint64_t disk_bytes = 0;          // of the full queues
  uint64_t written_bytes = 0;       // to disk, in total
  uint64_t dequeued = 0;
};

Result<QueueLoadReport> RunQueueLoad(const QueueLoadOptions& options);

}  // namespace crivello::frontier
