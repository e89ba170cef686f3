// SPDX-License-Identifier: Apache-2.0
#include "care/forget.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/civil_time.h"
#include "base/folder.h"
#include "base/random.h"
#include "care/backup.h"
#include "collection/archived_page.h"
#include "store/archive_eraser.h"
#include "store/capture.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

// What is to go from one tablet.
class TabletForgetter {
 public:
  TabletForgetter(collection::Tablet& tablet, const collection::ForgottenSet& going, const Clock& clock)
      : tablet_(tablet), going_(going), clock_(clock), random_(RandomSeed()) {}

  Status Run(ForgetSummary* summary, Progress& progress) {
    CRV_TRY(EndArchiveFile());
    CRV_TRY(FindRows(progress));
    if (!orphans_.empty()) CRV_TRY(HouseCopies(summary, progress));
    CRV_TRY(FindRecords());
    CRV_TRY(store::EraseRecords(tablet_.archive_directory(), records_, ToSeconds(clock_.Wall()), random_,
                                progress));
    CRV_TRY(DeleteRows());
    summary->rows += keys_.size();
    summary->records += records_.size();
    return own_archive_ != nullptr ? own_archive_->Close() : Status::Ok();
  }

 private:
  store::Archive& archive() { return own_archive_ != nullptr ? *own_archive_ : *tablet_.archive(); }

  // So that each record is in a file that nobody writes to, and in an index.
  Status EndArchiveFile() {
    if (tablet_.archive() == nullptr) {
      CRV_ASSIGN(own_archive_, store::Archive::Open({.directory = tablet_.archive_directory()}));
    }
    return archive().EndFile();
  }

  // Whether the body was archived with a page that goes.
  Result<bool> IsOrphan(const Sha1& payload) const {
    CRV_ASSIGN(const auto origin, tablet_.table().FindPayload(payload));
    return origin && going_.Find(origin->key) != nullptr;
  }

  Status FindRows(Progress& progress) {
    progress.Start("looking for pages", 0);
    for (const collection::ForgottenEntry& entry : going_.entries()) {
      store::RowCursor row = tablet_.table().Scan(entry.target.Range());
      for (; row.valid(); row.NextVersion()) {
        progress.Advance(1);
        keys_.emplace(row.key());
        const Result<store::FetchCell> fetch = row.fetch();
        if (!fetch.ok()) continue;  // it goes, damaged or not
        if (fetch->record.length > 0) of_rows_.push_back(fetch->record);
        CRV_ASSIGN(const bool orphan, IsOrphan(fetch->payload));
        if (orphan) orphans_.insert(fetch->payload);
      }
      CRV_TRY(row.status());
    }
    progress.Finish();
    return Status::Ok();
  }

  // The archive's index knows more than the rows: answers that said "not modified", what a crash took the row
  // of.  The rows know what a damaged index has lost.
  Status FindRecords() {
    CRV_ASSIGN(records_, store::FindCaptures(tablet_.archive_directory(), [this](std::string_view text) {
                 const auto url = web::CanonicalUrl(text);
                 return url.ok() && going_.Find(*url) != nullptr;
               }));
    const auto place = [](const store::RecordLocator& r) { return std::pair(r.file, r.offset); };
    std::set<std::pair<uint32_t, uint64_t>> known;
    for (const store::RecordLocator& record : records_) known.insert(place(record));
    const store::ArchiveReader reader(tablet_.archive_directory());
    for (const store::RecordLocator& record : of_rows_) {
      if (!known.insert(place(record)).second) continue;
      const auto records = store::RecordsOfCapture(reader, record);
      if (records.status().code() == StatusCode::kNotFound) continue;  // the file is lost
      CRV_TRY(records.status());
      records_.insert(records_.end(), records->begin(), records->end());
    }
    return Status::Ok();
  }

  // Pages that stay, and whose body was archived with one that goes: the first of each body gets a record of
  // its own, and the others point there.
  Status HouseCopies(ForgetSummary* summary, Progress& progress) {
    progress.Start("looking for copies", 0);
    std::set<Sha1> housed;
    kv::Batch batch;
    const store::ArchiveReader reader(tablet_.archive_directory());
    store::RowCursor row = tablet_.table().Scan();
    for (; row.valid(); row.NextVersion()) {
      progress.Advance(1);
      CRV_ASSIGN(store::FetchCell fetch, row.fetch());
      if (!fetch.revisit || !orphans_.contains(fetch.payload) || housed.contains(fetch.payload) ||
          going_.Find(row.key()) != nullptr) {
        continue;
      }
      const auto page = collection::ReadArchivedPage(tablet_, reader, fetch);
      if (!page.ok()) continue;  // `check` tells of it
      CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(row.key()));
      const std::string href(url.href());
      const store::Capture capture = {.url = href,
                                      .date = row.time() / 1'000'000,
                                      .ip = page->record->ip,
                                      .request_head = {},
                                      .response_head = page->record->block.substr(0, page->http.head_bytes),
                                      .body = page->body,
                                      .truncated = {}};
      store::EncodedCapture encoded;
      CRV_TRY(encoder_.Encode(capture, fetch.payload, nullptr, &encoded));
      CRV_ASSIGN(fetch.record, archive().Append(encoded));
      fetch.revisit = false;
      tablet_.table().ReplaceFetch(row.key(), row.time(), fetch, &batch);
      tablet_.table().PutPayload(fetch.payload, row.key(), row.time(), &batch);
      housed.insert(fetch.payload);
      summary->copies++;
    }
    CRV_TRY(row.status());
    CRV_TRY(archive().EndFile());
    CRV_TRY(tablet_.db().Write(batch, {.sync = true}));
    progress.Finish();
    return Status::Ok();
  }

  Status DeleteRows() {
    kv::Batch batch;
    for (const collection::ForgottenEntry& entry : going_.entries()) {
      tablet_.table().DeleteRange(entry.target.Range(), &batch);
      tablet_.ledger().DeleteRange(entry.target.Range(), &batch);
    }
    for (const Sha1& payload : orphans_) {
      CRV_ASSIGN(const bool orphan, IsOrphan(payload));
      if (orphan) tablet_.table().DeletePayload(payload, &batch);
    }
    for (const std::string& key : keys_) tablet_.table().NoteChange(key, &batch);
    CRV_TRY(tablet_.robots().Forget(
        [this](std::string_view origin) {
          const auto url = web::CanonicalUrl(origin);
          return url.ok() && going_.ContainsHost(url->hostname());
        },
        &batch));
    kv::Database& db = tablet_.db();
    CRV_TRY(db.Write(batch, {.sync = true}));
    const store::TableFamilies& table = tablet_.table().families();
    const std::array families = {table.newest,
                                 table.fetch,
                                 table.text,
                                 table.link,
                                 table.payload,
                                 tablet_.ledger().family(),
                                 tablet_.robots().family()};
    return db.Purge(families);
  }

  collection::Tablet& tablet_;
  const collection::ForgottenSet& going_;
  const Clock& clock_;
  SeededRandom random_;
  store::CaptureEncoder encoder_;
  std::unique_ptr<store::Archive> own_archive_;  // of a store that was opened without
  std::set<std::string> keys_;
  std::vector<store::RecordLocator> of_rows_;  // the first of each capture
  std::vector<store::RecordLocator> records_;  // all
  std::set<Sha1> orphans_;              // payloads that were archived with a page that goes
};

// A host is in one tablet; a domain may be in any.
bool MayBeIn(const collection::ForgetTarget& target, const web::TabletId& tablet) {
  if (target.kind == collection::ForgetTarget::Kind::kDomain) return true;
  if (target.kind == collection::ForgetTarget::Kind::kHost) {
    return tablet.Contains(web::HostHash(target.text));
  }
  const auto url = web::CanonicalUrl(target.text);
  return url.ok() && tablet.Contains(web::HostHash(url->hostname()));
}

// What is marked as begun.  The caller has the turn.
Result<std::optional<ForgetSummary>> Finish(collection::Collection& store, const ForgetOptions& options,
                                            Progress& progress) {
  std::vector<collection::ForgottenEntry> entries = store.forgotten().current()->entries();
  std::vector<collection::ForgottenEntry> going;
  for (const collection::ForgottenEntry& entry : entries) {
    if (entry.done == 0) going.push_back(entry);
  }
  if (going.empty()) return std::optional<ForgetSummary>();
  // A backup that was cut off may have left second names of files that go.
  CRV_TRY(RemoveFolder(BackupStagingPath(store.directory())));
  ForgetSummary summary;
  for (const collection::ForgottenEntry& entry : going) summary.targets.push_back(entry.target);
  for (collection::Tablet* const tablet : store.tablets()) {
    std::vector<collection::ForgottenEntry> here;
    for (const collection::ForgottenEntry& entry : going) {
      if (MayBeIn(entry.target, tablet->id())) here.push_back(entry);
    }
    if (here.empty()) continue;
    const collection::ForgottenSet set(std::move(here));
    CRV_TRY(TabletForgetter(*tablet, set, *options.clock).Run(&summary, progress));
  }
  const auto& rebuild = options.rebuild_index ? options.rebuild_index : store.rebuild_index();
  if (rebuild) CRV_TRY(rebuild());
  for (collection::ForgottenEntry& entry : entries) {
    if (entry.done != 0) continue;
    entry.done = ToSeconds(options.clock->Wall());
    entry.rows = summary.rows;
    entry.records = summary.records;
  }
  CRV_TRY(store.forgotten().Replace(std::move(entries)));
  return std::optional(std::move(summary));
}

}  // namespace

Result<ForgetPreview> PreviewForget(collection::Collection& store,
                                    std::span<const collection::ForgetTarget> targets) {
  ForgetPreview preview;
  for (collection::Tablet* const tablet : store.tablets()) {
    for (const collection::ForgetTarget& target : targets) {
      store::RowCursor row = tablet->table().Scan(target.Range());
      std::string last;
      for (; row.valid(); row.NextVersion()) {
        if (row.key() != last) {
          last = row.key();
          // A row of two targets counts once.
          const bool before = std::any_of(
              targets.data(), &target,
              [&](const collection::ForgetTarget& other) { return other.Range().Contains(last); });
          if (before) {
            last.clear();
            continue;
          }
          preview.rows++;
          if (preview.examples.size() < ForgetPreview::kMaxExamples) {
            CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(last));
            preview.examples.emplace_back(url.href());
          }
        }
        CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
        preview.versions++;
        preview.bytes += fetch.body_bytes;
      }
      CRV_TRY(row.status());
    }
  }
  return preview;
}

Result<ForgetSummary> Forget(collection::Collection& store, std::span<const collection::ForgetTarget> targets,
                             const std::string& reason, const ForgetOptions& options, Progress& progress) {
  CRV_ASSIGN(const collection::CareTurns::Turn turn, store.care().Take());
  std::vector<collection::ForgottenEntry> entries = store.forgotten().current()->entries();
  for (const collection::ForgetTarget& target : targets) {
    std::erase_if(entries, [&](const collection::ForgottenEntry& entry) { return entry.target == target; });
    entries.push_back({.target = target, .reason = reason, .begun = ToSeconds(options.clock->Wall())});
  }
  CRV_TRY(store.forgotten().Replace(std::move(entries)));
  CRV_ASSIGN(const auto summary, Finish(store, options, progress));
  return summary.value_or(ForgetSummary());
}

Result<std::optional<ForgetSummary>> FinishForgetting(collection::Collection& store,
                                                      const ForgetOptions& options, Progress& progress) {
  CRV_ASSIGN(const collection::CareTurns::Turn turn, store.care().Take());
  return Finish(store, options, progress);
}

}  // namespace crivello::care
