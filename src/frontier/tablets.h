// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "kv/database.h"
#include "sieve/sieve.h"
#include "web/url/tablet_id.h"

namespace crivello::frontier {

class Agenda;
class HostQueues;

// Called when a commit is on disk, before anything depends on it: before the sieve drops URLs that are now in
// the queues, and before visits count as done.
class CommitGuard {
 public:
  virtual ~CommitGuard() = default;
  // Records the progress of the tablet.  An error means that the commit must not be acknowledged: the tablet
  // now belongs to another process, or its state cannot be recorded.
  virtual Status Acknowledge() = 0;
  // Unavailable if the tablet now belongs to another process.  Records nothing.
  virtual Status StillMine() { return Status::Ok(); }
  // Whether Acknowledge() or StillMine() has found that the tablet belongs to another process.
  virtual bool lost() const { return false; }
};

// The parts of a tablet that the frontier uses.  Not owned.
struct TabletParts {
  HostQueues* queues = nullptr;
  Agenda* agenda = nullptr;
  sieve::Sieve* sieve = nullptr;
  kv::Database* db = nullptr;    // which contains queues and agenda
  CommitGuard* guard = nullptr;  // null: no guard
  // Another process may have sent a request to a host of the tablet until this time: no host is visited
  // before its delay has passed since then.
  MonotonicTime rests_until = MonotonicTime::min();

  Status Acknowledge() const { return guard == nullptr ? Status::Ok() : guard->Acknowledge(); }
  Status StillMine() const { return guard == nullptr ? Status::Ok() : guard->StillMine(); }
  bool lost() const { return guard != nullptr && guard->lost(); }
};

// The tablets that a frontier works on: any subset of the existing ones.  URLs of other tablets leave through
// the exchange.  Thread-safe, except for Own() and Disown(), during which nobody may use it.
class Tablets {
 public:
  // `existed`: whether these tablets may have been crawled before, so that their hosts must first wait for
  // their delay.
  Tablets(web::TabletMap map, bool existed) : map_(std::move(map)), existed_(existed), parts_(map_.size()) {}

  // REQUIRES: slot < size(), and it is not yet owned.
  void Own(uint32_t slot, const TabletParts& parts) {
    parts_[slot] = parts;
    owned_.insert(std::lower_bound(owned_.begin(), owned_.end(), slot), slot);
  }
  void Disown(uint32_t slot) {
    parts_[slot] = {};
    std::erase(owned_, slot);
  }

  const web::TabletMap& map() const { return map_; }
  bool existed() const { return existed_; }
  // The number of existing tablets; slots are below this.
  uint32_t size() const { return map_.size(); }
  // The slots of the tablets in this process.
  const std::vector<uint32_t>& owned() const { return owned_; }
  // Null pointers if it is not owned.
  const TabletParts& operator[](uint32_t slot) const { return parts_[slot]; }

 private:
  const web::TabletMap map_;
  const bool existed_;
  std::vector<TabletParts> parts_;
  std::vector<uint32_t> owned_;
};

}  // namespace crivello::frontier
