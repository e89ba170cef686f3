// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "frontier/tablets.h"
#include "sieve/sieve.h"

namespace crivello::frontier {

// A record (url_record.h) for a tablet of another process; it is stored together with the page that has it.
struct OutgoingUrl {
  uint32_t tablet = 0;  // its slot
  uint64_t signature = 0;
  std::string record = {};
};

// Sends URL records to the tablets of their hosts, wherever these are: the only place where data leaves a
// tablet.  A record may arrive more than once (the sieve of its tablet lets it through once), and records
// from one sender to one tablet arrive in order.  Thread-safe.
class Exchange {
 public:
  virtual ~Exchange() = default;

  // Sends records (url_record.h), keyed by the signatures of their URLs.  May wait if buffers are full.
  virtual Status Send(uint32_t tablet, std::span<const sieve::Key> records) = 0;
  // When it returns, all records whose Send() has returned survive a crash.
  virtual Status Sync() = 0;
};

// Records for a tablet of this process go straight to its sieve; records for others are Unavailable.
class LocalExchange final : public Exchange {
 public:
  // The tablets must outlive this.
  explicit LocalExchange(const Tablets& tablets) : tablets_(tablets), offered_(tablets.size()) {}

  Status Send(uint32_t tablet, std::span<const sieve::Key> records) override {
    if (tablets_[tablet].sieve == nullptr) {
      return Status::Unavailable("a URL belongs to a tablet of another process");
    }
    CRV_TRY(tablets_[tablet].sieve->Offer(records));
    offered_[tablet] = true;  // only now, so that a Sync() that removes the mark includes these records
    return Status::Ok();
  }
  // Unavailable if a tablet that received records now belongs to another process, which may not find them.
  Status Sync() override CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    for (const uint32_t tablet : tablets_.owned()) CRV_TRY(SyncTablet(tablet));
    return stranded_;
  }
  // Call it before the tablet is disowned.  If what it received is not safe, every later Sync() says so.
  void Leave(uint32_t tablet) CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    if (Status synced = SyncTablet(tablet); !synced.ok()) stranded_ = std::move(synced);
    offered_[tablet] = false;
  }

 private:
  // One at a time: whoever finds no mark relies on the sync of whoever removed it.
  Status SyncTablet(uint32_t tablet) CRV_REQUIRES(mu_) {
    if (!offered_[tablet].exchange(false)) return Status::Ok();
    Status status = tablets_[tablet].sieve->Sync();
    if (status.ok()) status = tablets_[tablet].StillMine();
    if (!status.ok()) offered_[tablet] = true;
    return status;
  }

  const Tablets& tablets_;
  std::vector<std::atomic<bool>> offered_;  // since the last Sync(), by slot
  Mutex mu_;
  Status stranded_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::frontier
