// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/agent.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <utility>

namespace crivello::cluster {
namespace {

constexpr int kRequestThreads = 2;
constexpr int kTicksPerLease = 60;

}  // namespace

MonotonicTime BootTime() {
  timespec now = {};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return MonotonicTime(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

Agent::Agent(Bus& bus, TabletKeeper& keeper, AgentOptions options)
    : bus_(bus), keeper_(keeper), options_(std::move(options)), membership_(options_.membership) {
  threads_.emplace_back([this](std::stop_token stop) { Tick(std::move(stop)); });
  for (int i = 0; i < kRequestThreads; i++) {
    threads_.emplace_back([this](std::stop_token stop) { ExecuteRequests(std::move(stop)); });
  }
  for (uint32_t i = 0; i < options_.membership.openings; i++) {
    threads_.emplace_back([this](std::stop_token stop) { ExecuteOrders(std::move(stop)); });
  }
}

Agent::~Agent() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void Agent::Report(const Status& status, const std::string& what) const {
  if (options_.on_event) options_.on_event(status, what);
}

void Agent::Collect() {
  const MonotonicTime now = BootTime();
  for (BusRequest& request : membership_.TakeRequests()) {
    requests_.push_back({.request = std::move(request), .since = now});
  }
  for (TabletOrder& order : membership_.TakeOrders()) orders_.push_back(std::move(order));
  changed_.notify_all();
}

void Agent::Tick(std::stop_token stop) {
  const Duration pause = options_.membership.lease / kTicksPerLease;
  mu_.lock();
  while (!stop.stop_requested()) {
    const MonotonicTime now = BootTime();
    if (membership_.MustExit(now) && options_.must_exit) options_.must_exit();
    for (const std::string& tablet : open_) {
      const TabletKeeper::Progress progress = keeper_.ProgressOf(tablet);
      membership_.SetProgress(tablet, progress.sequence, progress.lag_urls);
      if (progress.lost) membership_.OnLost(tablet, now);
    }
    if (options_.memory_bytes) membership_.SetMemory(options_.memory_bytes());
    membership_.Tick(now);
    Collect();
    changed_.wait_for(mu_, stop, pause, [] { return false; });
  }
  mu_.unlock();
}

void Agent::ExecuteRequests(std::stop_token stop) {
  mu_.lock();
  while (changed_.wait(mu_, stop, [this]() CRV_REQUIRES(mu_) { return !requests_.empty(); })) {
    Waiting next = std::move(requests_.front());
    requests_.pop_front();
    // Nobody waits for the answer any more, if the bus was slow.
    const Duration limit = options_.membership.lease / 5;
    if (BootTime() - next.since > limit) continue;
    mu_.unlock();
    const BusReply reply = Execute(next.request);
    mu_.lock();
    membership_.OnReply(reply, BootTime());
    Collect();
  }
  mu_.unlock();
}

BusReply Agent::Execute(const BusRequest& request) {
  BusReply reply = {.id = request.id};
  switch (request.kind) {
    case BusRequest::Kind::kReadAll: {
      auto entries = bus_.ReadAll();
      if (!entries.ok()) break;
      reply.outcome = UpdateOutcome::kDone;
      reply.entries = *std::move(entries);
      break;
    }
    case BusRequest::Kind::kPut: {
      const auto revision = bus_.Put(request.key, request.value);
      if (!revision.ok()) break;
      reply.outcome = UpdateOutcome::kDone;
      reply.revision = *revision;
      break;
    }
    case BusRequest::Kind::kUpdate: {
      const UpdateReply update = bus_.Update(request.key, request.value, request.revision);
      reply.outcome = update.outcome;
      reply.revision = update.revision;
      break;
    }
  }
  return reply;
}

void Agent::ExecuteOrders(std::stop_token stop) {
  // The first order for a tablet of which no order is being executed.
  const auto next = [this]() CRV_REQUIRES(mu_) {
    return std::find_if(orders_.begin(), orders_.end(), [this](const TabletOrder& order) CRV_REQUIRES(mu_) {
      return !busy_.contains(order.tablet);
    });
  };
  mu_.lock();
  while (changed_.wait(mu_, stop, [&]() CRV_REQUIRES(mu_) { return next() != orders_.end(); })) {
    const auto at = next();
    const TabletOrder order = std::move(*at);
    orders_.erase(at);
    busy_.insert(order.tablet);
    mu_.unlock();
    Obey(order);
    mu_.lock();
    busy_.erase(order.tablet);
    Collect();
  }
  mu_.unlock();
}

Result<TabletKeeper::Opened> Agent::Open(const TabletOrder& order) {
  if (options_.fence && !order.expired.empty()) CRV_TRY(options_.fence(order.expired));
  return keeper_.Open(order.tablet, order.epoch, order.sequence);
}

void Agent::Obey(const TabletOrder& order) {
  switch (order.kind) {
    case TabletOrder::Kind::kLook: {
      const auto epoch = keeper_.HighestEpoch(order.tablet);
      if (!epoch.ok()) Report(epoch.status(), fmt::format("tablet {}: cannot be taken", order.tablet));
      MutexLock lock(mu_);
      if (epoch.ok()) {
        membership_.OnLooked(order.tablet, *epoch, BootTime());
      } else {
        membership_.OnFailed(order.tablet, /*will_pass=*/true, BootTime());
      }
      return;
    }
    case TabletOrder::Kind::kOpen: {
      const auto opened = Open(order);
      if (opened.ok()) {
        Report(Status::Ok(), fmt::format("tablet {}: open in epoch {}", order.tablet, opened->epoch));
      } else {
        Report(opened.status(), fmt::format("tablet {}: not opened", order.tablet));
      }
      MutexLock lock(mu_);
      if (opened.ok()) {
        open_.insert(order.tablet);
        membership_.OnOpened(order.tablet, opened->epoch, opened->sequence, BootTime());
      } else {
        const bool will_pass = opened.status().code() == StatusCode::kUnavailable;
        membership_.OnFailed(order.tablet, will_pass, BootTime());
      }
      return;
    }
    case TabletOrder::Kind::kClose: {
      {
        MutexLock lock(mu_);
        open_.erase(order.tablet);
      }
      const Status closed = keeper_.Close(order.tablet);
      Report(closed, fmt::format("tablet {}: closed", order.tablet));
      MutexLock lock(mu_);
      membership_.OnClosed(order.tablet, BootTime());
      return;
    }
  }
}

bool Agent::MayFetch(const std::string& tablet) const {
  MutexLock lock(mu_);
  return membership_.MayFetch(tablet, BootTime());
}

bool Agent::MayConfirm(const std::string& tablet) const {
  MutexLock lock(mu_);
  return membership_.MayConfirm(tablet, BootTime());
}

std::string Agent::OwnerOf(const std::string& tablet) const {
  MutexLock lock(mu_);
  return membership_.OwnerOf(tablet);
}

void Agent::Leave() {
  MutexLock lock(mu_);
  membership_.Leave();
}

bool Agent::left() const {
  MutexLock lock(mu_);
  return membership_.left();
}

Status Agent::status() const {
  MutexLock lock(mu_);
  return membership_.name_status();
}

std::vector<std::string> Agent::tablets() const {
  MutexLock lock(mu_);
  return {open_.begin(), open_.end()};
}

std::vector<std::string> Agent::members() const {
  MutexLock lock(mu_);
  return membership_.view().names();
}

}  // namespace crivello::cluster
