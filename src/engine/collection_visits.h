// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "engine/local_service.h"
#include "wire/remote_service.h"
#include "wire/service.h"

namespace crivello::engine {

// Provides the service of a collection, which may change from one request to the next.  Thread-safe.
class ServiceSource {
 public:
  virtual ~ServiceSource() = default;
  virtual Result<std::shared_ptr<wire::CollectionService>> Get() = 0;
  // Call this when what Get() returned has answered Unavailable.  Returns whether to call Get() again.
  virtual bool Lost(const std::shared_ptr<wire::CollectionService>& service) = 0;
};

// The service of a collection that this process has open, and which outlives this.
class OwnService final : public ServiceSource {
 public:
  OwnService(collection::Collection& store, care::IndexKeeper& index)
      : service_(std::make_shared<LocalService>(store, index)) {}
  LocalService& service() { return *service_; }
  Result<std::shared_ptr<wire::CollectionService>> Get() override {
    return std::shared_ptr<wire::CollectionService>(service_);
  }
  bool Lost(const std::shared_ptr<wire::CollectionService>& /*service*/) override { return false; }

 private:
  const std::shared_ptr<LocalService> service_;
};

// The service of a collection for a long-running process that does not own it (`serve`).
//
// If another process has the collection open, this keeps a connection to it.  If none has, it opens the
// collection itself, once for all concurrent requests, and closes it after kIdle without a request.
// Meanwhile it answers other processes like any owner.  When one wants to write (ReleaseRequest), it hands
// over the collection at once, so it never blocks anybody.
class CollectionVisits final : public ServiceSource {
 public:
  static constexpr Duration kIdle = std::chrono::seconds(1);
  // How long the process that asked for the collection may take to open it.
  static constexpr Duration kYield = std::chrono::seconds(5);
  // How long to wait for the next message of another process's answer.
  static constexpr Duration kPatience = std::chrono::seconds(30);

  explicit CollectionVisits(std::string directory);
  ~CollectionVisits() override;
  CollectionVisits(const CollectionVisits&) = delete;
  CollectionVisits& operator=(const CollectionVisits&) = delete;

  // Unavailable if another process has the collection open and does not listen, or is about to open it.
  Result<std::shared_ptr<wire::CollectionService>> Get() override CRV_EXCLUDES(mu_);
  bool Lost(const std::shared_ptr<wire::CollectionService>& service) override CRV_EXCLUDES(mu_);
  // Whether this object has the collection open now.
  bool open() const CRV_EXCLUDES(mu_);

 private:
  struct Visit;

  Status OpenLocked() CRV_REQUIRES(mu_);
  void Yield() CRV_EXCLUDES(mu_);
  void CloseWhenIdle() CRV_EXCLUDES(mu_);

  const std::string directory_;
  mutable Mutex mu_;
  std::condition_variable_any changed_;
  std::shared_ptr<Visit> visit_ CRV_GUARDED_BY(mu_);                 // null: not open
  std::shared_ptr<wire::RemoteService> remote_ CRV_GUARDED_BY(mu_);  // null: no other process is known
  MonotonicTime used_ CRV_GUARDED_BY(mu_){};
  MonotonicTime yield_until_ CRV_GUARDED_BY(mu_){};
  bool stopping_ CRV_GUARDED_BY(mu_) = false;
  std::thread thread_;  // the last member
};

}  // namespace crivello::engine
