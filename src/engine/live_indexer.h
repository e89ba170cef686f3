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
  // Of a new index; one that is there keeps its own.
  index::IndexSettings settings;
  index::PageFields fields;
  uint64_t memory_bytes = uint64_t{256} << 20;
  // Gathers the links of all tablets for each build; outlives the indexer.
  index::AnchorProvider* anchors = nullptr;
  // The ranks of the collection: the index has a new one within `refresh_interval` and some.  May be null;
  // outlives the indexer.
  index::RankSource* ranks = nullptr;
  // How often changes of the tables are looked for.
  Duration refresh_interval = std::chrono::seconds(1);
  // How often what was found is written to the disk; until then it would be read from the table again.
  Duration commit_interval = std::chrono::seconds(30);
  // When the tables have been quiet for so long, what the last build does not have is built in.
  Duration quiet_interval = std::chrono::seconds(5);
  // Told when an index that is there cannot be followed and is rebuilt.  May be null; outlives the indexer.
  Listener* listener = nullptr;
  // Gets each new snapshot of all tablets together, in the indexer's thread; each has a greater generation.
  std::function<void(std::shared_ptr<const index::Snapshot>)> publish;
};

// Keeps the indexes of a collection up to its tables while these grow: what was written to a table can be
// searched `refresh_interval` later and some.  A thread follows the log of changes; documents go first to
// segments in memory, are committed now and then, and merged in the background (index_writer.h).
//
// Texts of links to a page, and how many there are, come from pages anywhere: they are known after a build
// from all rows.  One runs in the background when index_policy.h says so.
// Searches go on meanwhile, and so do refreshes; then the built segment replaces all others, and what has
// changed since the build began is read again.
//
// Stop() commits.  After a crash the index is as of the last commit, and the log of changes has the rest.  If
// the log has not, because the index is an old copy, or missing, or another table's, a build begins at once;
// until it has ended, no commit claims that the index is complete.
class LiveIndexer final : public care::IndexKeeper, public IndexBacklog {
 public:
  // The tables outlive it.  Publishes a first snapshot before it returns.
  static Result<std::unique_ptr<LiveIndexer>> Start(std::vector<index::IndexedTablet> tablets,
                                                    LiveIndexerOptions options);
  ~LiveIndexer() override;

  // Returns when all that the tables have now is searchable and, with `build`, texts of links too.
  Status CatchUp(bool build) CRV_EXCLUDES(mu_);
  // Returns when the index was built anew from rows as they are now or later, and that is on the disk: no
  // file of it holds what was in no row when this was called.
  Status Rebuild() CRV_EXCLUDES(mu_);
  // The same, for those who delete rows; the store is that of the tables.
  Status Rebuild(collection::Collection& /*store*/, Progress& /*progress*/) override { return Rebuild(); }
  // Ends the thread, and commits.
  Status Stop() CRV_EXCLUDES(mu_);

  struct Stats {
    uint64_t documents = 0;  // that can be found
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
    // Set while the index lacks rows that the log does not tell of: what commits say instead of `sequence`,
    // so that the next start finds it out again.
    std::optional<uint64_t> incomplete_since = std::nullopt;
  };
  // A build from all rows: in a thread of its own; the results are read when it has ended.
  struct Build {
    MonotonicTime began{};
    std::vector<uint64_t> sequences;  // of the tablets then
    std::vector<uint64_t> segments;
    std::vector<index::TableSegment> built;
    uint64_t rebuild = 0;  // the last Rebuild() that was called before it began
    Status status;
    std::atomic<bool> ended = false;
    std::jthread thread;  // the last member: ends before the others go
  };

  LiveIndexer(std::vector<index::IndexedTablet> tablets, LiveIndexerOptions options);
  Status Open();
  // Looks whether the log has all that the index lacks, and has a build made if not.
  Status CompareWithLog(Tablet& tablet) CRV_EXCLUDES(mu_);
  void Loop(const std::stop_token& stop);
  // One round: changes, then what is due; whether there were any.
  Result<bool> Round();
  Result<bool> Refresh();
  // Whether there were new ranks, or fewer.  One that cannot be read is left as it was.
  bool RefreshRanks();
  Status Commit();
  bool BuildIsDue(bool changed) const CRV_EXCLUDES(mu_);
  void StartBuild() CRV_EXCLUDES(mu_);
  Status InstallBuild() CRV_EXCLUDES(mu_);
  Status Publish() CRV_EXCLUDES(mu_);

  const LiveIndexerOptions options_;
  index::PageFields fields_;
  std::vector<index::IndexedTablet> indexed_;

  // The thread's own.
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
  // Rounds begun and ended, and builds asked for: what CatchUp() waits by.
  uint64_t rounds_begun_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t rounds_idle_ CRV_GUARDED_BY(mu_) = 0;  // the last round that began and found nothing
  bool hurry_ CRV_GUARDED_BY(mu_) = false;
  bool build_wanted_ CRV_GUARDED_BY(mu_) = false;
  bool stopped_ CRV_GUARDED_BY(mu_) = false;
  uint64_t rebuilds_wanted_ CRV_GUARDED_BY(mu_) = 0;  // calls of Rebuild()
  uint64_t rebuilds_done_ CRV_GUARDED_BY(mu_) = 0;
  std::vector<uint64_t> searchable_ CRV_GUARDED_BY(mu_);  // the sequence of each tablet that was published
  bool built_in_ CRV_GUARDED_BY(mu_) = false;             // nothing has changed since the last build began

  std::jthread thread_;  // the last member: ends before the others go
};

}  // namespace crivello::engine
