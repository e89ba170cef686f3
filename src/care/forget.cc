// SPDX-License-Identifier: Apache-2.0
#include "care/forget.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/civil_time.h"
#include "base/folder.h"
#include "care/backup.h"
#include "care/forgetters.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

// A host is in one tablet; a domain may be in any.
bool MayBeIn(const collection::ForgetTarget& target, const web::TabletId& tablet) {
  if (target.kind == collection::ForgetTarget::Kind::kDomain) return true;
  if (target.kind == collection::ForgetTarget::Kind::kHost) {
    return tablet.Contains(web::HostHash(target.text));
  }
  const auto url = web::CanonicalUrl(target.text);
  return url.ok() && tablet.Contains(web::HostHash(url->hostname()));
}

// An error, with the name of the store where it occurred.
Status Named(const Forgetter& forgetter, const Status& status) {
  return status.WithContext(fmt::format("cannot forget from the {}", forgetter.name()));
}

// Completes the targets marked as begun.  The caller has the turn.
Result<std::optional<ForgetSummary>> Finish(collection::Collection& store, const ForgetOptions& options,
                                            Progress& progress) {
  std::vector<collection::ForgottenEntry> entries = store.forgotten().current()->entries();
  std::vector<collection::ForgottenEntry> going;
  for (const collection::ForgottenEntry& entry : entries) {
    if (entry.done == 0) going.push_back(entry);
  }
  if (going.empty()) return std::optional<ForgetSummary>();
  // An interrupted backup may have left hard links to files that must be deleted.
  CRV_TRY(RemoveFolder(BackupStagingPath(store.directory())));
  ArchiveForgetter archive;
  LedgerForgetter ledger;
  DuplicatesForgetter duplicates;
  RobotsForgetter robots;
  ScheduleForgetter schedule;
  FeedForgetter feeds;
  RowForgetter rows;
  std::vector<Forgetter*> forgetters = {&archive, &ledger, &duplicates, &robots, &schedule, &feeds};
  forgetters.insert(forgetters.end(), options.more.begin(), options.more.end());
  forgetters.push_back(&rows);  // the last, because the rows determine what to delete
  std::optional<IndexForgetter> index;
  if (options.index != nullptr) forgetters.push_back(&index.emplace(*options.index));

  for (collection::Tablet* const tablet : store.tablets()) {
    std::vector<collection::ForgottenEntry> here;
    for (const collection::ForgottenEntry& entry : going) {
      if (MayBeIn(entry.target, tablet->id())) here.push_back(entry);
    }
    if (here.empty()) continue;
    CRV_ASSIGN(
        const ForgetTargets targets,
        FindTargets(store, *tablet, collection::ForgottenSet(std::move(here)), *options.clock, progress));
    for (Forgetter* forgetter : forgetters) {
      CRV_TRY(Named(*forgetter, forgetter->Forget(targets, progress)));
    }
  }
  for (Forgetter* forgetter : forgetters) CRV_TRY(Named(*forgetter, forgetter->Finish(store, progress)));
  ForgetSummary summary = {.rows = rows.rows(), .records = archive.records(), .copies = archive.copies()};
  for (const collection::ForgottenEntry& entry : going) summary.targets.push_back(entry.target);
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
          // A row that matches two targets counts once.
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
