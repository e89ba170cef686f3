// SPDX-License-Identifier: Apache-2.0
// The part of local_service.h that works on the whole collection.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stop_token>

#include "care/backup.h"
#include "care/collection_check.h"
#include "care/importer.h"
#include "care/line_importer.h"
#include "engine/forget_everywhere.h"
#include "engine/local_service.h"
#include "engine/open_collection.h"
#include "engine/stored_index.h"
#include "index/segments/index_check.h"
#include "index/segments/index_copy.h"
#include "index/segments/manifest.h"
#include "jobs/duplicates/duplicates_folder.h"
#include "jobs/graph/graph_store.h"
#include "jobs/links/link_inverter.h"
#include "store/warc_record.h"

namespace crivello::engine {
namespace {

Result<std::vector<collection::ForgetTarget>> ParseTargets(const std::vector<std::string>& texts) {
  std::vector<collection::ForgetTarget> targets;
  for (const std::string& text : texts) {
    CRV_ASSIGN(collection::ForgetTarget target, collection::ForgetTarget::Parse(text));
    targets.push_back(std::move(target));
  }
  return targets;
}

wire::ForgetSummary WireSummary(const care::ForgetSummary& summary) {
  return {.any = true, .pages = summary.rows, .records = summary.records, .copies = summary.copies};
}

wire::CheckSummary WireSummary(const care::CollectionCheck& check) {
  return {.files = check.store.files,
          .records = check.store.records,
          .rows = check.store.rows,
          .hosts = check.hosts,
          .queued = check.queued,
          .problems = check.store.problems,
          .sentences = check.store.sentences};
}

// Whether the index of a tablet can be brought up to its table.
Status CheckAgainstLog(const index::IndexedTablet& tablet, care::CollectionCheck* check) {
  std::optional<uint64_t> before;
  while (true) {
    const auto manifest = index::Manifest::Read(tablet.index);
    if (!manifest.ok()) return Status::Ok();  // CheckIndex() reports it
    const uint64_t sequence = manifest->sequence;
    CRV_ASSIGN(const bool follows, tablet.changes->CanBeFollowedFrom(sequence));
    if (follows) return Status::Ok();
    const uint64_t last = tablet.changes->last();
    if (sequence == before) {
      const std::string against = sequence > last ? fmt::format("the table ends at change {}", last)
                                                  : "the table no longer lists the changes after that";
      check->Note(fmt::format("{}: reaches change {}, but {}; 'crivello index' and 'crivello up' rebuild it",
                              index::ManifestPath(tablet.index), sequence, against));
      return Status::Ok();
    }
    before = sequence;  // a live indexer may have committed and cut the log since
  }
}

// The index of each tablet, if there is one.
Status CheckIndexes(collection::Collection& store, care::CollectionCheck* check) {
  for (const index::IndexedTablet& tablet : IndexedTablets(store)) {
    const Result<index::IndexCheck> found = index::CheckIndex(tablet.index);
    if (found.status().code() == StatusCode::kNotFound) continue;
    if (!found.ok()) return found.status();
    for (const std::string& problem : found->problems) check->Note(problem);
    CRV_TRY(CheckAgainstLog(tablet, check));
  }
  return Status::Ok();
}

// The links file of each tablet, if there is one.
Status CheckLinks(collection::Collection& store, care::CollectionCheck* check) {
  for (const jobs::LinkTablet& tablet : jobs::LinkTabletsOf(store)) {
    const Status found = jobs::CheckLinksOf(tablet);
    if (found.code() == StatusCode::kCorruption) {
      check->Note(found.message());
    } else if (found.code() != StatusCode::kNotFound) {
      CRV_TRY(found);
    }
  }
  return Status::Ok();
}

constexpr uint64_t kLeastGraphMemory = 1 << 20;

// Progress of work that must end when nobody waits for it any more.
class StopWhenGone final : public Progress {
 public:
  explicit StopWhenGone(Listener& listener) : listener_(listener), shown_(listener.NewProgress()) {}
  void Start(std::string_view what, uint64_t total) override {
    Look();
    shown_->Start(what, total);
  }
  void Advance(uint64_t units) override {
    Look();
    shown_->Advance(units);
  }
  void Finish() override { shown_->Finish(); }
  std::stop_token stop() const { return stop_.get_token(); }

 private:
  void Look() {
    if (listener_.Gone()) stop_.request_stop();
  }
  Listener& listener_;
  const std::unique_ptr<Progress> shown_;
  std::stop_source stop_;
};

// The existing graphs and ranks.
Status CheckGraphs(collection::Collection& store, care::CollectionCheck* check) {
  CRV_ASSIGN(const std::vector<Status> found, jobs::CheckGraphs(store.directory()));
  for (const Status& damage : found) check->Note(damage.message());
  return Status::Ok();
}

Status CheckDuplicates(collection::Collection& store, care::CollectionCheck* check) {
  CRV_ASSIGN(const std::vector<Status> found,
             jobs::CheckDuplicates(store.directory(), jobs::DuplicateFolders(store)));
  for (const Status& damage : found) check->Note(damage.message());
  return Status::Ok();
}

Status CheckParts(collection::Collection& store, Listener& listener, care::CollectionCheck* check) {
  CRV_ASSIGN(const auto turn, store.care().Take());
  const auto gone = [&listener] {
    return listener.Gone() ? Status::Unavailable("the check was stopped: the client is gone") : Status::Ok();
  };
  const auto progress = listener.NewProgress();
  CRV_TRY(care::CheckFiles(store.directory(), check, *progress));
  CRV_TRY(gone());
  CRV_TRY(care::CheckDatabases(store, check, *progress));
  CRV_TRY(gone());
  CRV_TRY(CheckIndexes(store, check));
  CRV_TRY(CheckLinks(store, check));
  CRV_TRY(CheckGraphs(store, check));
  return CheckDuplicates(store, check);
}

}  // namespace

Result<wire::ForgottenTargets> LocalService::Ask(const wire::ForgottenRequest& /*request*/,
                                                 Listener& /*listener*/) {
  wire::ForgottenTargets answer;
  const auto forgotten = store_.forgotten().current();
  for (const collection::ForgottenEntry& entry : forgotten->entries()) {
    answer.targets.push_back({.target = entry.target.ToString(),
                              .reason = entry.reason,
                              .begun = entry.begun,
                              .done = entry.done,
                              .pages = entry.rows,
                              .records = entry.records});
  }
  return answer;
}

Result<wire::ForgetPreview> LocalService::Ask(const wire::ForgetPreviewRequest& request,
                                              Listener& /*listener*/) {
  CRV_ASSIGN(const std::vector<collection::ForgetTarget> targets, ParseTargets(request.targets));
  CRV_ASSIGN(care::ForgetPreview preview, care::PreviewForget(store_, targets));
  return wire::ForgetPreview{.pages = preview.rows,
                             .versions = preview.versions,
                             .bytes = preview.bytes,
                             .examples = std::move(preview.examples)};
}

Result<wire::ForgetSummary> LocalService::Ask(const wire::ForgetRequest& request, Listener& listener) {
  CRV_ASSIGN(const std::vector<collection::ForgetTarget> targets, ParseTargets(request.targets));
  const auto progress = listener.NewProgress();
  CRV_ASSIGN(const care::ForgetSummary summary,
             ForgetEverywhere(store_, targets, request.reason, &index_, *progress));
  return WireSummary(summary);
}

Result<wire::ForgetSummary> LocalService::Ask(const wire::FinishForgettingRequest& /*request*/,
                                              Listener& listener) {
  const auto progress = listener.NewProgress();
  CRV_ASSIGN(const auto summary, FinishForgettingEverywhere(store_, &index_, *progress));
  return summary ? WireSummary(*summary) : wire::ForgetSummary();
}

Result<wire::BackupSummary> LocalService::Ask(const wire::BackupRequest& request, Listener& listener) {
  if (!request.folder.starts_with('/')) {
    return Status::InvalidArgument(
        fmt::format("cannot back up to '{}': expected an absolute path", request.folder));
  }
  const auto progress = listener.NewProgress();
  care::BackupOptions options;
  options.copy_index = index::CopyIndex;
  options.index_sequence = index::IndexSequence;
  CRV_ASSIGN(const care::BackupSummary summary, care::Backup(store_, request.folder, options, *progress));
  for (const std::string& name : summary.removed) {
    listener.Warn("backup.removed", "removed " + name + ", an incomplete backup");
  }
  return wire::BackupSummary{.name = summary.name,
                             .files = summary.files,
                             .bytes = summary.bytes,
                             .copied_bytes = summary.copied_bytes};
}

Result<wire::CheckSummary> LocalService::Ask(const wire::CheckRequest& /*request*/, Listener& listener) {
  return CheckOpened(store_, listener);
}

Result<wire::ImportSummary> LocalService::Ask(const wire::ImportRequest& request, Listener& /*listener*/) {
  for (collection::Tablet* const tablet : store_.tablets()) {
    if (tablet->archive() == nullptr) {
      return Status::InvalidArgument("cannot import: the collection was opened for reading only");
    }
  }
  MutexLock lock(import_mu_);
  care::Importer importer(store_, {});
  care::LineImporter lines(importer);
  for (const wire::ImportedLine& line : request.lines) {
    const Status status = lines.Add(line.json);
    if (status.code() == StatusCode::kInvalidArgument) {
      importer.Refuse(status.WithContext(line.origin).message());
    } else {
      CRV_TRY(status);
    }
  }
  CRV_TRY(lines.Finish());
  for (const wire::ImportedRecord& record : request.records) {
    store::WarcRecord read;
    read.type = store::WarcType::kResponse;
    read.target_uri = record.url;
    read.date = record.date;
    read.ip = record.ip;
    read.block = record.block;
    read.whole = !record.truncated;
    CRV_TRY(importer.Add(read));
  }
  CRV_TRY(importer.Finish());
  const care::ImportSummary& summary = importer.summary();
  return wire::ImportSummary{.documents = summary.documents,
                             .bytes = summary.bytes,
                             .refused = summary.refused,
                             .sentences = summary.sentences};
}

Result<wire::Released> LocalService::Ask(const wire::ReleaseRequest& /*request*/, Listener& /*listener*/) {
  if (!release_) {
    return Status::InvalidArgument(
        "the collection is not released: this process writes to it; stop it first");
  }
  release_();
  return wire::Released();
}

Result<wire::GraphBuildSummary> LocalService::Ask(const wire::GraphBuildRequest& request,
                                                  Listener& listener) {
  if (release_) {
    return Status::InvalidArgument("cannot build a graph: the collection was opened for reading only");
  }
  if (request.threads == 0 || request.threads > 256) {
    return Status::InvalidArgument(fmt::format("{} threads: expected 1 to 256", request.threads));
  }
  CRV_ASSIGN(const jobs::GraphLevel level, jobs::ParseGraphLevel(request.level));
  StopWhenGone progress(listener);
  CRV_ASSIGN(jobs::StoredGraphSummary built,
             jobs::StoreGraph(store_,
                              {.level = level,
                               .keep_nofollow = request.keep_nofollow,
                               .frontier = request.frontier,
                               .memory_bytes = std::max(request.memory_bytes, kLeastGraphMemory),
                               .threads = static_cast<unsigned>(request.threads),
                               .stop = progress.stop()},
                              progress));
  return wire::GraphBuildSummary{.basename = std::move(built.basename),
                                 .rows = built.graph.rows,
                                 .nodes = built.graph.nodes,
                                 .arcs = built.graph.arcs,
                                 .links = built.graph.links,
                                 .bytes = built.graph_bytes,
                                 .bits_per_link = built.bits_per_link};
}

Result<wire::CheckSummary> CheckOpened(collection::Collection& store, Listener& listener) {
  care::CollectionCheck check;
  {
    const auto progress = listener.NewProgress();
    CRV_TRY(care::CheckBeforeOpening(store.directory(), &check, *progress));
  }
  CRV_TRY(CheckParts(store, listener, &check));
  return WireSummary(check);
}

Result<wire::CheckSummary> CheckUnopened(const std::string& directory, Listener& listener) {
  care::CollectionCheck check;
  {
    const auto progress = listener.NewProgress();
    CRV_TRY(care::CheckBeforeOpening(directory, &check, *progress));
  }
  const auto store = OpenToRead(directory);
  Status status = store.status();
  if (store.ok()) {
    WarnOfUnfinished(**store, listener);
    status = CheckParts(**store, listener, &check);
  }
  if (status.ok()) return WireSummary(check);
  if (status.code() != StatusCode::kCorruption) return status;
  // It cannot even be opened; the archive can still be read.
  check.Note(status.message());
  const auto progress = listener.NewProgress();
  CRV_TRY(care::CheckFiles(directory, &check, *progress));
  return WireSummary(check);
}

}  // namespace crivello::engine
