// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"

namespace crivello::frontier {

// The limits of a crawl; 0 means unlimited.
struct BudgetOptions {
  uint64_t pages = 0;  // in all
  uint64_t bytes = 0;  // received, in all
  Duration time{};     // since the frontier was opened
  // URLs that may ever enter the queue of a host, or of one of its directories.
  uint64_t per_host = 0;
  uint64_t per_directory = 0;
  uint32_t depth = 0;           // links from a seed
  bool seeds_only = false;      // follow no links from a seed, whatever `depth` says
  uint32_t links_per_page = 0;  // only the first ones count
};

// How much of the budget of the whole crawl is used, and the limits, which may change meanwhile.
// Thread-safe.
class Budget {
 public:
  Budget(const BudgetOptions& options, MonotonicTime opened) : opened_(opened), options_(options) {}

  // What was used so far counts against the new limits.
  void Set(const BudgetOptions& options) CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    options_ = options;
  }

  // Counts a page that is about to be fetched; give it back if the fetch came to nothing.
  void TakePage() { pages_.fetch_add(1, std::memory_order_relaxed); }
  void GiveBackPage() { pages_.fetch_sub(1, std::memory_order_relaxed); }
  void AddBytes(uint64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }

  // The limit that is reached, by its option's name ("max-pages"); nullopt if none is.
  std::optional<std::string_view> Spent(MonotonicTime now) const;

  uint64_t pages() const { return pages_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  BudgetOptions options() const CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    return options_;
  }

 private:
  const MonotonicTime opened_;
  mutable Mutex mu_;
  BudgetOptions options_ CRV_GUARDED_BY(mu_);
  // Sums that nothing synchronises with: relaxed.
  std::atomic<uint64_t> pages_ = 0;
  std::atomic<uint64_t> bytes_ = 0;
};

// Counts a URL in the directory of a path, in `table`: bytes that are kept with the host (HostState::extra).
// Returns false, and does not count, if the directory has reached `limit`.  The table holds the 500
// directories of a host with the most URLs; if there are more, the smallest are forgotten, and may exceed the
// limit.
bool CountInDirectory(std::string_view path, uint64_t limit, std::string* table);

}  // namespace crivello::frontier
