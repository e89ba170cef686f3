// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crivello::collection {

// Divides the memory of a process (`--memory`) among its parts, whatever the number of tablets.  This is the
// only place that does so; docs/configuration.md has the table.
struct MemoryPlan {
  enum class Work : uint8_t {
    kCrawl,  // the crawler alone
    kUp,     // crawler, indexer and searcher in one process
    kRead,   // commands that read rows, or change some of them
  };
  // REQUIRES: tablets > 0.
  static MemoryPlan For(Work work, uint64_t memory_bytes, uint32_t tablets);

  uint64_t databases = 0;    // block caches and write buffers of all tablets, which share one pool
  uint64_t database = 0;     // the part of one tablet, which decides the sizes of its files
  uint64_t sieve = 0;        // of one tablet
  uint64_t templates = 0;    // of one tablet: what the pages of a site have in common
  uint64_t frontier = 0;     // hosts that are awake
  uint64_t bodies = 0;       // responses between the network and the disk
  uint64_t arriving = 0;     // the part of `bodies` for incomplete ones
  uint64_t reading = 0;      // trees of the pages that are being read; a larger one is read alone
  uint64_t seen_texts = 0;   // digests of texts
  uint64_t near_copies = 0;  // SimHashes of the pages read last, and where they are archived
  uint64_t connections = 0;  // kept open for the next visit to their host
  uint64_t index = 0;        // segments that are not yet on disk, and builds; kUp only
};

}  // namespace crivello::collection
