// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

// A cluster at one moment, as its bucket tells and its agents answer.
struct ClusterStatus {
  struct AgentState {
    std::string name;
    bool alive = false;  // it answers
    bool leaving = false;
    std::string version;
    uint64_t tablets = 0;
    uint64_t memory_bytes = 0;
  };
  struct TabletState {
    std::string tablet;
    std::string owner;  // empty: nobody; also if the owner does not answer
    uint64_t epoch = 0;
    std::string
        state;  // of the lease (LeaseStateName); "expired" if its owner does not answer, "free" without one
    uint64_t lag_urls = 0;
  };
  std::vector<AgentState> agents;    // by name, without those that have left
  std::vector<TabletState> tablets;  // by name
  // Each tablet has an owner that answers, and there is at least one.
  bool complete() const;
};

// `scope` is the name of the cluster in subjects: that of its bucket.  `tablets` are those that must be
// there; others that have a lease are added.  Each agent gets `limit` to answer. Unavailable if the bucket
// cannot be read.
Result<ClusterStatus> ReadClusterStatus(Bus& bus, const std::string& scope,
                                        const std::vector<std::string>& tablets, Duration limit);

// Answers those who ask whether this agent is alive, as long as the subscription exists.  `process` is that
// of its membership: a lease of an earlier process of the same name has no owner.
Result<std::unique_ptr<Bus::Subscription>> AnswerWhetherAlive(Bus& bus, const std::string& scope,
                                                              const std::string& agent, uint64_t process);

}  // namespace crivello::cluster
