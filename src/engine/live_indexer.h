// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/progress.h"
#include "base/status.h"
#include "care/index_keeper.h"
#include "engine/index_policy.h"
#include "index/build/index_writer.h"
#include "index/tables/table_indexer.h"
#include "index/tables/table_rows.h"

namespace crivello::engine {

struct LiveIndexerOptions {
  // For a new index; an existing one keeps its own settings.
  index::IndexSettings settings;
  index::PageFields fields;
  uint64_t memory_bytes = uint64_t{256} << 20;
  // Collects the links of all tablets for each build; must outlive the indexer.
  index::AnchorProvider* anchors = nullptr;
  // The ranks of the collection: the index has a new one soon after `refresh_interval`.  May be null; must
  // outlive the indexer.
  index::RankSource* ranks = nullptr;
  // How often to look for changes of the tables.
  Duration refresh_interval = std::chrono::seconds(1);
  // How often changes are committed to disk; after a crash, uncommitted ones are read from the table again.
  Duration commit_interval = std::chrono::seconds(30);
  // When the tables have been quiet this long, a build adds what the last build lacks.
  Duration quiet_interval = std::chrono::seconds(5);
  // Told when an existing index cannot be followed and is rebuilt.  May be null; must outlive the indexer.
  Listener* listener = nullptr;
  // Gets each new snapshot of all tablets, in the indexer's thread; generations increase.
  std::function<void(std::shared_ptr<const index::Snapshot>)> publish;
};

// Keeps the indexes of a collection up to date while its tables grow: a row is searchable soon after
// `refresh_interval`.  A thread follows the log of changes.  Documents first go to segments in memory, are
// committed now and then, and merged in the background (index_writer.h).
//
// The texts of links to a page, and their number, come from pages anywhere, so only a build from all rows
// knows them.  A build runs in the background when index_policy.h says so.  Searches and refreshes
// continue meanwhile.  Then the built segment replaces all others, and changes since the build began are
// read again.
//
// Stop() commits.  After a crash the index is as of the last commit, and the log of changes has the rest.  If
// the log has not (the index is an old copy, is missing, or belongs to another table), a build starts at
// once. Until it has ended, no commit claims that the index is complete.
class LiveIndexer final : public care::IndexKeeper, public IndexBacklog {
 public:
  // The tables must outlive this.  Publishes a first snapshot before it returns.
  static Result<std::unique_ptr<LiveIndexer>> Start(std::vector<index::IndexedTablet> tablets,
                                                    LiveIndexerOptions options);
  ~LiveIndexer() override;

  // Returns when everything now in the tables is searchable and, with `build`, texts of links too.
  Status CatchUp(bool build) CRV_EXCLUDES(mu_);
  // Returns when the index was rebuilt from the current rows or later ones, and is on disk.  No file of it
  // then contains anything that was in no row when this was called.
  Status Rebuild() CRV_EXCLUDES(mu_);
  // The same, for code that deletes rows; the store must be that of the tables.
  Status Rebuild(collection::Collection& /*store*/, Progress& /*progress*/) override { return Rebuild(); }
  // Ends the thread, and commits.
  Status Stop() CRV_EXCLUDES(mu_);

  struct Stats {
    uint64_t documents = 0;  // that search can find
    uint64_t segments = 0;
    uint64_t backlog = 0;  // changes of the tables that are not yet searchable
    uint64_t builds = 0;
    bool building = false;
    Status status;  // why it has stopped, if it has
  };
  Stats stats() const CRV_EXCLUDES(mu_);
  uint64_t backlog() const override CRV_EXCLUDES(mu_) { return stats().backlog; }

 private:
  struct Tablet {
    index::IndexedTablet rows;
    std::unique_ptr<index::IndexWriter> writer;
    uint64_t sequence = 0;  // the writer has the changes up to here
    // Set while the index lacks rows that are not in the log.  Commits record this instead of `sequence`, so
    // that the next start finds the gap again.
    std::optional<uint64_t> incomplete_since = std::nullopt;
  };
  // A build from all rows, in its own thread; the results are read when it has ended.
  struct Build {
    MonotonicTime began{};
    std::vector<uint64_t> sequences;  // of the tablets when it began
    std::vector<uint64_t> segments;
    std::vector<index::TableSegment> built;
    uint64_t rebuild = 0;  // the last Rebuild() that was called before it began
    Status status;
    std::atomic<bool> ended = false;
    std::jthread thread;  // the last member: ends before the others go
  };

  LiveIndexer(std::vector<index::IndexedTablet> tablets, LiveIndexerOptions options);
  Status Open();
  // Checks whether the log has everything that the index lacks, and requests a build if not.
  Status CompareWithLog(Tablet& tablet) CRV_EXCLUDES(mu_);
  void Loop(const std::stop_token& stop);
  // One round: changes first, then work that is due; returns whether there were changes.
  Result<bool> Round();
  Result<bool> Refresh();
  // Returns whether ranks were added or removed.  One that cannot be read is left as it was.
  bool RefreshRanks();
  Status Commit();
  bool BuildIsDue(bool changed) const CRV_EXCLUDES(mu_);
  void StartBuild() CRV_EXCLUDES(mu_);
  Status InstallBuild() CRV_EXCLUDES(mu_);
  Status Publish() CRV_EXCLUDES(mu_);

  const LiveIndexerOptions options_;
  index::PageFields fields_;
  std::vector<index::IndexedTablet> indexed_;

  // Used by the thread only.
  std::vector<Tablet> tablets_;
  uint64_t changes_ = 0;  // since the last build began
  uint64_t built_documents_ = 0;
  MonotonicTime changed_at_{};
  MonotonicTime committed_at_{};
  MonotonicTime built_at_{};  // when the last build ended
  Duration build_took_{};     // 0: there was none
  uint64_t published_ = 0;    // the generation of the last snapshot
  std::unique_ptr<Build> build_;

  mutable Mutex mu_;
  std::condition_variable_any wake_;
  Stats stats_ CRV_GUARDED_BY(mu_);
  // Rounds begun and ended, and builds requested: CatchUp() waits for these.
  uint64_t rounds_begun_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t rounds_idle_ CRV_GUARDED_BY(mu_) = 0;  // the last round that began and found nothing to do
  bool hurry_ CRV_GUARDED_BY(mu_) = false;
  bool build_wanted_ CRV_GUARDED_BY(mu_) = false;
  bool stopped_ CRV_GUARDED_BY(mu_) = false;
  uint64_t rebuilds_wanted_ CRV_GUARDED_BY(mu_) = 0;  // calls of Rebuild()
  uint64_t rebuilds_done_ CRV_GUARDED_BY(mu_) = 0;
  std::vector<uint64_t> searchable_ CRV_GUARDED_BY(mu_);  // the published sequence of each tablet
  bool built_in_ CRV_GUARDED_BY(mu_) = false;             // nothing has changed since the last build began

  std::jthread thread_;  // the last member: ends before the others go
};

}  // namespace crivello::engine
