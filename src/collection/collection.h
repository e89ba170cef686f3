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
  bool with_archive = true;  // to write; for reading rows it is not needed
  // To read: nothing is made or written, whatever the disk and the permissions; sieves and archives stay
  // closed.
  enum class Reading : uint8_t {
    kNo,      // it is written to
    kShared,  // beside others that read
    kAlone,   // nobody else has it open, unless it can only be read: for a process that answers for it
  };
  Reading reading = Reading::kNo;
  uint32_t tablets = 0;  // of a new collection; 0: one.  For one that is there it must agree, or be 0.
  std::string sieve;     // its kind, of a new collection; empty: the default, or that of the collection
  MemoryPlan::Work work = MemoryPlan::Work::kRead;
  uint64_t memory_bytes = uint64_t{512} << 20;  // divided by MemoryPlan
  store::ArchiveOptions archive;                // but for its directory
  FileSystem* fs = nullptr;                     // of databases, sieves and journals; null: the machine's own
  // Which of the tablets that exist this process takes; empty: all.
  std::function<bool(const web::TabletId& id)> owns = {};
  // Several processes have it open, each with tablets of its own, which it opens itself and attaches.  Takes
  // no lock, makes nothing and writes none of the collection's own files.
  bool shared = false;
};

// A collection: its own files, and a set of tablets that this process owns, any subset of those that exist.
//
//   crivello.toml what it was made with (collection_file.h)
//   lock          held by the process that writes these files, which has put its number there
//   seeds.txt     a URL a line: they make the scope
//   forgotten     what is never to come back (forgotten.h)
//   tablets/      a folder for each tablet, by name (tablet.h)
//
// Only this class opens tablets.  Thread-safe, as its parts are, but for Acquire() and Release().
class Collection {
 public:
  // Unavailable, with the number of the process, if another one has it open.  Corruption, naming a file, if a
  // store of a tablet is behind what was acknowledged, or a file is missing.  IoError, before anything is
  // opened, if the disk has not the room that writing to it may take.
  static Result<std::unique_ptr<Collection>> Open(const CollectionOptions& options);
  ~Collection();
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  // The folder of a tablet in a collection.
  static std::string TabletDirectory(std::string_view collection, const web::TabletId& id);
  // A file that is there while the links of all rows are still to be offered to the queues
  // (crawl/offer_again.h).
  static std::string OfferAgainPath(std::string_view collection);
  // The tablets that a collection has on disk, without opening it.  NotFound if there is none; Corruption if
  // some are missing, or if an earlier version of this program made it.
  static Result<web::TabletMap> ListTablets(const std::string& directory);

  const std::string& directory() const { return directory_; }
  const CollectionFile& file() const { return file_; }
  const MemoryPlan& memory() const { return memory_; }
  // Passed by who changes queues or sieves, and closed by who copies them all as of one moment.
  Gate& gate() { return gate_; }
  // Attach() and Detach() are called with this one closed while a crawl is open.  Its threads pass it to use
  // tablets, except for the one that closes it, and for users of a tablet that has visits in progress.
  Gate& tablets_gate() { return tablets_gate_; }
  // Taken by who cares for the whole of it.
  CareTurns& care() { return care_; }
  ForgottenList& forgotten() { return *forgotten_; }
  const ForgottenList& forgotten() const { return *forgotten_; }

  // All tablets that exist; a slot is a place in this map.
  const web::TabletMap& map() const { return map_; }
  // Those that this process owns, in order of their slots.
  const std::vector<Tablet*>& tablets() const { return owned_; }
  // The tablet of a slot; null if another process has it.
  Tablet* tablet(uint32_t slot) { return by_slot_[slot]; }
  // That of a host, and its slot; null if another process has it.
  Tablet* Find(std::string_view host) { return tablet(SlotOf(host)); }
  // The same; Unavailable, naming the tablet, if another process has it.
  Result<Tablet*> TabletOfHost(std::string_view host);
  uint32_t SlotOf(std::string_view host) const { return map_.SlotOf(web::HostHash(host)); }

  // What a frontier works on: the tablets of this moment.
  frontier::Tablets Frontier();

  // Takes a tablet that exists and is not owned, or gives one back, closed.  REQUIRES: no crawl is open, and
  // nobody uses the tablet.
  Result<Tablet*> Acquire(const web::TabletId& id);
  Status Release(const web::TabletId& id);
  // The same for a tablet that somebody else has opened, who closes it after Detach().  REQUIRES also: it
  // exists and is not owned; for Detach(), it is attached.
  // A crawl attaches tablets while it is open (Crawler::Attach).
  // `rests_until`: see frontier::TabletParts.
  void Attach(Tablet& tablet, MonotonicTime rests_until = MonotonicTime::min());
  void Detach(const Tablet& tablet);

  // The seeds of all crawls so far, in order; AddSeeds() adds those that are new, durably; of a
  // shared collection, in this process alone.  From any thread.
  std::vector<std::string> seeds() const CRV_EXCLUDES(seeds_mu_);
  Status AddSeeds(const std::vector<std::string>& urls) CRV_EXCLUDES(seeds_mu_);

  // Closes the tablets: ends the archives' files, with their indexes.
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
