// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "collection/care_turn.h"
#include "collection/collection_file.h"
#include "collection/forgotten.h"
#include "collection/gate.h"
#include "collection/memory_plan.h"
#include "collection/tablet.h"
#include "frontier/tablets.h"
#include "web/url/tablet_id.h"

namespace crivello::collection {

struct CollectionOptions {
  std::string directory;
  bool create = true;        // else NotFound if there is none
  bool with_archive = true;  // open the archive for writing; reading rows does not need it
  // For reading: nothing is created or written, and sieves and archives stay closed.
  enum class Reading : uint8_t {
    kNo,      // open it for writing
    kShared,  // together with other readers
    kAlone,   // no other process has it open, unless it can only be read: for a process that answers others
  };
  Reading reading = Reading::kNo;
  uint32_t tablets = 0;  // of a new collection; 0: one.  For an existing one, 0 or its number.
  std::string sieve;     // the kind, for a new collection; empty: the default, or that of the collection
  MemoryPlan::Work work = MemoryPlan::Work::kRead;
  uint64_t memory_bytes = uint64_t{512} << 20;  // divided by MemoryPlan
  store::ArchiveOptions archive;                // except its directory
  FileSystem* fs = nullptr;                     // of databases, sieves and journals; null: the machine's own
  // The tablets that this process takes; empty: all.
  std::function<bool(const web::TabletId& id)> owns = {};
  // Several processes have it open, each with tablets of its own, which it opens itself and attaches.  Then
  // Open() takes no lock, creates nothing and writes none of the collection's own files.
  bool shared = false;
};

// A collection: its own files, and a set of tablets that this process owns, any subset of those that exist.
//
//   crivello.toml its settings (collection_file.h)
//   lock          held by the process that writes these files; has the number of that process
//   seeds.txt     one URL per line; they define the scope
//   forgotten     what must never be stored again (forgotten.h)
//   tablets/      a folder for each tablet, by name (tablet.h)
//
// Only this class opens tablets.  It and its parts are thread-safe, except for Acquire() and Release().
class Collection {
 public:
  // Unavailable, with the number of the process, if another one has it open.  Corruption, naming a file, if a
  // store of a tablet has lost acknowledged data, or a file is missing.  IoError, before anything is opened,
  // if the disk has too little free space for writing.
  static Result<std::unique_ptr<Collection>> Open(const CollectionOptions& options);
  ~Collection();
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  // The folder of a tablet in a collection.
  static std::string TabletDirectory(std::string_view collection, const web::TabletId& id);
  // A file that exists as long as the links of all rows must still be offered to the queues
  // (crawl/offer_again.h).
  static std::string OfferAgainPath(std::string_view collection);
  // The tablets that a collection has on disk, without opening it.  NotFound if there is no collection;
  // Corruption if tablets are missing, or if an earlier version of this program created it.
  static Result<web::TabletMap> ListTablets(const std::string& directory);

  const std::string& directory() const { return directory_; }
  const CollectionFile& file() const { return file_; }
  const MemoryPlan& memory() const { return memory_; }
  // Every change of queues or sieves passes this gate; a backup closes it to copy all of them at one moment.
  Gate& gate() { return gate_; }
  // Attach() and Detach() are called with this one closed while a crawl is open.  The crawl's threads pass it
  // to use tablets, except for the one that closes it, and for users of a tablet that has visits in progress.
  Gate& tablets_gate() { return tablets_gate_; }
  // Taken by tasks that work on the whole collection.
  CareTurns& care() { return care_; }
  ForgottenList& forgotten() { return *forgotten_; }
  const ForgottenList& forgotten() const { return *forgotten_; }

  // All tablets that exist; a slot is a place in this map.
  const web::TabletMap& map() const { return map_; }
  // Those that this process owns, in order of their slots.
  const std::vector<Tablet*>& tablets() const { return owned_; }
  // The tablet of a slot; null if another process has it.
  Tablet* tablet(uint32_t slot) { return by_slot_[slot]; }
  // The tablet of a host, and its slot; null if another process has it.
  Tablet* Find(std::string_view host) { return tablet(SlotOf(host)); }
  // The same; Unavailable, naming the tablet, if another process has it.
  Result<Tablet*> TabletOfHost(std::string_view host);
  uint32_t SlotOf(std::string_view host) const { return map_.SlotOf(web::HostHash(host)); }

  // The tablets of this process now, as a frontier needs them.
  frontier::Tablets Frontier();

  // Opens a tablet that exists and is not owned, or closes one and gives it back.  REQUIRES: no crawl is
  // open, and nothing uses the tablet.
  Result<Tablet*> Acquire(const web::TabletId& id);
  Status Release(const web::TabletId& id);
  // The same for a tablet that the caller has opened, and closes after Detach().  REQUIRES also: it exists
  // and is not owned; for Detach(), it is attached.  A crawl attaches tablets while it is open
  // (Crawler::Attach).  `rests_until`: see frontier::TabletParts.
  void Attach(Tablet& tablet, MonotonicTime rests_until = MonotonicTime::min());
  void Detach(const Tablet& tablet);

  // The seeds of all crawls so far, in order.  AddSeeds() adds new ones durably or, in a shared collection,
  // only for this process.  From any thread.
  std::vector<std::string> seeds() const CRV_EXCLUDES(seeds_mu_);
  Status AddSeeds(const std::vector<std::string>& urls) CRV_EXCLUDES(seeds_mu_);

  // Closes the tablets, and completes the files of the archives with their indexes.
  Status Close();

 private:
  explicit Collection(const CollectionOptions& options);
  Status OpenFiles();
  Status OpenTablets();
  void ListOwned();
  bool Takes(const web::TabletId& id) const {
    return !options_.shared && (!options_.owns || options_.owns(id));
  }

  const CollectionOptions options_;
  const std::string directory_;
  Gate gate_;
  Gate tablets_gate_;
  CareTurns care_;
  int lock_ = -1;
  CollectionFile file_;
  mutable Mutex seeds_mu_;
  std::vector<std::string> seeds_ CRV_GUARDED_BY(seeds_mu_);
  std::unique_ptr<ForgottenList> forgotten_;
  web::TabletMap map_;
  bool existed_ = false;  // before it was opened, or before a frontier worked on it
  MemoryPlan memory_;
  std::shared_ptr<kv::MemoryPool> pool_;
  std::vector<std::unique_ptr<Tablet>> opened_;  // by slot; null where another process or Attach() has it
  std::vector<Tablet*> by_slot_;
  std::vector<MonotonicTime> rests_until_;  // by slot
  std::vector<Tablet*> owned_;
};

}  // namespace crivello::collection
