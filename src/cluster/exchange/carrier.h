// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/wakeup.h"
#include "cluster/exchange/frame.h"
#include "cluster/exchange/tablet_exchange.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

struct CarrierOptions {
  std::string scope = {};  // the name of the cluster in subjects
  std::string agent = {};  // the name of this agent
  // The agent that has a tablet, as far as is known; empty: nobody.
  std::function<std::string(const std::string& tablet)> owner_of = {};
  // Whether this agent may confirm what came for a tablet of its own.
  std::function<bool(const std::string& tablet)> may_confirm = {};
  // Something came for a tablet of this agent.
  std::function<void()> arrived = {};
  // A tablet's exchange failed: its database, or its epoch.
  std::function<void(const std::string& tablet, const Status& status)> failed = {};
  uint64_t window_bytes = 4 << 20;                  // sent and not confirmed, for each other agent
  uint64_t frame_bytes = 256 << 10;                 // of joined messages: NATS takes 1 MiB
  uint64_t received_bytes = 64 << 20;               // that wait to be read; more are dropped, and come again
  Duration gather = std::chrono::milliseconds(20);  // between two rounds of sending
};

struct CarrierStats {
  uint64_t sent_frames = 0;
  uint64_t received_frames = 0;
  uint64_t dropped_frames = 0;  // damaged, or too many
};

// Carries the batches of URLs between the tablets of this agent and those of others, by messages that may be
// lost: one thread sends, one receives.  Messages for tablets of one agent are joined, and a window bounds
// what is sent to an agent and not confirmed.  Receiving never waits for sending.  Thread-safe.
class Carrier {
 public:
  // `bus` outlives it.
  static Result<std::unique_ptr<Carrier>> Start(Bus& bus, CarrierOptions options);
  ~Carrier();

  // A tablet is open here, or will be closed.  After Remove() its exchange is not used any more.
  void Add(std::shared_ptr<TabletExchange> exchange) CRV_EXCLUDES(mu_);
  void Remove(const std::string& tablet) CRV_EXCLUDES(mu_);
  // Something was committed that is to be sent.
  void Wake() { wakeup_.Notify(); }

  CarrierStats stats() const;

 private:
  Carrier(Bus& bus, CarrierOptions options) : bus_(bus), options_(std::move(options)) {}
  void Receive(const Bus::Message& message) CRV_EXCLUDES(mu_);
  void SendAll(std::stop_token stop) CRV_EXCLUDES(mu_);
  void SendRound() CRV_EXCLUDES(mu_);
  void ReadAll(std::stop_token stop) CRV_EXCLUDES(mu_);
  void ReadRound(const std::vector<std::string>& frames) CRV_EXCLUDES(mu_);
  std::vector<std::shared_ptr<TabletExchange>> exchanges() const CRV_EXCLUDES(mu_);
  std::shared_ptr<TabletExchange> Find(const std::string& tablet) const CRV_EXCLUDES(mu_);
  void Failed(const std::string& tablet, const Status& status);
  std::string SubjectOf(const std::string& agent) const;

  Bus& bus_;
  const CarrierOptions options_;
  Wakeup wakeup_;  // of the thread that sends
  mutable Mutex mu_;
  std::condition_variable_any arrived_;
  std::map<std::string, std::shared_ptr<TabletExchange>> exchanges_ CRV_GUARDED_BY(mu_);
  std::deque<std::string> frames_ CRV_GUARDED_BY(mu_);  // received
  uint64_t frames_bytes_ CRV_GUARDED_BY(mu_) = 0;
  std::map<std::string, std::vector<Confirmation>> confirmed_ CRV_GUARDED_BY(mu_);  // to us, by tablet
  std::map<std::string, std::vector<Confirmation>> answers_ CRV_GUARDED_BY(mu_);    // ours, by agent
  CarrierStats stats_ CRV_GUARDED_BY(mu_);
  uint64_t round_ = 0;  // of the thread that sends
  std::unique_ptr<Bus::Subscription> subscription_;
  std::vector<std::jthread> threads_;  // the last member
};

}  // namespace crivello::cluster
