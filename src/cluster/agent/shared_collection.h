// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/agent/tablet_keeper.h"
#include "cluster/fence/epoch_lease.h"
#include "cluster/fence/shared_files.h"
#include "collection/collection_file.h"
#include "collection/memory_plan.h"
#include "collection/tablet.h"
#include "web/url/tablet_id.h"

namespace crivello::cluster {

struct SharedCollectionOptions {
  std::string directory = {};  // on the shared file system
  std::string agent = {};      // its name goes into the claims
  std::string bucket = {};     // of its agents; empty: do not look which one it is
  uint32_t tablets = 0;        // of a new collection; 0: 16
  std::string sieve = {};      // of a new collection; empty: the default
  uint64_t memory_bytes = uint64_t{512} << 20;
  store::ArchiveOptions archive = {};  // but for its directory
  // A tablet that seems to end too early is looked at several times before it is opened: a network file
  // system may show old files.
  Duration between_looks = std::chrono::seconds(1);
  // Folders of older epochs are kept for so long: nobody reads them, but an old owner may still shut down,
  // and an operator may want one back.
  Duration keep_epochs = std::chrono::hours(24);
};

// A collection whose tablets belong to several processes: each tablet is opened under an epoch of its own
// (takeover.h), in the folder of that epoch.  The files of the collection itself are made once and only read
// here.
//
// One process at a time may have a tablet open; a program for one machine refuses such a collection.
// Thread-safe, but for one call at a time for each tablet.
class SharedCollection final : public TabletKeeper {
 public:
  // Makes the collection if it is missing.  Unavailable if another process is about to make it, and
  // InvalidArgument for one that was crawled by a single machine, or by agents with another bucket.
  static Result<std::unique_ptr<SharedCollection>> Open(SharedCollectionOptions options);

  // All tablets that exist, by name.
  const std::vector<std::string>& tablets() const { return names_; }

  Result<uint64_t> HighestEpoch(const std::string& tablet) override;
  // Corruption if the tablet ends before commit `sequence`.  A network file system may show an old listing or
  // file for some seconds, so it looks several times before it takes an epoch.
  Result<Opened> Open(const std::string& tablet, uint64_t above, uint64_t sequence) override;
  Status Close(const std::string& tablet) override { return Close(tablet, ""); }
  // The same, and leaves a note to the next owner.
  Status Close(const std::string& tablet, std::string_view note);
  Progress ProgressOf(const std::string& tablet) override CRV_EXCLUDES(mu_);

  // A tablet that is open here, until Close(); null if it is not.
  collection::Tablet* Find(const std::string& tablet) CRV_EXCLUDES(mu_);
  // Whether its last owner may have sent requests that are still under way: it closed the tablet in no order.
  // REQUIRES: it is open here.
  bool WasCutOff(const std::string& tablet) CRV_EXCLUDES(mu_);
  // Whether nobody had it before.  REQUIRES: it is open here.
  bool IsNew(const std::string& tablet) CRV_EXCLUDES(mu_);

  // The note of the owner that closed it; empty if it left none.  REQUIRES: it is open here.
  std::string NoteOf(const std::string& tablet) CRV_EXCLUDES(mu_);

  // Removes the folders of older epochs of tablets that have been open for long.  To be called now and then.
  Status RemoveOldEpochs(MonotonicTime now) CRV_EXCLUDES(mu_);

 private:
  // How its last owner left a tablet.
  enum class Past : uint8_t { kNew, kClosed, kCutOff };
  struct OpenTablet {
    std::unique_ptr<collection::Tablet> tablet;
    const EpochLease* lease = nullptr;  // of the tablet, which owns it
    uint64_t epoch = 0;
    MonotonicTime opened = {};
    Past past = Past::kNew;
    std::string note = {};
    bool is_alone = false;  // no older epochs are left
  };

  SharedCollection(SharedCollectionOptions options, web::TabletMap map, std::string sieve);
  std::string FolderOf(const std::string& tablet) const;
  // From the folder of an epoch, of which the same is asked from now on.
  static Result<Past> TakePast(const std::string& folder, std::string* note);
  Result<web::TabletId> IdOf(const std::string& tablet) const;
  // Whether the journal in the newest folder of the tablet reaches the commit.
  Result<bool> Reaches(const std::string& tablet, uint64_t sequence);

  const SharedCollectionOptions options_;
  const web::TabletMap map_;
  const std::string sieve_;
  const collection::MemoryPlan memory_;
  const std::shared_ptr<kv::MemoryPool> pool_;
  std::vector<std::string> names_;
  PosixSharedFiles files_;
  Mutex mu_;
  std::map<std::string, OpenTablet> open_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::cluster
