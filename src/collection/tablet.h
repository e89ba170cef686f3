// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/lease.h"
#include "collection/memory_plan.h"
#include "collection/page_schedule.h"
#include "collection/robots_keeper.h"
#include "collection/tablet_journal.h"
#include "feeds/feed_list.h"
#include "feeds/subscription_list.h"
#include "frontier/agenda.h"
#include "frontier/host_queues.h"
#include "frontier/tablets.h"
#include "kv/database.h"
#include "page/site_templates.h"
#include "sieve/sieve.h"
#include "store/archive.h"
#include "store/change_log.h"
#include "store/dup_cells.h"
#include "store/ledger.h"
#include "store/table.h"
#include "web/url/tablet_id.h"

namespace crivello::collection {

struct TabletOptions {
  std::string sieve;  // its kind
  MemoryPlan memory = MemoryPlan::For(MemoryPlan::Work::kCrawl, 64 << 20, 1);
  std::shared_ptr<kv::MemoryPool> pool = {};  // of the databases; null: memory of its own
  bool with_archive = true;                   // to write; for reading rows it is not needed
  store::ArchiveOptions archive = {};         // but for its directory
  // To read rows and queues: nothing is made, repaired or written, and any number of processes may at a time.
  // The sieve and the archive are not opened.
  bool read_only = false;
  FileSystem* fs = nullptr;  // null: the machine's own
};

// All that is known of the hosts whose hashes begin with the tablet's prefix.
//
//   lock      held by the process that has it open, which has put its number there
//   commits   how far the stores had come at each commit (tablet_journal.h)
//   db/       one database: queues and states of hosts, agenda, schedule of revisits, feeds, subscriptions,
//             rows, ledger, changes, robots, templates
//   sieve/    which URLs have been seen
//   archive/  what was fetched
//   index/    of the index, which is not opened here
//   links/    links to its pages, sorted by target; made by a job, and not opened here
//   duplicates/  which of its pages are nearly equal to others; made by a job, to be taken into the dup cells
//
// Opening compares each store with the journal, and is refused as Corruption if one is behind: files were
// cut, emptied or deleted, and going on would lose pages without a word.  So it is if a file is missing.
//
// Thread-safe, as its parts are.
class Tablet final : public frontier::CommitGuard {
 public:
  // Makes it if it is missing.  Unavailable, with the number of the process, if another one has it open.
  static Result<std::unique_ptr<Tablet>> Open(std::unique_ptr<Lease> lease, web::TabletId id,
                                              const TabletOptions& options);
  ~Tablet() override;
  Tablet(const Tablet&) = delete;
  Tablet& operator=(const Tablet&) = delete;

  const web::TabletId& id() const { return id_; }
  const std::string& directory() const { return lease_->directory(); }
  std::string archive_directory() const { return directory() + "/archive"; }
  std::string index_directory() const { return directory() + "/index"; }
  std::string links_directory() const { return directory() + "/links"; }
  std::string duplicates_directory() const { return directory() + "/duplicates"; }

  kv::Database& db() { return *db_; }
  const kv::Database& db() const { return *db_; }
  // The family of db() in which a tablet of a cluster keeps what it exchanges with others
  // (docs/formats/exchange.md).
  kv::Family exchange() const { return exchange_; }
  // REQUIRES: it was not opened to be read only.
  sieve::Sieve& sieve() { return *sieve_; }
  // How the sieve stands: as it is, or as its files tell; zeros of a kind whose files do not.
  sieve::SievePending sieve_pending() const { return sieve_ ? sieve_->pending() : sieve_at_rest_.pending; }
  frontier::HostQueues& queues() { return *queues_; }
  frontier::Agenda& agenda() { return *agenda_; }
  feeds::FeedList& feeds() { return *feeds_; }
  feeds::SubscriptionList& subscriptions() { return *subscriptions_; }
  store::ChangeLog& changes() { return *changes_; }
  store::Table& table() { return *table_; }
  const store::Table& table() const { return *table_; }
  store::Ledger& ledger() { return *ledger_; }
  const store::DupCells& duplicates() const { return *duplicates_; }
  RobotsKeeper& robots() { return *robots_; }
  PageSchedule& schedule() { return *schedule_; }
  const PageSchedule& schedule() const { return *schedule_; }
  page::SiteTemplates& templates() { return *templates_; }
  // Null if it was not asked for.
  store::Archive* archive() { return archive_.get(); }

  // The parts that a frontier works with; they live as long as this does.
  frontier::TabletParts parts() {
    return {.queues = queues_.get(),
            .agenda = agenda_.get(),
            .sieve = sieve_.get(),
            .db = db_.get(),
            .guard = this};
  }

  // REQUIRES, as Close() does not, that it was not opened to be read only.
  // Records in the journal that the stores have come so far, if the tablet still belongs to this process.
  // To be called after a write that is synced, before anyone is told of it.
  Status Acknowledge() override;
  // The number of the last commit that was acknowledged.
  uint64_t acknowledged() const { return journal_->last().sequence; }
  const Lease& lease() const { return *lease_; }
  Status StillMine() override { return lease_->StillMine(); }
  bool lost() const override { return lease_->lost(); }

  // Ends the archive's file with its index, saves what is a hint only, and syncs the journal.
  Status Close();

 private:
  Tablet(std::unique_ptr<Lease> lease, web::TabletId id) : lease_(std::move(lease)), id_(id) {}
  Status OpenStores(const TabletOptions& options);
  // Takes the lock and reads the journal.
  Status Begin(const TabletOptions& options);
  // Corruption, naming it, if a store is behind the journal.
  Status Compare(const TabletState& recorded) const;

  const std::unique_ptr<Lease> lease_;
  const web::TabletId id_;
  int lock_ = -1;
  std::string live_log_;  // of the database when it was opened, for messages
  std::unique_ptr<TabletJournal> journal_;
  std::unique_ptr<kv::Database> db_;
  kv::Family exchange_ = 0;
  std::unique_ptr<sieve::Sieve> sieve_;
  sieve::SieveStanding sieve_at_rest_;  // if it is not open
  bool sieve_is_known_ = false;         // if it is not open: its files tell how it stands
  std::unique_ptr<frontier::HostQueues> queues_;
  std::unique_ptr<frontier::Agenda> agenda_;
  std::unique_ptr<feeds::FeedList> feeds_;
  std::unique_ptr<feeds::SubscriptionList> subscriptions_;
  std::unique_ptr<store::ChangeLog> changes_;
  std::unique_ptr<store::Table> table_;
  std::unique_ptr<store::Ledger> ledger_;
  std::unique_ptr<store::DupCells> duplicates_;
  std::unique_ptr<RobotsKeeper> robots_;
  std::unique_ptr<PageSchedule> schedule_;
  std::unique_ptr<page::SiteTemplates> templates_;
  std::unique_ptr<store::Archive> archive_;
};

}  // namespace crivello::collection
