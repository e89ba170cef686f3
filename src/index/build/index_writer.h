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
  // For a new index; of one that is there, must be the same or nothing.
  std::optional<IndexSettings> settings = {};
  // Documents gather in memory, and Refresh() makes them searchable from there.  Without it they go to the
  // disk as they come, for building from many: searchable by Commit().
  bool live = true;
  uint64_t memory_bytes = uint64_t{512} << 20;  // of the builder
  unsigned threads = 1;                         // of the builder and of commits
  MergePolicy policy = {};
  bool merge_in_background = true;
  uint64_t merge_bytes_per_second = uint64_t{32} << 20;  // written in the background; 0: no limit
  FileSystem* fs = &PosixFileSystem();
};

struct MergeAllOptions {
  // May give the documents other numbers than those of their order in the index; `order` then says which.
  std::function<Status(std::vector<MergeSource>*)> arrange = {};
  std::string order = "arrival";
};

// Changes an index: documents are added, pages deleted, versions replaced (supersession.h), segments merged.
//
// Documents gather in a batch.  Refresh() makes of it a segment in memory and a snapshot that has it;
// Commit() writes the segments in memory as one to the disk, then a manifest, and returns when that is
// durable.  A crash leaves the last commit, and what it wrote beside that is removed when the index is next
// opened for writing. `sequence` is the caller's: how far it had got, so that it knows where to go on.
//
// The deletions that replacing makes are part of the same commit as the new documents.  Merges in the
// background are commits of their own, which change no answer: they drop only what a commit deleted, and
// deletions that came while they ran are carried over.  The files they replace are removed at once; whoever
// has a snapshot has them mapped.
//
// One thread at a time may call, but snapshot(), which any thread may.  A Commit that failed can be tried
// again, unless the batch itself could not be written: then that, and every call after it, fails, and
// sequence() tells from where to go on after opening again.
class IndexWriter {
 public:
  // InvalidArgument if the settings are not those of the index; Unavailable if it is open elsewhere.
  static Result<std::unique_ptr<IndexWriter>> Open(const IndexWriterOptions& options);
  // Stops merging.  What was not committed is lost.
  ~IndexWriter();

  // The newest version of its page, in the order of the calls.
  Status Add(IndexDocument document);
  // The page and all its versions.  It need not be there.
  Status Delete(std::string_view url);
  // Without `live` returns the snapshot as it is.
  Result<std::shared_ptr<const Snapshot>> Refresh();
  Status Commit(uint64_t sequence);
  // Adds the documents of a segment that `write` makes, without a batch: by Commit() they are in the index.
  Status AddSegment(const std::function<Status(SegmentSink&)>& write);

  // A number for a segment that is built beside the writer, at its SegmentPath(), for ReplaceAll().
  uint64_t NewSegment() CRV_EXCLUDES(mu_);
  // Puts that segment (0: nothing) in the place of all documents that there are; `live` says what has become
  // of its own, if anything.  Snapshots have it at once, and the disk by Commit().
  Status ReplaceAll(uint64_t segment, std::shared_ptr<const LiveDocuments> live) CRV_EXCLUDES(mu_);

  // Gives all documents these ranks, in the place of those of the same names, and takes away `removed`.  A
  // commit of its own that changes no segment and no document: new columns, then a manifest that names them.
  // Documents that are added later have the ranks too.
  Status ReplaceRanks(std::vector<std::shared_ptr<const RankPages>> added,
                      const std::vector<std::string>& removed) CRV_EXCLUDES(mu_);

  // Makes one segment of all that was committed, now.
  Status MergeAll(const MergeAllOptions& options = {});
  // Returns when the policy finds nothing to merge, or merging has failed: then why.  Without merges in the
  // background it does them.
  Status WaitForMerges() CRV_EXCLUDES(mu_);

  std::shared_ptr<const Snapshot> snapshot() const CRV_EXCLUDES(snapshot_mu_);
  const IndexSettings& settings() const { return settings_; }
  // As of the last commit.
  uint64_t sequence() const CRV_EXCLUDES(mu_);
  Manifest manifest() const CRV_EXCLUDES(mu_);
  // What segments in memory take.
  uint64_t uncommitted_bytes() const CRV_EXCLUDES(mu_);

 private:
  // A segment of the index.
  struct Held {
    uint64_t id = 0;        // 0: in memory
    SegmentView view = {};  // as it is now
    // As of the last commit: whether it was there, and what had become of its documents; the generation of
    // the file that says so, if there is one.
    bool committed = false;
    std::shared_ptr<const LiveDocuments> saved = {};
    uint64_t deletions = 0;
    std::vector<std::shared_ptr<const RankColumn>> saved_ranks = {};  // those that are on file
  };
  using Ranks = std::vector<std::shared_ptr<const RankPages>>;  // by name
  // Of committed segments, into a new one.
  struct Merge {
    uint64_t id = 0;
    std::string order = "arrival";
    std::vector<Held> inputs;  // as they were when it began
    std::vector<MergeSource> sources;
  };

  IndexWriter(const IndexWriterOptions& options, IndexSettings settings, IndexLock lock)
      : options_(options), settings_(std::move(settings)), lock_(std::move(lock)) {}
  Status Load(const Manifest& manifest) CRV_EXCLUDES(mu_);

  Status BeginBatch() CRV_EXCLUDES(mu_);
  Status EndBatch() CRV_EXCLUDES(mu_);
  Result<std::shared_ptr<const Segment>> FinishBatch();
  // A new segment is here (or null), and with it deletions: the others lose what it has anew.
  Status Install(uint64_t id, std::shared_ptr<const Segment> segment, std::vector<PageDeletion> deletions)
      CRV_EXCLUDES(mu_);
  // What is in memory, as one segment: there (id 0) or on the disk.  Nothing if no document is left.
  Result<std::optional<Held>> JoinMemorySegments(uint64_t id) CRV_REQUIRES(mu_);
  // Joins them in memory if they are many.
  Status KeepMemorySegmentsFew() CRV_REQUIRES(mu_);

  enum class Scope { kAll, kCommitted };
  // Writes a manifest of those of these segments that are on the disk (kAll: with all that has become of
  // their documents; kCommitted: as earlier commits left them), and these become the segments of the index.
  Status CommitSegments(std::vector<Held> segments, Scope scope, uint64_t sequence) CRV_REQUIRES(mu_) {
    return CommitSegments(std::move(segments), scope, sequence, ranks_);
  }
  // The same; and these become the ranks, of which the segments have the columns.
  Status CommitSegments(std::vector<Held> segments, Scope scope, uint64_t sequence, Ranks ranks)
      CRV_REQUIRES(mu_);
  // Names them as files of a manifest, and writes those that are not there yet.
  Status SaveRanks(const Ranks& ranks, Manifest* next) CRV_REQUIRES(mu_);
  Status SaveColumns(const Manifest& next, Held* held) CRV_REQUIRES(mu_);
  void RemoveRanks(const Manifest& before) CRV_REQUIRES(mu_);
  void Publish() CRV_REQUIRES(mu_);

  void MergeLoop(const std::stop_token& stop) CRV_EXCLUDES(mu_);
  // Waits for its turn and begins the merge that the policy wants, or that of all; nothing if there is none.
  std::optional<Merge> BeginMerge(bool all, const std::stop_token& stop) CRV_EXCLUDES(mu_);
  struct Pace {
    unsigned threads = 1;
    uint64_t bytes_per_second = 0;
    std::stop_token stop = {};
  };
  Status RunMerge(const Merge& merge, const Pace& pace) CRV_EXCLUDES(mu_);
  // `whole` has no deletions yet, and no segment if nothing is left.
  Status FinishMerge(const Merge& merge, SegmentView whole) CRV_EXCLUDES(mu_);
  void EndMerge(const Status& status) CRV_EXCLUDES(mu_);

  const IndexWriterOptions options_;
  const IndexSettings settings_;
  const IndexLock lock_;

  // The batch; of the calling thread.
  uint64_t batch_id_ = 0;                  // of the segment that it becomes; 0: in memory
  std::optional<MemorySink> memory_sink_;  // one of these
  std::optional<DirectorySink> disk_sink_;
  std::unique_ptr<SegmentBuilder> batch_;
  std::vector<PageDeletion> deletions_;
  Status lost_;  // why the batch is lost, if it is: no commit may say that it covers it

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  Manifest manifest_ CRV_GUARDED_BY(mu_);  // the last one that was written
  uint64_t next_segment_ CRV_GUARDED_BY(mu_) = 1;
  std::vector<Held> held_ CRV_GUARDED_BY(mu_);
  Ranks ranks_ CRV_GUARDED_BY(mu_);                     // those of manifest_, in its order
  bool merging_ CRV_GUARDED_BY(mu_) = false;            // somebody is
  bool merges_looked_for_ CRV_GUARDED_BY(mu_) = false;  // since the last change
  Status merge_status_ CRV_GUARDED_BY(mu_);

  mutable Mutex snapshot_mu_;
  std::shared_ptr<const Snapshot> snapshot_ CRV_GUARDED_BY(snapshot_mu_);

  std::jthread merger_;  // the last member: stops before the others go
};

}  // namespace crivello::index
