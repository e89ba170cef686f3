// SPDX-License-Identifier: Apache-2.0
#include "cluster/politeness/turn_taker.h"

#include <algorithm>
#include <utility>

#include "web/url/signature.h"

namespace crivello::cluster {
namespace {

constexpr size_t kAsksRemembered = 8;  // of an address: answers to older ones are over anyway

}  // namespace

uint32_t AddressTablet(const web::TabletMap& map, std::string_view address) {
  return map.SlotOf(web::HostHash(address));
}

TurnTaker::TurnTaker(std::string agent, uint64_t process, TurnOptions options)
    : agent_(std::move(agent)), process_(process), options_(options) {}

void TurnTaker::SetDue(const std::string& address, Turn& turn, MonotonicTime due) {
  agenda_.erase({turn.due, address});
  turn.due = due;
  agenda_.insert({due, address});
}

void TurnTaker::Want(const std::string& address, const std::string& tablet, MonotonicTime now) {
  const auto [at, added] = turns_.try_emplace(address);
  Turn& turn = at->second;
  if (added) turn.tablet = tablet;
  turn.wanted = true;
  turn.wanted_at = now;
  if (turn.held && !IsOver(turn, now)) granted_.push_back(address);
  SetDue(at->first, turn, now);
}

void TurnTaker::Forget(const std::string& address, MonotonicTime now) {
  const auto at = turns_.find(address);
  if (at == turns_.end()) return;
  at->second.wanted = false;
  SetDue(at->first, at->second, now);
}

// No request may begin any more.
bool TurnTaker::IsOver(const Turn& turn, MonotonicTime now) const {
  return now >= turn.until || (turn.once && turn.requests > 0);
}

bool TurnTaker::Begin(const std::string& address, MonotonicTime now) {
  const auto at = turns_.find(address);
  if (at == turns_.end()) return false;
  Turn& turn = at->second;
  if (!turn.held || turn.requesting || IsOver(turn, now)) return false;
  turn.wanted = false;
  turn.requesting = true;
  turn.requests++;
  return true;
}

void TurnTaker::End(const std::string& address, MonotonicTime now) {
  const auto at = turns_.find(address);
  if (at == turns_.end() || !at->second.requesting) return;
  at->second.requesting = false;
  at->second.idle = now;
  at->second.ended = now;
  SetDue(at->first, at->second, now);
}

TurnRequest& TurnTaker::To(const std::string& tablet, Requests& requests) const {
  TurnRequest& request = requests[tablet];
  request.agent = agent_;
  request.process = process_;
  request.tablet = tablet;
  return request;
}

void TurnTaker::OnReply(const TurnReply& reply, MonotonicTime now) {
  if (reply.agent != agent_ || reply.process != process_) return;
  uint64_t& epoch = epochs_[reply.tablet];
  if (reply.epoch < epoch) return;  // its owner was replaced
  epoch = reply.epoch;
  for (const TurnReply::Grant& grant : reply.grants) OnGrant(reply.tablet, grant, now);
}

void TurnTaker::OnGrant(const std::string& tablet, const TurnReply::Grant& grant, MonotonicTime now) {
  const auto at = turns_.find(grant.address);
  if (at == turns_.end()) {
    // Whatever the owner thinks that this agent has.
    To(tablet, unclaimed_)
        .returns.push_back({.address = grant.address, .through = last_number_, .rested = Duration(0)});
    return;
  }
  Turn& turn = at->second;
  SetDue(at->first, turn, now);
  const auto ask = turn.asks.find(grant.number);
  const bool calls_back = grant.term == Duration(0);
  if (turn.held && (calls_back || grant.number == turn.number)) {
    turn.once |= grant.once;
    return;
  }
  if (calls_back || ask == turn.asks.end()) {
    if (turn.held) return;  // of an earlier turn
    // The owner thinks that this agent has a turn, which got lost or is over.
    turn.asks.erase(turn.asks.begin(), turn.asks.upper_bound(grant.number));
    if (turn.asks.empty()) turn.next_ask = now;
    To(tablet, unclaimed_)
        .returns.push_back({.address = grant.address, .through = grant.number, .rested = Duration(0)});
    return;
  }
  const bool is_new = !turn.held || now >= turn.until;
  if (!turn.held) held_++;
  turn.held = true;
  if (is_new) {
    turn.requests = turn.requesting ? 1 : 0;
    turn.idle = now;
  }
  turn.number = grant.number;
  turn.until = ask->second + std::min(grant.term, options_.term);
  turn.once = grant.once;
  turn.asks.erase(turn.asks.begin(), std::next(ask));
  if (turn.wanted && now < turn.until) granted_.push_back(grant.address);
}

std::vector<std::string> TurnTaker::TakeGranted() { return std::exchange(granted_, {}); }

void TurnTaker::Ask(const std::string& address, Turn& turn, MonotonicTime now, Requests& requests) {
  turn.asks[++last_number_] = now;
  while (turn.asks.size() > kAsksRemembered) turn.asks.erase(turn.asks.begin());
  turn.next_ask = now + options_.again;
  To(turn.tablet, requests)
      .asks.push_back(
          {.address = address, .number = last_number_, .delay = options_.delay, .request = options_.request});
}

void TurnTaker::GiveBack(const std::string& address, Turn& turn, MonotonicTime now, Requests& requests) {
  if (turn.held) held_--;
  turn.held = false;
  turn.asks.clear();
  turn.next_ask = now;
  const Duration rested =
      turn.ended ? std::clamp(now - *turn.ended, Duration(0), options_.delay) : options_.delay;
  To(turn.tablet, requests)
      .returns.push_back({.address = address, .through = last_number_, .rested = rested});
}

bool TurnTaker::Advance(const std::string& address, Turn& turn, MonotonicTime now, Requests& requests) {
  MonotonicTime next = MonotonicTime::max();
  // The host may have moved to another agent.  This one would have turns for nothing, and others wait for
  // them.
  const bool forgets = options_.forget > Duration(0);
  if (forgets && now >= turn.wanted_at + options_.forget) turn.wanted = false;
  if (forgets && turn.wanted) next = turn.wanted_at + options_.forget;
  if (turn.held && !turn.requesting) {
    // What is not wanted is kept for as long as the next visit of an address usually takes to come.
    const MonotonicTime keep = turn.idle + 2 * options_.delay;
    const bool called_back = turn.once && (turn.requests > 0 || !turn.wanted);
    if (called_back || now >= turn.until || (!turn.wanted && now >= keep)) {
      GiveBack(address, turn, now, requests);
    } else {
      next = std::min(next, turn.wanted ? turn.until : std::min(turn.until, keep));
    }
  }
  const bool wants_more = turn.wanted || turn.requesting;
  const MonotonicTime renew = turn.until - options_.term / 2;
  if (turn.held && wants_more && !turn.once) {
    // In time, so that a turn that nobody else wants goes from one term into the next.
    if (now >= std::max(renew, turn.next_ask)) Ask(address, turn, now, requests);
    next = std::min(next, std::max(renew, turn.next_ask));
  } else if (!turn.held && turn.wanted && !turn.requesting) {
    if (now >= turn.next_ask) Ask(address, turn, now, requests);
    next = std::min(next, turn.next_ask);
  }
  if (!turn.held && !turn.wanted && !turn.requesting) {
    // Asks that were not answered are still in the queue of the owner.
    if (!turn.asks.empty()) GiveBack(address, turn, now, requests);
    return false;
  }
  SetDue(address, turn, next);
  return true;
}

std::vector<TurnRequest> TurnTaker::Tick(MonotonicTime now) {
  Requests requests = std::exchange(unclaimed_, {});
  std::vector<std::string> due;
  for (const auto& [at, address] : agenda_) {
    if (at > now) break;
    due.push_back(address);
  }
  for (const std::string& address : due) {
    const auto at = turns_.find(address);
    if (Advance(address, at->second, now, requests)) continue;
    agenda_.erase({at->second.due, address});
    turns_.erase(at);
  }
  std::vector<TurnRequest> list;
  for (auto& [tablet, request] : requests) list.push_back(std::move(request));
  return list;
}

}  // namespace crivello::cluster
