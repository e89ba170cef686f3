// SPDX-License-Identifier: Apache-2.0
#include "cluster/politeness/turn_service.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <variant>

namespace crivello::cluster {
namespace {

constexpr Duration kTurnTick = std::chrono::milliseconds(50);
// A request of this agent to itself, its answer, and the request that follows from that.
constexpr int kOwnRounds = 3;

}  // namespace

TurnService::TurnService(Bus& bus, TurnServiceOptions options)
    : bus_(bus), options_(std::move(options)), taker_(options_.agent, options_.process, options_.turns) {}

Result<std::unique_ptr<TurnService>> TurnService::Start(Bus& bus, TurnServiceOptions options) {
  std::unique_ptr<TurnService> service(new TurnService(bus, std::move(options)));
  TurnService* const self = service.get();
  CRV_ASSIGN(service->replies_,
             bus.Subscribe(self->SubjectOfAgent(self->options_.agent),
                           [self](const Bus::Message& message) { self->OnMessage(message); }));
  service->thread_ = std::jthread([self](std::stop_token stop) { self->Run(std::move(stop)); });
  return service;
}

TurnService::~TurnService() {
  thread_ = {};
  replies_.reset();
  std::map<std::string, OpenedTablet> tablets;
  {
    MutexLock lock(mu_);
    tablets.swap(tablets_);
  }
}

std::string TurnService::SubjectOfTablet(const std::string& tablet) const {
  return fmt::format("crivello.{}.turns.tablet.{}", options_.scope, tablet);
}
std::string TurnService::SubjectOfAgent(const std::string& agent) const {
  return fmt::format("crivello.{}.turns.agent.{}", options_.scope, agent);
}

Status TurnService::OpenTablet(const std::string& tablet, uint64_t epoch, const Opening& opening) {
  std::optional<std::vector<std::string>> outstanding;
  if (opening.is_new) outstanding.emplace();
  if (!opening.handed_over.empty()) {
    // If it cannot be read, this owner waits.
    const auto message = DecodeTurns(opening.handed_over);
    const auto* turns = message.ok() ? std::get_if<TurnReply>(&*message) : nullptr;
    if (turns != nullptr && turns->tablet == tablet) {
      outstanding.emplace();
      for (const TurnReply::Grant& grant : turns->grants) outstanding->push_back(grant.address);
    }
  }
  CRV_ASSIGN(auto subscription, bus_.Subscribe(SubjectOfTablet(tablet),
                                               [this](const Bus::Message& message) { OnMessage(message); }));
  OpenedTablet opened = {
      .epoch = epoch,
      .granter = std::make_unique<TurnGranter>(tablet, epoch, options_.turns, options_.now(), outstanding),
      .subscription = std::move(subscription)};
  {
    MutexLock lock(mu_);
    std::swap(tablets_[tablet], opened);
  }
  return Status::Ok();  // what was there before ends here, without the lock
}

std::string TurnService::CloseTablet(const std::string& tablet) {
  OpenedTablet closed;
  MutexLock lock(mu_);
  const auto at = tablets_.find(tablet);
  if (at == tablets_.end()) return {};
  closed = std::move(at->second);
  tablets_.erase(at);
  const auto outstanding = closed.granter->Outstanding(options_.now());
  if (!outstanding) return {};
  TurnReply turns = {
      .agent = options_.agent, .process = options_.process, .tablet = tablet, .epoch = closed.epoch};
  for (const std::string& address : *outstanding) turns.grants.push_back({.address = address});
  return EncodeTurns(turns);
}

void TurnService::Want(const std::string& address) {
  {
    MutexLock lock(mu_);
    taker_.Want(address, options_.map.id(AddressTablet(options_.map, address)).Name(), options_.now());
  }
  Pump();
}

void TurnService::Forget(const std::string& address) {
  {
    MutexLock lock(mu_);
    taker_.Forget(address, options_.now());
  }
  Pump();
}

bool TurnService::Begin(const std::string& address) {
  MutexLock lock(mu_);
  return taker_.Begin(address, options_.now());
}

void TurnService::End(const std::string& address) {
  {
    MutexLock lock(mu_);
    taker_.End(address, options_.now());
  }
  Pump();
}

void TurnService::OnMessage(const Bus::Message& message) {
  const auto decoded = DecodeTurns(message.bytes);
  if (!decoded.ok()) return;  // its sender repeats it
  {
    MutexLock lock(mu_);
    if (const auto* request = std::get_if<TurnRequest>(&*decoded)) {
      const auto at = tablets_.find(request->tablet);
      if (at == tablets_.end()) return;
      at->second.granter->OnRequest(*request, options_.now());
    } else {
      taker_.OnReply(std::get<TurnReply>(*decoded), options_.now());
    }
  }
  Pump();
}

void TurnService::Pump() {
  std::vector<std::pair<std::string, std::string>> messages;  // subjects, bytes
  std::vector<std::string> turns;
  {
    MutexLock lock(mu_);
    const MonotonicTime now = options_.now();
    for (int round = 0; round < kOwnRounds; round++) {
      for (const TurnRequest& request : taker_.Tick(now)) {
        const auto own = tablets_.find(request.tablet);
        if (own != tablets_.end()) {
          own->second.granter->OnRequest(request, now);
        } else {
          messages.emplace_back(SubjectOfTablet(request.tablet), EncodeTurns(request));
        }
      }
      for (auto& [tablet, opened] : tablets_) {
        for (const TurnReply& reply : opened.granter->Tick(now, options_.may_fetch(tablet))) {
          if (reply.agent == options_.agent) {
            taker_.OnReply(reply, now);
          } else {
            messages.emplace_back(SubjectOfAgent(reply.agent), EncodeTurns(reply));
          }
        }
      }
    }
    turns = taker_.TakeGranted();
  }
  for (const auto& [subject, bytes] : messages) {
    bus_.Publish(subject, bytes).IgnoreError();  // repeated until it is answered
  }
  for (const std::string& address : turns) options_.on_turn(address);
}

void TurnService::Run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    Pump();
    MutexLock lock(mu_);
    never_.wait_for(mu_, stop, kTurnTick, [] { return false; });
  }
}

}  // namespace crivello::cluster
