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
  bool with_archive = true;                   // open the archive for writing; reading rows does not need it
  store::ArchiveOptions archive = {};         // except its directory
  // For reading rows and queues: nothing is created, repaired or written, and any number of processes can
  // read at a time.  The sieve and the archive are not opened.
  bool read_only = false;
  FileSystem* fs = nullptr;  // null: the machine's own
};

// Everything about the hosts whose hashes begin with the tablet's prefix.
//
//   lock      held by the process that has it open; has the number of that process
//   commits   the state of the stores at each commit (tablet_journal.h)
//   db/       one database: queues and states of hosts, agenda, schedule of revisits, feeds, subscriptions,
//             rows, ledger, changes, robots, templates
//   sieve/    which URLs have been seen
//   archive/  what was fetched
//   index/    of the index, which is not opened here
//   links/    links to its pages, sorted by target; written by a job and not opened here
//   duplicates/  which of its pages are nearly equal to others; written by a job, for the dup cells
//
// Opening compares each store with the journal.  If a store is behind, or a file is missing, opening fails
// with Corruption: files were truncated, emptied or deleted, and continuing would lose pages silently.
//
// It and its parts are thread-safe.
class Tablet final : public frontier::CommitGuard {
 public:
  // Creates it if it is missing.  Unavailable, with the number of the process, if another one has it open.
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
  // REQUIRES: it was not opened read-only.
  sieve::Sieve& sieve() { return *sieve_; }
  // The state of the sieve if it is open, otherwise from its files; zeros if files of its kind do not say.
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
  // Null if it was not opened.
  store::Archive* archive() { return archive_.get(); }

  // The parts that a frontier needs.  They live as long as this object.
  frontier::TabletParts parts() {
    return {.queues = queues_.get(),
            .agenda = agenda_.get(),
            .sieve = sieve_.get(),
            .db = db_.get(),
            .guard = this};
  }

  // Records the state of the stores in the journal, if the tablet still belongs to this process.  Call it
  // after a synced write, before anything is acknowledged.  REQUIRES (unlike Close()): it was not opened
  // read-only.
  Status Acknowledge() override;
  // The number of the last commit that was acknowledged.
  uint64_t acknowledged() const { return journal_->last().sequence; }
  const Lease& lease() const { return *lease_; }
  Status StillMine() override { return lease_->StillMine(); }
  bool lost() const override { return lease_->lost(); }

  // Completes the archive's file with its index, saves what is only a hint, and syncs the journal.
  Status Close();

 private:
  Tablet(std::unique_ptr<Lease> lease, web::TabletId id) : lease_(std::move(lease)), id_(id) {}
  Status OpenStores(const TabletOptions& options);
  // Takes the lock and reads the journal.
  Status Begin(const TabletOptions& options);
  // Corruption, naming the store, if one is behind the journal.
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
  bool sieve_is_known_ = false;         // if it is not open: its files say its state
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
