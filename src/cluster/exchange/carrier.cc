// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/carrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace crivello::cluster {
namespace {

// Bytes that are read before they are made durable together.
constexpr uint64_t kBytesPerCommit = 4 << 20;

}  // namespace

Result<std::unique_ptr<Carrier>> Carrier::Start(Bus& bus, CarrierOptions options) {
  std::unique_ptr<Carrier> carrier(new Carrier(bus, std::move(options)));
  Carrier* const self = carrier.get();
  CRV_ASSIGN(carrier->subscription_,
             bus.Subscribe(carrier->SubjectOf(carrier->options_.agent),
                           [self](const Bus::Message& message) { self->Receive(message); }));
  carrier->threads_.emplace_back([self](std::stop_token stop) { self->SendAll(std::move(stop)); });
  carrier->threads_.emplace_back([self](std::stop_token stop) { self->ReadAll(std::move(stop)); });
  return carrier;
}

Carrier::~Carrier() {
  subscription_ = nullptr;
  for (std::jthread& thread : threads_) thread.request_stop();
  wakeup_.Notify();
  threads_.clear();
}

std::string Carrier::SubjectOf(const std::string& agent) const {
  return fmt::format("crivello.{}.urls.{}", options_.scope, agent);
}

void Carrier::Add(std::shared_ptr<TabletExchange> exchange) {
  MutexLock lock(mu_);
  const std::string name = exchange->name();
  exchanges_[name] = std::move(exchange);
}

void Carrier::Remove(const std::string& tablet) {
  std::shared_ptr<TabletExchange> removed;
  {
    MutexLock lock(mu_);
    const auto at = exchanges_.find(tablet);
    if (at == exchanges_.end()) return;
    removed = std::move(at->second);
    exchanges_.erase(at);
    confirmed_.erase(tablet);
  }
  removed->Close();
}

std::vector<std::shared_ptr<TabletExchange>> Carrier::exchanges() const {
  MutexLock lock(mu_);
  std::vector<std::shared_ptr<TabletExchange>> all;
  for (const auto& [name, exchange] : exchanges_) all.push_back(exchange);
  return all;
}

std::shared_ptr<TabletExchange> Carrier::Find(const std::string& tablet) const {
  MutexLock lock(mu_);
  const auto at = exchanges_.find(tablet);
  return at == exchanges_.end() ? nullptr : at->second;
}

void Carrier::Failed(const std::string& tablet, const Status& status) {
  if (options_.failed) options_.failed(tablet, status);
}

CarrierStats Carrier::stats() const {
  MutexLock lock(mu_);
  return stats_;
}

// ---- Sending.

void Carrier::SendAll(std::stop_token stop) {
  while (!stop.stop_requested()) {
    SendRound();
    wakeup_.WaitFor(options_.gather);
  }
}

void Carrier::SendRound() {
  std::map<std::string, std::vector<Confirmation>> confirmed;
  std::map<std::string, std::vector<Confirmation>> answers;
  {
    MutexLock lock(mu_);
    confirmed.swap(confirmed_);
    answers.swap(answers_);
  }
  const std::vector<std::shared_ptr<TabletExchange>> all = exchanges();
  for (const auto& exchange : all) {
    // Also those that came while a commit was under way.
    const auto at = confirmed.find(exchange->name());
    static const std::vector<Confirmation> kNone;
    const Status status = exchange->OnConfirmations(at == confirmed.end() ? kNone : at->second);
    if (!status.ok()) Failed(exchange->name(), status);
  }

  // What each agent may get now.
  std::map<std::string, std::string> owners;  // by tablet
  const auto owner_of = [&](const std::string& tablet) -> const std::string& {
    const auto [at, is_new] = owners.try_emplace(tablet);
    if (is_new) at->second = options_.owner_of(tablet);
    return at->second;
  };
  std::map<std::string, uint64_t> in_flight;  // by agent
  for (const auto& exchange : all) {
    exchange->ForEachInFlight(
        [&](const std::string& target, uint64_t bytes) { in_flight[owner_of(target)] += bytes; });
  }
  std::map<std::string, uint64_t> rooms;
  const Outbox::Room room = [&](const std::string& target) -> uint64_t* {
    const std::string& owner = owner_of(target);
    if (owner.empty()) return nullptr;
    const auto [at, is_new] = rooms.try_emplace(owner);
    if (is_new) at->second = options_.window_bytes - std::min(options_.window_bytes, in_flight[owner]);
    return &at->second;
  };

  std::map<std::string, FrameWriter> frames;
  uint64_t sent = 0;
  const auto publish = [&](const std::string& agent, const FrameWriter& frame) {
    // What is lost is sent again.
    bus_.Publish(SubjectOf(agent), frame.bytes()).IgnoreError();
    sent++;
  };
  const auto send = [&](const std::string& agent, const ExchangeMessage& message) {
    FrameWriter& frame = frames.try_emplace(agent, options_.agent).first->second;
    frame.Add(message);
    if (frame.size() < options_.frame_bytes) return;
    publish(agent, frame);
    frames.erase(agent);
  };
  for (const auto& [agent, confirmations] : answers) {
    for (const Confirmation& confirmation : confirmations) send(agent, confirmation);
  }
  const MonotonicTime now = SystemClock().Now();
  // Each tablet is the first one in its turn, so none takes the whole window for ever.
  round_++;
  for (size_t i = 0; i < all.size(); i++) {
    TabletExchange& exchange = *all[(i + round_) % all.size()];
    for (const UrlBatch& batch : exchange.ToSend(now, room)) send(owner_of(batch.stream.to), batch);
    for (const Confirmation& question : exchange.ToAsk(now)) {
      const std::string& owner = owner_of(question.stream.from);
      if (!owner.empty()) send(owner, question);
    }
  }
  for (const auto& [agent, frame] : frames) publish(agent, frame);
  MutexLock lock(mu_);
  stats_.sent_frames += sent;
}

// ---- Receiving.

void Carrier::Receive(const Bus::Message& message) {
  MutexLock lock(mu_);
  if (frames_bytes_ + message.bytes.size() > options_.received_bytes) {
    stats_.dropped_frames++;
    return;
  }
  stats_.received_frames++;
  frames_bytes_ += message.bytes.size();
  frames_.push_back(message.bytes);
  arrived_.notify_all();
}

void Carrier::ReadAll(std::stop_token stop) {
  for (;;) {
    std::vector<std::string> frames;
    {
      MutexLock lock(mu_);
      if (!arrived_.wait(mu_, stop, [this]() CRV_REQUIRES(mu_) { return !frames_.empty(); })) return;
      for (uint64_t bytes = 0; !frames_.empty() && bytes < kBytesPerCommit; frames_.pop_front()) {
        bytes += frames_.front().size();
        frames_bytes_ -= frames_.front().size();
        frames.push_back(std::move(frames_.front()));
      }
    }
    ReadRound(frames);
  }
}

void Carrier::ReadRound(const std::vector<std::string>& frames) {
  std::map<std::string, std::shared_ptr<TabletExchange>> touched;
  std::map<std::pair<std::string, std::string>, std::string> senders;  // agent, by both tablets of a stream
  bool confirmed = false;
  for (const std::string& bytes : frames) {
    auto frame = DecodeFrame(bytes);
    if (!frame.ok()) {
      MutexLock lock(mu_);
      stats_.dropped_frames++;
      continue;
    }
    for (const ExchangeMessage& message : frame->messages) {
      if (const auto* confirmation = std::get_if<Confirmation>(&message)) {
        MutexLock lock(mu_);
        if (!exchanges_.contains(confirmation->stream.from)) continue;
        confirmed_[confirmation->stream.from].push_back(*confirmation);
        confirmed = true;
        continue;
      }
      const auto& batch = std::get<UrlBatch>(message);
      const auto exchange = Find(batch.stream.to);
      if (exchange == nullptr) continue;  // it was taken away: the new owner gets it
      const Status status = exchange->OnBatch(batch);
      if (!status.ok()) Failed(batch.stream.to, status);
      touched[batch.stream.to] = exchange;
      senders[{batch.stream.to, batch.stream.from}] = frame->agent;
    }
  }
  for (const auto& [tablet, exchange] : touched) {
    auto confirmations = exchange->Commit();
    if (!confirmations.ok()) {
      Failed(tablet, confirmations.status());
      continue;
    }
    if (!options_.may_confirm(tablet)) continue;  // they come again
    MutexLock lock(mu_);
    for (Confirmation& confirmation : *confirmations) {
      const auto sender = senders.find({tablet, confirmation.stream.from});
      if (sender != senders.end()) answers_[sender->second].push_back(std::move(confirmation));
    }
    confirmed = true;
  }
  if (confirmed) wakeup_.Notify();
  if (!touched.empty() && options_.arrived) options_.arrived();
}

}  // namespace crivello::cluster
