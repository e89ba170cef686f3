// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/progress.h"

namespace crivello::crawl {

struct SeedCounts {
  uint64_t watched = 0;
  uint64_t fetched = 0;  // of those, answered with a status below 400 in this run
  uint64_t failed = 0;   // of those, had no such answer in this run, and it is known why
  bool before = false;   // a run before this one has fetched at least one

  // Whether no seed of the crawl could ever be fetched.
  bool none_fetched() const { return failed > 0 && fetched == 0 && !before; }
};

// A seed that could not be fetched.
struct SeedTrouble {
  std::string url;
  std::string reason;
};

// Watches the seeds of a crawl, and tells a listener at once if one cannot be fetched.  A wrong name or a
// private address is the most likely first mistake, and would otherwise go unnoticed.  Each seed is reported
// once in a run; after kToldSeeds of them, one message says that there are more.
//
// The first kMostSeeds seeds are watched, at some 200 bytes each.  Thread-safe; the listener is called in the
// thread that reports, without a lock held.
class SeedWatch {
 public:
  static constexpr size_t kMostSeeds = 100'000;
  static constexpr uint64_t kToldSeeds = 20;

  // The listener must outlive it; null: none.
  explicit SeedWatch(Listener* listener) : listener_(listener) {}

  // URLs are canonical.  A seed that is already watched starts over.
  void Add(const std::string& url, std::string_view host) CRV_EXCLUDES(mu_);
  void FetchedBefore() CRV_EXCLUDES(mu_);
  // Ignores URLs that are not seeds.
  void Fetched(std::string_view url) CRV_EXCLUDES(mu_);
  void Failed(std::string_view url, std::string_view reason) CRV_EXCLUDES(mu_);
  // The same for all seeds of a host that were not fetched.
  void HostFailed(std::string_view host, std::string_view reason) CRV_EXCLUDES(mu_);
  // A seed that redirects out of scope counts as fetched, but nothing follows from it.
  void RedirectedOut(std::string_view url, std::string_view target) CRV_EXCLUDES(mu_);

  SeedCounts counts() const CRV_EXCLUDES(mu_);
  // The seeds that were not fetched, by URL; at most `limit`.
  std::vector<SeedTrouble> troubles(size_t limit) const CRV_EXCLUDES(mu_);

 private:
  struct Seed {
    bool fetched = false;
    bool told = false;
    std::string trouble = {};
  };
  using Seeds = std::unordered_map<std::string, Seed>;

  // Records the trouble, and returns the sentence for the listener, if any.
  std::string Note(Seeds::value_type& seed, std::string_view reason) CRV_REQUIRES(mu_);
  void Tell(std::string_view event, const std::string& sentence) const;

  Listener* const listener_;
  mutable Mutex mu_;
  Seeds seeds_ CRV_GUARDED_BY(mu_);
  std::unordered_map<std::string, std::vector<Seeds::value_type*>> by_host_ CRV_GUARDED_BY(mu_);
  uint64_t fetched_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t failed_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t told_ CRV_GUARDED_BY(mu_) = 0;
  bool before_ CRV_GUARDED_BY(mu_) = false;
};

}  // namespace crivello::crawl
