// SPDX-License-Identifier: Apache-2.0
#include "engine/collection_visits.h"

#include <utility>

#include "collection/collection.h"
#include "engine/collection_access.h"
#include "engine/open_collection.h"
#include "engine/stored_index.h"
#include "wire/server.h"

namespace crivello::engine {

// The collection while it is open; the members are closed from the last to the first.
struct CollectionVisits::Visit {
  std::unique_ptr<collection::Collection> store;
  StoredIndex index;
  std::unique_ptr<LocalService> service;
  std::unique_ptr<wire::Server> server;
};

CollectionVisits::CollectionVisits(std::string directory) : directory_(std::move(directory)) {
  thread_ = std::thread([this] { CloseWhenIdle(); });
}

CollectionVisits::~CollectionVisits() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Status CollectionVisits::OpenLocked() {
  auto visit = std::make_shared<Visit>();
  CRV_ASSIGN(visit->store, OpenToAnswer(directory_));
  visit->service = std::make_unique<LocalService>(*visit->store, visit->index, [this] { Yield(); });
  auto server = wire::Server::Open(SocketPath(directory_), *visit->service);
  // If no socket can be made (the disk is full or read-only), nobody can be waiting to write.
  if (!server.ok() && server.status().code() != StatusCode::kIoError) return server.status();
  if (server.ok()) visit->server = *std::move(server);
  visit_ = std::move(visit);
  return Status::Ok();
}

Result<std::shared_ptr<wire::CollectionService>> CollectionVisits::Get() {
  using Service = std::shared_ptr<wire::CollectionService>;
  MutexLock lock(mu_);
  const MonotonicTime now = SystemClock().Now();
  used_ = now;
  Status status = Status::Unavailable(directory_ + ": another process is about to open the collection");
  if (now >= yield_until_) {
    if (visit_ != nullptr) return Service(visit_, visit_->service.get());
    if (remote_ != nullptr) return Service(remote_);
    status = OpenLocked();
    if (status.ok()) {
      used_ = SystemClock().Now();
      changed_.notify_all();
      return Service(visit_, visit_->service.get());
    }
    if (status.code() != StatusCode::kUnavailable) return status;
  }
  if (visit_ != nullptr) return status;  // it is being closed, and the listening process is this one
  auto remote = wire::RemoteService::Connect(SocketPath(directory_), {.patience = kPatience});
  if (!remote.ok()) return status;
  remote_ = *std::move(remote);
  yield_until_ = now;
  return Service(remote_);
}

bool CollectionVisits::Lost(const std::shared_ptr<wire::CollectionService>& service) {
  MutexLock lock(mu_);
  if (service != remote_) return false;
  remote_ = nullptr;
  return true;
}

bool CollectionVisits::open() const {
  MutexLock lock(mu_);
  return visit_ != nullptr;
}

void CollectionVisits::Yield() {
  {
    MutexLock lock(mu_);
    yield_until_ = SystemClock().Now() + kYield;
  }
  changed_.notify_all();
}

void CollectionVisits::CloseWhenIdle() {
  mu_.lock();
  while (!stopping_) {
    if (visit_ == nullptr) {
      changed_.wait(mu_);
      continue;
    }
    const MonotonicTime now = SystemClock().Now();
    // Close at once when no answer is in progress if someone waits; else after a while without requests.
    const bool hurry = now < yield_until_;
    const bool in_use = visit_.use_count() > 1;
    const bool asked_lately =
        now < used_ + kIdle || (visit_->server != nullptr && visit_->server->connections() > 0);
    if (in_use || (asked_lately && !hurry)) {
      changed_.wait_for(mu_, hurry ? std::chrono::milliseconds(5) : std::chrono::milliseconds(100));
      continue;
    }
    // Nobody can get it from now on; closing waits for connections, so do it outside the lock.
    std::shared_ptr<Visit> visit = std::exchange(visit_, nullptr);
    mu_.unlock();
    visit = nullptr;
    mu_.lock();
  }
  std::shared_ptr<Visit> visit = std::exchange(visit_, nullptr);
  mu_.unlock();
}

}  // namespace crivello::engine
