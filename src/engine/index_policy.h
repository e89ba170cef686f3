// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "crawl/backlog.h"

namespace crivello::engine {

// Decides when an index is refreshed, when it is rebuilt from all rows, and who waits for it.  No other file
// decides this.  Pure functions of counts.
//
// A refresh reads only the rows that changed, and costs in proportion.  The texts of links to a page come
// from pages anywhere, so only a build, which reads all rows, finds them.

enum class IndexWork { kRefresh, kBuild };

// What `crivello index` knows before it decides.
struct StoredIndexStats {
  bool exists = false;     // every tablet has an index, and its settings are to be kept
  uint64_t documents = 0;  // that search finds in it
  uint64_t changes = 0;    // of rows, that it does not have yet
};

// Build if more than this share of the documents has changed: a change costs several times as much in a
// refresh as in a build, and a build updates the texts of links.
inline constexpr uint64_t kRefreshShare = 5;

// For an index that a command updates once.
constexpr IndexWork WorkOfCommand(const StoredIndexStats& counts) {
  return counts.exists && counts.changes <= counts.documents / kRefreshShare ? IndexWork::kRefresh
                                                                             : IndexWork::kBuild;
}

// The state of the live indexer after each refresh.
struct LiveIndexStats {
  uint64_t documents = 0;  // of the last build
  uint64_t changes = 0;    // of rows, since the last build began
  Duration quiet{};        // since the last change
  Duration rested{};       // since the last build ended
  Duration build{};        // how long that took; 0: there was none
  bool wanted = false;     // someone is waiting for a build
};

// A build is due at once if this share has changed; otherwise it waits until the tables are quiet.
inline constexpr uint64_t kBuildShare = 10;
// The next build starts after a rest of this many times the duration of the last one, so that builds take a
// small share of a core.
inline constexpr int kRestTimes = 20;

// For an index that is refreshed continuously: whether a build from all rows is due as well.  After
// `quiet_limit` without a change, updating the texts of links is worth a build.
constexpr bool BuildIsDue(const LiveIndexStats& counts, Duration quiet_limit) {
  if (counts.wanted) return true;
  if (counts.changes == 0 || counts.rested < kRestTimes * counts.build) return false;
  return counts.changes > counts.documents / kBuildShare || counts.quiet >= quiet_limit;
}

// The crawl pauses while more rows than this are not yet searchable: a second or two of indexing.
inline constexpr uint64_t kCrawlBacklog = 2000;
// Above this, clients that send documents are refused and must retry later.
inline constexpr uint64_t kSenderBacklog = 50'000;

// How many changed rows are not yet searchable.  Thread-safe, and cheap enough to call for each page.
class IndexBacklog {
 public:
  virtual ~IndexBacklog() = default;
  virtual uint64_t backlog() const = 0;
};

// The same, as the crawl's interface.
class CrawlBacklog final : public crawl::Backlog {
 public:
  // `index` must outlive this.
  explicit CrawlBacklog(const IndexBacklog& index) : index_(index) {}
  bool Full() const override { return index_.backlog() > kCrawlBacklog; }

 private:
  const IndexBacklog& index_;
};

}  // namespace crivello::engine
