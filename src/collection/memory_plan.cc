// SPDX-License-Identifier: Apache-2.0
#include "collection/memory_plan.h"

#include <algorithm>

namespace crivello::collection {
namespace {

// Each part needs at least this to work, even if the budget is smaller.
constexpr uint64_t kLeastPerTablet = 256 << 10;
constexpr uint64_t kLeastSeenTexts = 1 << 20;
constexpr uint64_t kLeastNearCopies = 4 << 20;

}  // namespace

MemoryPlan MemoryPlan::For(Work work, uint64_t memory_bytes, uint32_t tablets) {
  // Files that a searcher maps are not counted, because the system can drop them.  An eighth of the memory of
  // `up` is for what searches allocate.
  const uint64_t crawl = work == Work::kUp ? memory_bytes / 8 * 5 : memory_bytes;
  const auto per_tablet = [tablets](uint64_t bytes) { return std::max(bytes / tablets, kLeastPerTablet); };
  MemoryPlan plan;
  plan.databases = crawl / 4;
  plan.database = per_tablet(plan.databases);
  plan.sieve = per_tablet(crawl / 4);
  plan.templates = per_tablet(plan.databases / 4);
  if (work == Work::kRead) return plan;
  plan.frontier = crawl / 4;
  plan.bodies = crawl / 4;
  plan.arriving = plan.bodies / 2;
  plan.reading = crawl / 8;
  plan.seen_texts = std::max(crawl / 16, kLeastSeenTexts);
  plan.near_copies = std::max(crawl / 32, kLeastNearCopies);
  plan.connections = crawl;
  if (work == Work::kUp) plan.index = memory_bytes / 4;
  return plan;
}

}  // namespace crivello::collection
