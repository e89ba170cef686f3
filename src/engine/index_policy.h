// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "crawl/backlog.h"

namespace crivello::engine {

// When an index is refreshed, when it is built from all rows, and who waits for it: decided here and nowhere
// else, by pure functions of counts.
//
// A refresh reads only the rows that changed and costs as much as those.  The texts of links to a page come
// from pages anywhere, so they are known only after a build, which reads all rows.

enum class IndexWork { kRefresh, kBuild };

// What `crivello index` finds.
struct StoredIndexStats {
  bool exists = false;     // every tablet has an index, and it is to keep its settings
  uint64_t documents = 0;  // that can be found in it
  uint64_t changes = 0;    // of rows, that it does not have
};

// A build is worth it when more than this share of the documents has changed: each change costs a refresh
// several times what it costs a build, and a build knows the texts of links.
inline constexpr uint64_t kRefreshShare = 5;

// For an index that is updated once, by a command.
constexpr IndexWork WorkOfCommand(const StoredIndexStats& counts) {
  return counts.exists && counts.changes <= counts.documents / kRefreshShare ? IndexWork::kRefresh
                                                                             : IndexWork::kBuild;
}

// What the live indexer knows after each refresh.
struct LiveIndexStats {
  uint64_t documents = 0;  // of the last build
  uint64_t changes = 0;    // of rows, since the last build began
  Duration quiet{};        // since the last change
  Duration rested{};       // since the last build ended
  Duration build{};        // how long that took; 0: there was none
  bool wanted = false;     // someone waits for a build
};

// A build is due at once when this share has changed; until then it waits for quiet tables.
inline constexpr uint64_t kBuildShare = 10;
// The next build waits this many times as long as the last one took, so that builds have a small share of a
// core.
inline constexpr int kRestTimes = 20;

// For an index that is refreshed all the time: whether a build from all rows is due as well.  `quiet_limit`:
// after that long without a change the texts of links are worth a build.
constexpr bool BuildIsDue(const LiveIndexStats& counts, Duration quiet_limit) {
  if (counts.wanted) return true;
  if (counts.changes == 0 || counts.rested < kRestTimes * counts.build) return false;
  return counts.changes > counts.documents / kBuildShare || counts.quiet >= quiet_limit;
}

// The crawl waits for the index when more rows than this are not yet searchable: a second or two of its work.
inline constexpr uint64_t kCrawlBacklog = 2000;
// Clients that send documents are refused, and try again later, above this.
inline constexpr uint64_t kSenderBacklog = 50'000;

// How many changes of rows cannot be searched yet.  Thread-safe, and cheap enough to ask for each page.
class IndexBacklog {
 public:
  virtual ~IndexBacklog() = default;
  virtual uint64_t backlog() const = 0;
};

// The same, as the crawl asks.
class CrawlBacklog final : public crawl::Backlog {
 public:
  // `index` outlives it.
  explicit CrawlBacklog(const IndexBacklog& index) : index_(index) {}
  bool Full() const override { return index_.backlog() > kCrawlBacklog; }

 private:
  const IndexBacklog& index_;
};

}  // namespace crivello::engine
