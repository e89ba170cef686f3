// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/membership/bus.h"
#include "cluster/politeness/turn_granter.h"
#include "cluster/politeness/turn_taker.h"
#include "web/url/tablet_id.h"

namespace crivello::cluster {

struct TurnServiceOptions {
  std::string scope = {};  // the name of the cluster in subjects: that of its bucket
  std::string agent = {};
  uint64_t process = 0;  // random, differs each time that the agent starts
  web::TabletMap map = {};
  TurnOptions turns = {};
  std::function<MonotonicTime()> now = {};  // of a clock that continues while the machine is suspended
  // Whether this agent may fetch for a tablet that it has open (Agent::MayFetch).
  std::function<bool(const std::string& tablet)> may_fetch = {};
  // The turn at an address has come: Begin() it.  From any thread, without a lock of this class.
  std::function<void(const std::string& address)> on_turn = {};
};

// The turns of one agent on the bus: asks for those that its crawl wants, and grants those at the addresses
// of the tablets that it has open.  What concerns its own tablets does not go over the bus.  Thread-safe.
class TurnService {
 public:
  // `bus` outlives it.  Unavailable if the bus does not take the subscription.
  static Result<std::unique_ptr<TurnService>> Start(Bus& bus, TurnServiceOptions options);
  ~TurnService();

  // This process has got a tablet, or gives it away.  `handed_over`: what CloseTablet() returned to the last
  // owner; empty if it is not known which turns that one has granted.  `is_new`: nobody had it before, so
  // nobody has a turn.
  struct Opening {
    bool is_new = false;
    std::string handed_over = {};
  };
  Status OpenTablet(const std::string& tablet, uint64_t epoch, const Opening& opening) CRV_EXCLUDES(mu_);
  // Grants nothing from now on.  For the next owner: a message (turn_message.h), or nothing if it must wait
  // for all turns.
  std::string CloseTablet(const std::string& tablet) CRV_EXCLUDES(mu_);

  // As in TurnTaker.  After Want(), on_turn() tells when Begin() may return true; it may be before Want()
  // returns.
  void Want(const std::string& address) CRV_EXCLUDES(mu_);
  void Forget(const std::string& address) CRV_EXCLUDES(mu_);
  bool Begin(const std::string& address) CRV_EXCLUDES(mu_);
  void End(const std::string& address) CRV_EXCLUDES(mu_);

 private:
  struct OpenedTablet {
    uint64_t epoch = 0;
    std::unique_ptr<TurnGranter> granter;
    std::unique_ptr<Bus::Subscription> subscription;
  };

  TurnService(Bus& bus, TurnServiceOptions options);
  void OnMessage(const Bus::Message& message) CRV_EXCLUDES(mu_);
  // Does what is due, and sends what came of it.
  void Pump() CRV_EXCLUDES(mu_);
  void Run(std::stop_token stop) CRV_EXCLUDES(mu_);
  std::string SubjectOfTablet(const std::string& tablet) const;
  std::string SubjectOfAgent(const std::string& agent) const;

  Bus& bus_;
  const TurnServiceOptions options_;
  Mutex mu_;
  std::condition_variable_any never_;  // notified by nobody: only to wait on
  TurnTaker taker_ CRV_GUARDED_BY(mu_);
  std::map<std::string, OpenedTablet> tablets_ CRV_GUARDED_BY(mu_);
  std::unique_ptr<Bus::Subscription> replies_;
  std::jthread thread_;  // the last member
};

}  // namespace crivello::cluster
