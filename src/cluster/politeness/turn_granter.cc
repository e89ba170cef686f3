// SPDX-License-Identifier: Apache-2.0
#include "cluster/politeness/turn_granter.h"

#include <algorithm>

namespace crivello::cluster {
namespace {

constexpr int kRepetitionsMissed = 4;  // after which an agent that waits is passed over

}  // namespace

TurnGranter::TurnGranter(std::string tablet, uint64_t epoch, TurnOptions options, MonotonicTime opened,
                         const std::optional<std::vector<std::string>>& outstanding)
    : tablet_(std::move(tablet)),
      epoch_(epoch),
      options_(options),
      first_(outstanding ? MonotonicTime::min() : opened + Longest(options)) {
  if (!outstanding) return;
  for (const std::string& name : *outstanding) {
    Address& address = addresses_[name];
    address.free = opened + Longest(options);
    SetDue(name, address, address.free);
  }
}

std::optional<std::vector<std::string>> TurnGranter::Outstanding(MonotonicTime now) const {
  if (now < first_) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, address] : addresses_) {
    if (address.taken || address.free > now) names.push_back(name);
  }
  return names;
}

Duration TurnGranter::Longest(const TurnOptions& options) {
  const Duration longest = options.term + options.request + options.delay;
  return Duration(static_cast<int64_t>((1 + options.drift) * static_cast<double>(longest.count())));
}

void TurnGranter::SetDue(const std::string& name, Address& address, MonotonicTime due) {
  agenda_.erase({address.due, name});
  address.due = due;
  agenda_.insert({due, name});
}

void TurnGranter::OnRequest(const TurnRequest& request, MonotonicTime now) {
  const AgentId agent = {request.agent, request.process};
  for (const TurnRequest::Return& one : request.returns) OnReturn(agent, one, now);
  for (const TurnRequest::Ask& ask : request.asks) OnAsk(agent, ask, now);
}

void TurnGranter::OnReturn(const AgentId& agent, const TurnRequest::Return& one, MonotonicTime now) {
  const auto at = addresses_.find(one.address);
  if (at == addresses_.end()) return;
  Address& address = at->second;
  std::erase_if(address.waiting, [&](const Waiting& waiting) {
    return waiting.agent == agent && waiting.number <= one.through;
  });
  if (address.taken && address.holder.agent == agent && address.holder.number <= one.through) {
    address.taken = false;
    // The agent's clock may be fast.
    const Duration rested(
        static_cast<int64_t>(static_cast<double>(one.rested.count()) / (1 + options_.drift)));
    address.free = now + std::max(address.holder.delay - rested, Duration(0));
  }
  SetDue(at->first, address, now);
}

void TurnGranter::OnAsk(const AgentId& agent, const TurnRequest::Ask& ask, MonotonicTime now) {
  const auto at = addresses_.try_emplace(ask.address).first;
  Address& address = at->second;
  SetDue(at->first, address, now);
  if (address.taken && address.holder.agent == agent && ask.number <= address.holder.number) {
    address.repeat |= ask.number == address.holder.number;
    return;
  }
  const auto same = std::find_if(address.waiting.begin(), address.waiting.end(),
                                 [&](const Waiting& waiting) { return waiting.agent == agent; });
  Waiting& waiting = same != address.waiting.end() ? *same : address.waiting.emplace_back();
  if (same != address.waiting.end() && ask.number < waiting.number) return;  // it was overtaken
  waiting = {.agent = agent, .number = ask.number, .heard = now, .delay = ask.delay, .request = ask.request};
}

void TurnGranter::DropSilent(Address& address, MonotonicTime now) {
  std::erase_if(address.waiting, [&](const Waiting& waiting) {
    return now - waiting.heard > kRepetitionsMissed * options_.again;
  });
}

void TurnGranter::Reply(const AgentId& agent, TurnReply::Grant grant, Replies& replies) {
  TurnReply& reply = replies[agent];
  reply.agent = agent.first;
  reply.process = agent.second;
  reply.tablet = tablet_;
  reply.epoch = epoch_;
  reply.grants.push_back(std::move(grant));
}

void TurnGranter::Grant(const std::string& name, Address& address, Waiting to, MonotonicTime now,
                        Replies& replies) {
  granted_++;
  address.taken = true;
  address.repeat = false;
  address.once = !address.waiting.empty();
  address.recall = now + options_.again;
  address.expiry = now + Longer(options_.term + to.request + to.delay);
  address.holder = std::move(to);
  Reply(address.holder.agent,
        {.address = name, .number = address.holder.number, .term = options_.term, .once = address.once},
        replies);
}

void TurnGranter::Serve(const std::string& name, Address& address, MonotonicTime now, Replies& replies) {
  DropSilent(address, now);
  if (address.taken && now >= address.expiry) {
    expired_++;
    address.taken = false;
    address.free = address.expiry;
  }
  if (address.taken) {
    const auto mine = std::find_if(address.waiting.begin(), address.waiting.end(),
                                   [&](const Waiting& one) { return one.agent == address.holder.agent; });
    if (address.waiting.size() == 1 && mine != address.waiting.end() && !address.once) {
      const Waiting again = *mine;
      address.waiting.clear();
      Grant(name, address, again, now, replies);
    } else if (address.repeat) {
      Reply(address.holder.agent,
            {.address = name, .number = address.holder.number, .term = options_.term, .once = address.once},
            replies);
    }
    address.repeat = false;
    const bool others = address.waiting.size() > (mine != address.waiting.end() ? 1u : 0u);
    // A turn for one request is asked for, too: it may have been returned, and the message lost.
    const MonotonicTime recall = address.once ? address.recall : std::min(address.recall, now);
    if ((others || address.once) && now >= recall) {
      Reply(address.holder.agent, {.address = name, .number = address.holder.number, .once = true}, replies);
      address.once = true;
      address.recall = now + options_.again;
    }
    const bool calls = others || address.once;
    SetDue(name, address, calls ? std::min(address.expiry, address.recall) : address.expiry);
    return;
  }
  const MonotonicTime free = std::max(address.free, first_);
  if (now >= free && !address.waiting.empty()) {
    Waiting next = std::move(address.waiting.front());
    address.waiting.pop_front();
    Grant(name, address, std::move(next), now, replies);
    SetDue(name, address, address.once ? std::min(address.expiry, address.recall) : address.expiry);
    return;
  }
  if (now < free) {
    SetDue(name, address, free);
    return;
  }
  agenda_.erase({address.due, name});
  addresses_.erase(addresses_.find(name));
}

std::vector<TurnReply> TurnGranter::Tick(MonotonicTime now, bool may_grant) {
  Replies replies;
  std::vector<std::string> due;
  if (may_grant) {
    for (const auto& [at, name] : agenda_) {
      if (at > now) break;
      due.push_back(name);
    }
  }
  for (const std::string& name : due) Serve(name, addresses_.at(name), now, replies);
  std::vector<TurnReply> list;
  for (auto& [agent, reply] : replies) list.push_back(std::move(reply));
  return list;
}

}  // namespace crivello::cluster
