// SPDX-License-Identifier: Apache-2.0
#include "care/forgetters.h"

#include <array>
#include <utility>

#include "base/civil_time.h"
#include "collection/archived_page.h"
#include "store/archive_eraser.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

// Whether the body was archived with a deleted page.
Result<bool> IsOrphan(const ForgetTargets& targets, const Sha1& payload) {
  CRV_ASSIGN(const auto origin, targets.tablet.table().FindPayload(payload));
  return origin && targets.going.Find(origin->key) != nullptr;
}

// The archive's index knows more than the rows: "not modified" responses, and records whose row was lost in a
// crash.  The rows know records that a damaged index has lost.
Result<std::vector<store::RecordLocator>> FindRecords(const ForgetTargets& targets) {
  const std::string directory = targets.tablet.archive_directory();
  CRV_ASSIGN(std::vector<store::RecordLocator> all,
             store::FindCaptures(directory, [&targets](std::string_view text) {
               const auto url = web::CanonicalUrl(text);
               return url.ok() && targets.going.Find(*url) != nullptr;
             }));
  const auto place = [](const store::RecordLocator& r) { return std::pair(r.file, r.offset); };
  std::set<std::pair<uint32_t, uint64_t>> known;
  for (const store::RecordLocator& record : all) known.insert(place(record));
  const store::ArchiveReader reader(directory);
  for (const store::RecordLocator& record : targets.captures) {
    if (!known.insert(place(record)).second) continue;
    const auto records = store::RecordsOfCapture(reader, record);
    if (records.status().code() == StatusCode::kNotFound) continue;  // the file is missing
    CRV_TRY(records.status());
    all.insert(all.end(), records->begin(), records->end());
  }
  return all;
}

// Rewrites the families without the deleted entries, so that no file contains them.
Status WriteAndPurge(const ForgetTargets& targets, kv::Batch& batch, std::span<const kv::Family> families) {
  kv::Database& db = targets.tablet.db();
  CRV_TRY(db.Write(batch, {.sync = true}));
  return db.Purge(families);
}

}  // namespace

Result<ForgetTargets> FindTargets(collection::Collection& store, collection::Tablet& tablet,
                                  collection::ForgottenSet going, const Clock& clock, Progress& progress) {
  ForgetTargets targets = {.store = store, .tablet = tablet, .clock = clock, .going = std::move(going)};
  progress.Start("looking for pages", 0);
  for (const collection::ForgottenEntry& entry : targets.going.entries()) {
    store::RowCursor row = tablet.table().Scan(entry.target.Range());
    for (; row.valid(); row.NextVersion()) {
      progress.Advance(1);
      targets.keys.emplace(row.key());
      const Result<store::FetchCell> fetch = row.fetch();
      if (!fetch.ok()) continue;  // it is deleted, damaged or not
      if (fetch->record.length > 0) targets.captures.push_back(fetch->record);
      CRV_ASSIGN(const bool orphan, IsOrphan(targets, fetch->payload));
      if (orphan) targets.orphans.insert(fetch->payload);
    }
    CRV_TRY(row.status());
  }
  progress.Finish();
  return targets;
}

ArchiveForgetter::ArchiveForgetter() : random_(RandomSeed()) {}

Status ArchiveForgetter::Forget(const ForgetTargets& targets, Progress& progress) {
  const std::string directory = targets.tablet.archive_directory();
  std::unique_ptr<store::Archive> own;  // if the collection was opened without archives
  if (targets.tablet.archive() == nullptr) {
    CRV_ASSIGN(own, store::Archive::Open({.directory = directory}));
  }
  store::Archive& archive = own != nullptr ? *own : *targets.tablet.archive();
  // Then each record is in a file that nobody writes to, and in an index.
  CRV_TRY(archive.EndFile());
  if (!targets.orphans.empty()) CRV_TRY(HouseCopies(targets, archive, progress));
  CRV_ASSIGN(const std::vector<store::RecordLocator> records, FindRecords(targets));
  CRV_TRY(store::EraseRecords(directory, records, ToSeconds(targets.clock.Wall()), random_, progress));
  records_ += records.size();
  return own != nullptr ? own->Close() : Status::Ok();
}

// The first page of each body gets a record of its own, and the others refer to it.
Status ArchiveForgetter::HouseCopies(const ForgetTargets& targets, store::Archive& archive,
                                     Progress& progress) {
  progress.Start("looking for copies", 0);
  collection::Tablet& tablet = targets.tablet;
  std::set<Sha1> housed;
  kv::Batch batch;
  const store::ArchiveReader reader(tablet.archive_directory());
  store::RowCursor row = tablet.table().Scan();
  for (; row.valid(); row.NextVersion()) {
    progress.Advance(1);
    CRV_ASSIGN(store::FetchCell fetch, row.fetch());
    if (!fetch.revisit || !targets.orphans.contains(fetch.payload) || housed.contains(fetch.payload) ||
        targets.going.Find(row.key()) != nullptr) {
      continue;
    }
    const auto page = collection::ReadArchivedPage(tablet, reader, fetch);
    if (!page.ok()) continue;  // `check` reports it
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
    CRV_ASSIGN(fetch.record, archive.Append(encoded));
    fetch.revisit = false;
    tablet.table().ReplaceFetch(row.key(), row.time(), fetch, &batch);
    tablet.table().PutPayload(fetch.payload, row.key(), row.time(), &batch);
    housed.insert(fetch.payload);
    copies_++;
  }
  CRV_TRY(row.status());
  CRV_TRY(archive.EndFile());
  CRV_TRY(tablet.db().Write(batch, {.sync = true}));
  progress.Finish();
  return Status::Ok();
}

Status LedgerForgetter::Forget(const ForgetTargets& targets, Progress& /*progress*/) {
  kv::Batch batch;
  for (const collection::ForgottenEntry& entry : targets.going.entries()) {
    targets.tablet.ledger().DeleteRange(entry.target.Range(), &batch);
  }
  const std::array families = {targets.tablet.ledger().family()};
  return WriteAndPurge(targets, batch, families);
}

Status DuplicatesForgetter::Forget(const ForgetTargets& targets, Progress& /*progress*/) {
  for (collection::Tablet* const tablet : targets.store.tablets()) {
    const store::DupCells& cells = tablet->duplicates();
    kv::Batch batch;
    if (tablet == &targets.tablet) {
      for (const collection::ForgottenEntry& entry : targets.going.entries()) {
        cells.DeleteRange(entry.target.Range(), &batch);
      }
    }
    // A damaged cell is deleted, too: nobody knows which page it names.
    kv::Cursor cursor = cells.Scan();
    for (; cursor.valid(); cursor.Next()) {
      const Result<store::DupCell> cell = store::DecodeDupCell(cursor.value());
      if (cell.ok() && targets.going.Find(cell->representative) == nullptr) continue;
      cells.Delete(cursor.key(), &batch);
      tablet->table().NoteChange(cursor.key(), &batch);
    }
    CRV_TRY(cursor.status());
    if (batch.empty()) continue;
    CRV_TRY(tablet->db().Write(batch, {.sync = true}));
    const std::array families = {cells.family()};
    CRV_TRY(tablet->db().Purge(families));
  }
  return Status::Ok();
}

Status ScheduleForgetter::Forget(const ForgetTargets& targets, Progress& /*progress*/) {
  collection::PageSchedule& schedule = targets.tablet.schedule();
  {
    collection::PageSchedule::Change change = schedule.Begin();
    for (const collection::ForgottenEntry& entry : targets.going.entries()) {
      CRV_TRY(change.Forget(entry.target.Range()));
    }
    kv::Batch batch;
    CRV_TRY(change.Fill(&batch, nullptr));
    CRV_TRY(targets.tablet.db().Write(batch, {.sync = true}));
    change.Done(nullptr);
  }
  const std::array families = {schedule.families().blocks, schedule.families().calendar};
  return targets.tablet.db().Purge(families);
}

Status RobotsForgetter::Forget(const ForgetTargets& targets, Progress& /*progress*/) {
  kv::Batch batch;
  CRV_TRY(targets.tablet.robots().Forget(
      [&targets](std::string_view origin) {
        const auto url = web::CanonicalUrl(origin);
        return url.ok() && targets.going.ContainsHost(url->hostname());
      },
      &batch));
  const std::array families = {targets.tablet.robots().family()};
  return WriteAndPurge(targets, batch, families);
}

Status FeedForgetter::Forget(const ForgetTargets& targets, Progress& /*progress*/) {
  feeds::FeedList& feeds = targets.tablet.feeds();
  const feeds::SubscriptionList& subscriptions = targets.tablet.subscriptions();
  const auto changing = feeds.Changing();
  kv::Batch batch;
  for (const collection::ForgottenEntry& entry : targets.going.entries()) {
    feeds.DeleteRange(entry.target.Range(), &batch);
    subscriptions.DeleteRange(entry.target.Range(), &batch);
  }
  const std::array families = {feeds.family(), subscriptions.family()};
  return WriteAndPurge(targets, batch, families);
}

Status RowForgetter::Forget(const ForgetTargets& targets, Progress& /*progress*/) {
  store::Table& table = targets.tablet.table();
  kv::Batch batch;
  for (const collection::ForgottenEntry& entry : targets.going.entries()) {
    table.DeleteRange(entry.target.Range(), &batch);
  }
  for (const Sha1& payload : targets.orphans) {
    // Unless another page has taken it over (HouseCopies).
    CRV_ASSIGN(const bool orphan, IsOrphan(targets, payload));
    if (orphan) table.DeletePayload(payload, &batch);
  }
  for (const std::string& key : targets.keys) table.NoteChange(key, &batch);
  const store::TableFamilies& of = table.families();
  const std::array families = {of.newest, of.fetch, of.text, of.link, of.payload};
  CRV_TRY(WriteAndPurge(targets, batch, families));
  rows_ += targets.keys.size();
  return Status::Ok();
}

}  // namespace crivello::care
