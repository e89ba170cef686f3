// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "index/build/merge_policy.h"
#include "index/build/segment_builder.h"
#include "index/build/segment_merger.h"
#include "index/ranks/rank_pages.h"
#include "index/segments/index_document.h"
#include "index/segments/index_files.h"
#include "index/segments/manifest.h"
#include "index/segments/segment_sink.h"
#include "index/segments/snapshot.h"
#include "index/tables/supersession.h"

namespace crivello::index {

struct IndexWriterOptions {
  std::string directory;
  // Required for a new index; for an existing one, must be its settings or nullopt.
  std::optional<IndexSettings> settings = {};
  // Keep documents in memory, where Refresh() makes them searchable.  If false, documents go straight to disk
  // and are searchable after Commit(), which is better for building from many.
  bool live = true;
  uint64_t memory_bytes = uint64_t{512} << 20;  // of the builder
  unsigned threads = 1;                         // of the builder and of commits
  MergePolicy policy = {};
  bool merge_in_background = true;
  uint64_t merge_bytes_per_second = uint64_t{32} << 20;  // written in the background; 0: no limit
  FileSystem* fs = &PosixFileSystem();
};

struct MergeAllOptions {
  // May renumber the documents; `order` is then the name of that order.
  std::function<Status(std::vector<MergeSource>*)> arrange = {};
  std::string order = "arrival";
};

// Changes an index: adds documents, deletes pages, replaces versions (supersession.h), merges segments.
//
// Documents gather in a batch.  Refresh() turns it into a segment in memory and publishes a snapshot with it.
// Commit() writes the segments in memory to disk as one, then a manifest, and returns when both are durable.
// A crash leaves the last commit; the next writer that opens the index removes partial files.  `sequence` is
// the caller's number for its progress, so that it knows where to resume.
//
// Deletions caused by replacements are part of the same commit as the new documents.  Merges in the
// background are separate commits that change no results: they drop only what a commit deleted, and carry
// over deletions made while they ran.  They remove the replaced files at once; anyone with a snapshot still
// has them mapped.
//
// Only one thread at a time may call it, except for snapshot(), which any thread may call.  A Commit() that
// failed can be retried, unless the batch itself could not be written: then it and every later call fails,
// and sequence() says where to resume after reopening.
class IndexWriter {
 public:
  // InvalidArgument if the settings are not those of the index; Unavailable if it is open elsewhere.
  static Result<std::unique_ptr<IndexWriter>> Open(const IndexWriterOptions& options);
  // Stops merging.  Uncommitted changes are lost.
  ~IndexWriter();

  // Adds the newest version of its page; the order of calls counts.
  Status Add(IndexDocument document);
  // Deletes a page and all its versions, if it exists.
  Status Delete(std::string_view url);
  // Without `live`, returns the current snapshot.
  Result<std::shared_ptr<const Snapshot>> Refresh();
  Status Commit(uint64_t sequence);
  // Adds the documents of a segment that `write` produces, without a batch; they are indexed by Commit().
  Status AddSegment(const std::function<Status(SegmentSink&)>& write);

  // Reserves the number of a segment that is built separately, at SegmentPath(), for ReplaceAll().
  uint64_t NewSegment() CRV_EXCLUDES(mu_);
  // Replaces all documents of the index by that segment (0: by nothing); `live` says which of its documents
  // were deleted or replaced since, if any.  Snapshots have it at once, the disk after Commit().
  Status ReplaceAll(uint64_t segment, std::shared_ptr<const LiveDocuments> live) CRV_EXCLUDES(mu_);

  // Gives all documents these ranks, replacing ranks of the same names, and removes the ranks `removed`.  A
  // separate commit that changes no segment and no document: it writes new columns, then a manifest that
  // names them. Documents that are added later get these ranks too.
  Status ReplaceRanks(std::vector<std::shared_ptr<const RankPages>> added,
                      const std::vector<std::string>& removed) CRV_EXCLUDES(mu_);

  // Merges all committed segments into one, now.
  Status MergeAll(const MergeAllOptions& options = {});
  // Returns when the policy finds nothing to merge, or with the error if merging has failed.  Without merges
  // in the background, this does them.
  Status WaitForMerges() CRV_EXCLUDES(mu_);

  std::shared_ptr<const Snapshot> snapshot() const CRV_EXCLUDES(snapshot_mu_);
  const IndexSettings& settings() const { return settings_; }
  // As of the last commit.
  uint64_t sequence() const CRV_EXCLUDES(mu_);
  Manifest manifest() const CRV_EXCLUDES(mu_);
  // The size of the segments in memory.
  uint64_t uncommitted_bytes() const CRV_EXCLUDES(mu_);

 private:
  // A segment of the index.
  struct Held {
    uint64_t id = 0;        // 0: in memory
    SegmentView view = {};  // the current state
    // The state at the last commit: whether the segment was part of it, and the state of its documents; the
    // generation of the file with that state, if there is one.
    bool committed = false;
    std::shared_ptr<const LiveDocuments> saved = {};
    uint64_t deletions = 0;
    std::vector<std::shared_ptr<const RankColumn>> saved_ranks = {};  // those already written
  };
  using Ranks = std::vector<std::shared_ptr<const RankPages>>;  // by name
  // A merge of committed segments into a new one.
  struct Merge {
    uint64_t id = 0;
    std::string order = "arrival";
    std::vector<Held> inputs;  // their state when the merge began
    std::vector<MergeSource> sources;
  };

  IndexWriter(const IndexWriterOptions& options, IndexSettings settings, IndexLock lock)
      : options_(options), settings_(std::move(settings)), lock_(std::move(lock)) {}
  Status Load(const Manifest& manifest) CRV_EXCLUDES(mu_);

  Status BeginBatch() CRV_EXCLUDES(mu_);
  Status EndBatch() CRV_EXCLUDES(mu_);
  Result<std::shared_ptr<const Segment>> FinishBatch();
  // Adds a new segment (or null) and deletions; the other segments lose documents of the same pages.
  Status Install(uint64_t id, std::shared_ptr<const Segment> segment, std::vector<PageDeletion> deletions)
      CRV_EXCLUDES(mu_);
  // Joins the segments in memory into one, in memory (id 0) or on disk.  Nullopt if no document is left.
  Result<std::optional<Held>> JoinMemorySegments(uint64_t id) CRV_REQUIRES(mu_);
  // Joins the segments in memory if there are many.
  Status KeepMemorySegmentsFew() CRV_REQUIRES(mu_);

  enum class Scope { kAll, kCommitted };
  // Writes a manifest of those of these segments that are on disk, and makes these the segments of the index.
  // kAll includes all changes of their documents; kCommitted only those of earlier commits.
  Status CommitSegments(std::vector<Held> segments, Scope scope, uint64_t sequence) CRV_REQUIRES(mu_) {
    return CommitSegments(std::move(segments), scope, sequence, ranks_);
  }
  // The same, and also replaces the ranks; the segments must have their columns.
  Status CommitSegments(std::vector<Held> segments, Scope scope, uint64_t sequence, Ranks ranks)
      CRV_REQUIRES(mu_);
  // Adds the ranks to the manifest, and writes those that are not written yet.
  Status SaveRanks(const Ranks& ranks, Manifest* next) CRV_REQUIRES(mu_);
  Status SaveColumns(const Manifest& next, Held* held) CRV_REQUIRES(mu_);
  void RemoveRanks(const Manifest& before) CRV_REQUIRES(mu_);
  void Publish() CRV_REQUIRES(mu_);

  void MergeLoop(const std::stop_token& stop) CRV_EXCLUDES(mu_);
  // Waits for its turn, then begins the merge that the policy chooses, or one of all; nullopt if none.
  std::optional<Merge> BeginMerge(bool all, const std::stop_token& stop) CRV_EXCLUDES(mu_);
  struct Pace {
    unsigned threads = 1;
    uint64_t bytes_per_second = 0;
    std::stop_token stop = {};
  };
  Status RunMerge(const Merge& merge, const Pace& pace) CRV_EXCLUDES(mu_);
  // `whole` has no deletions yet, and a null segment if no document is left.
  Status FinishMerge(const Merge& merge, SegmentView whole) CRV_EXCLUDES(mu_);
  void EndMerge(const Status& status) CRV_EXCLUDES(mu_);

  const IndexWriterOptions options_;
  const IndexSettings settings_;
  const IndexLock lock_;

  // The batch; used by the calling thread.
  uint64_t batch_id_ = 0;                  // of the segment that the batch becomes; 0: in memory
  std::optional<MemorySink> memory_sink_;  // either this ...
  std::optional<DirectorySink> disk_sink_;
  std::unique_ptr<SegmentBuilder> batch_;
  std::vector<PageDeletion> deletions_;
  Status lost_;  // why the batch was lost, if it was: no commit may claim to cover it

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  Manifest manifest_ CRV_GUARDED_BY(mu_);  // the last one written
  uint64_t next_segment_ CRV_GUARDED_BY(mu_) = 1;
  std::vector<Held> held_ CRV_GUARDED_BY(mu_);
  Ranks ranks_ CRV_GUARDED_BY(mu_);                     // in the order of manifest_
  bool merging_ CRV_GUARDED_BY(mu_) = false;            // some thread is merging
  bool merges_looked_for_ CRV_GUARDED_BY(mu_) = false;  // since the last change
  Status merge_status_ CRV_GUARDED_BY(mu_);

  mutable Mutex snapshot_mu_;
  std::shared_ptr<const Snapshot> snapshot_ CRV_GUARDED_BY(snapshot_mu_);

  std::jthread merger_;  // the last member: stops before the others go
};

}  // namespace crivello::index
