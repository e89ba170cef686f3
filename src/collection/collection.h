// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "collection/care_turn.h"
#include "collection/collection_file.h"
#include "collection/forgotten.h"
#include "collection/gate.h"
#include "collection/robots_keeper.h"
#include "frontier/tablet.h"
#include "page/site_templates.h"
#include "store/archive.h"
#include "store/change_log.h"
#include "store/ledger.h"
#include "store/table.h"

namespace crivello::collection {

// A collection as the crawler and those who ask about it see it: its tablets, each with its rows, ledger and
// archive.
//
//   crivello.toml what it was made with (collection_file.h)
//   lock          held by the process that writes, which has put its number there
//   seeds.txt     a URL a line: they make the scope
//   forgotten     what is never to come back (forgotten.h)
//   tablets/      frontier::Collection
//
// Thread-safe, as its parts are.
struct CollectionOptions {
  std::string directory;
  bool create = true;        // else NotFound if there is none
  bool with_archive = true;  // to write; who only reads rows has no need of it
  uint32_t tablets = 0;      // of a new collection; 0: one
  std::string sieve;         // its kind, of a new collection; empty: the default, or that of the collection
  uint64_t sieve_memory_bytes = 64 << 20;
  uint64_t memory_bytes = 128 << 20;  // of the databases; a quarter more for the templates of sites
  store::ArchiveOptions archive;      // but for its directory
};

class Collection {
 public:
  // Unavailable, with the number of the process, if another one has it open.
  static Result<std::unique_ptr<Collection>> Open(const CollectionOptions& options);
  ~Collection();
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  struct Tablet {
    frontier::Tablet* tablet;
    std::unique_ptr<store::ChangeLog> changes;  // of the table
    store::Table table;
    store::Ledger ledger;
    RobotsKeeper robots;
    page::SiteTemplates templates;
    std::unique_ptr<store::Archive> archive;  // null if it was not asked for

    std::string archive_directory() const { return tablet->directory() + "/archive"; }
  };

  const std::string& directory() const { return directory_; }
  const CollectionFile& file() const { return file_; }
  frontier::Collection& collection() { return *collection_; }
  // Passed by who changes queues or sieves, and closed by who copies them all as of one moment.
  Gate& gate() { return gate_; }
  // Taken by who cares for the whole of it.
  CareTurns& care() { return care_; }
  // Who keeps the index up to the rows in this process says how it is built anew; before others have the
  // store.
  void KeepIndex(std::function<Status()> rebuild) { rebuild_index_ = std::move(rebuild); }
  // Empty if nobody does.
  const std::function<Status()>& rebuild_index() const { return rebuild_index_; }
  ForgottenList& forgotten() { return *forgotten_; }
  const ForgottenList& forgotten() const { return *forgotten_; }
  uint32_t tablets() const { return static_cast<uint32_t>(tablets_.size()); }
  Tablet& tablet(uint32_t i) { return *tablets_[i]; }
  Tablet& TabletOfHost(std::string_view host);

  // The seeds of all crawls so far, in order; AddSeeds() adds those that are new, durably.  From any thread.
  std::vector<std::string> seeds() const CRV_EXCLUDES(seeds_mu_);
  Status AddSeeds(const std::vector<std::string>& urls) CRV_EXCLUDES(seeds_mu_);

  // Ends the archives' files, with their indexes.
  Status Close();

 private:
  Collection() = default;

  std::string directory_;
  Gate gate_;
  CareTurns care_;
  std::function<Status()> rebuild_index_;
  int lock_ = -1;
  CollectionFile file_;
  mutable Mutex seeds_mu_;
  std::vector<std::string> seeds_ CRV_GUARDED_BY(seeds_mu_);
  std::unique_ptr<ForgottenList> forgotten_;
  std::unique_ptr<frontier::Collection> collection_;
  std::vector<std::unique_ptr<Tablet>> tablets_;
};

}  // namespace crivello::collection
