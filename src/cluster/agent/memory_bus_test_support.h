// SPDX-License-Identifier: Apache-2.0
// A bus within one process, for tests of agents; included by _test.cc files only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

// Never fails, unless it is told to.  Thread-safe.
class MemoryBus final : public Bus {
 public:
  // From now on nothing is answered, or everything again.
  void SetDown(bool down) {
    MutexLock lock(mu_);
    down_ = down;
  }
  // As if JetStream lost its disk.
  void Forget() {
    MutexLock lock(mu_);
    entries_.clear();
    revision_ = 0;
  }

  Result<std::vector<BusEntry>> ReadAll() override {
    MutexLock lock(mu_);
    if (down_) return Status::Unavailable("down");
    std::vector<BusEntry> entries;
    for (const auto& [key, entry] : entries_) entries.push_back(entry);
    return entries;
  }
  Result<uint64_t> Put(const std::string& key, std::string_view value) override {
    MutexLock lock(mu_);
    if (down_) return Status::Unavailable("down");
    return Write(key, value);
  }
  UpdateReply Update(const std::string& key, std::string_view value, uint64_t revision) override {
    MutexLock lock(mu_);
    if (down_) return {.outcome = UpdateOutcome::kUnknown, .error = "down"};
    const auto at = entries_.find(key);
    if ((at == entries_.end() ? 0 : at->second.revision) != revision) {
      return {.outcome = UpdateOutcome::kConflict};
    }
    return {.outcome = UpdateOutcome::kDone, .revision = Write(key, value)};
  }
  Status Publish(const std::string&, std::string_view) override { return Status::Unavailable("no messages"); }
  Result<std::unique_ptr<Subscription>> Subscribe(const std::string&, Handler) override {
    return Status::Unavailable("no messages");
  }
  Result<std::string> Request(const std::string&, std::string_view, Duration) override {
    return Status::Unavailable("no messages");
  }

 private:
  uint64_t Write(const std::string& key, std::string_view value) CRV_REQUIRES(mu_) {
    entries_[key] = {.key = key, .value = std::string(value), .revision = ++revision_};
    return revision_;
  }

  Mutex mu_;
  std::map<std::string, BusEntry> entries_ CRV_GUARDED_BY(mu_);
  uint64_t revision_ CRV_GUARDED_BY(mu_) = 0;
  bool down_ CRV_GUARDED_BY(mu_) = false;
};

}  // namespace crivello::cluster
