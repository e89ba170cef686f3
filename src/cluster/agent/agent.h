// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/agent/tablet_keeper.h"
#include "cluster/membership/bus.h"
#include "cluster/membership/membership.h"

namespace crivello::cluster {

struct AgentOptions {
  MembershipOptions membership = {};
  // A tablet could not be closed before others may take it.  The function must end the process at once,
  // without destructors: whatever it still writes is in vain.
  std::function<void()> must_exit = {};
  // For the log: a tablet was opened, closed, lost or refused.  From any thread.
  std::function<void(const Status& status, const std::string& what)> on_event = {};
  std::function<uint64_t()> memory_bytes = {};  // in use by the process
  // Called before a tablet is taken from an agent whose lease ran out, with its name: makes sure that it
  // writes no more.  After an error the tablet is not taken.  Epochs make this unnecessary where the file
  // system keeps its promises.
  std::function<Status(const std::string& agent)> fence = {};
};

// Runs a Membership: a thread ticks, two execute its requests on the bus, and some execute its orders through
// the keeper.  The bus and the file system may hang; that delays only what waits for them.  Thread-safe.
class Agent {
 public:
  // `bus` and `keeper` outlive it.
  Agent(Bus& bus, TabletKeeper& keeper, AgentOptions options);
  // Stops without giving tablets back: others wait until the leases expire.  Waits for calls of the keeper.
  ~Agent();

  // Asked before each request to a host, and before each confirmation.
  bool MayFetch(const std::string& tablet) const CRV_EXCLUDES(mu_);
  bool MayConfirm(const std::string& tablet) const CRV_EXCLUDES(mu_);

  // The agent that has a tablet, as far as is known; empty: nobody.
  std::string OwnerOf(const std::string& tablet) const CRV_EXCLUDES(mu_);

  // Gives all tablets back.  left() once that is done.
  void Leave() CRV_EXCLUDES(mu_);
  bool left() const CRV_EXCLUDES(mu_);
  // InvalidArgument if another agent has the same name: the process should end.
  Status status() const CRV_EXCLUDES(mu_);
  // The tablets that are open here.
  std::vector<std::string> tablets() const CRV_EXCLUDES(mu_);
  // The agents that are alive.
  std::vector<std::string> members() const CRV_EXCLUDES(mu_);

 private:
  void Tick(std::stop_token stop) CRV_EXCLUDES(mu_);
  void ExecuteRequests(std::stop_token stop) CRV_EXCLUDES(mu_);
  void ExecuteOrders(std::stop_token stop) CRV_EXCLUDES(mu_);
  BusReply Execute(const BusRequest& request);
  void Obey(const TabletOrder& order) CRV_EXCLUDES(mu_);
  Result<TabletKeeper::Opened> Open(const TabletOrder& order);
  void Collect() CRV_REQUIRES(mu_);
  void Report(const Status& status, const std::string& what) const;

  struct Waiting {
    BusRequest request;
    MonotonicTime since;
  };

  Bus& bus_;
  TabletKeeper& keeper_;
  const AgentOptions options_;
  mutable Mutex mu_;
  std::condition_variable_any changed_;  // requests, orders
  Membership membership_ CRV_GUARDED_BY(mu_);
  std::deque<Waiting> requests_ CRV_GUARDED_BY(mu_);
  std::deque<TabletOrder> orders_ CRV_GUARDED_BY(mu_);
  std::set<std::string> busy_ CRV_GUARDED_BY(mu_);  // tablets whose order is being executed
  std::set<std::string> open_ CRV_GUARDED_BY(mu_);  // tablets that the keeper has open
  std::vector<std::jthread> threads_;               // the last member
};

// The time since the machine started, including the time in which it was suspended.
MonotonicTime BootTime();

}  // namespace crivello::cluster
