// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/membership/cluster_records.h"

namespace crivello::cluster {

// Which agents are alive, as one agent sees it, and which of them should have which tablet.
//
// An agent is alive as long as its record changes.  The time since the last change is measured with the clock
// of the agent that looks, from the moment in which it saw the record first; so no clocks are compared.  One
// thread at a time.
class MemberView {
 public:
  struct Options {
    std::vector<std::string> tablets = {};
    Duration expiry = {};  // an agent whose record has not changed for this long is gone
    double epsilon = 0;    // of AssignTablets()
  };

  explicit MemberView(Options options) : options_(std::move(options)) {}

  // A record was read.  Any change counts, also to what it was before: a bus that lost history shows old
  // values.
  void See(const MemberRecord& record, uint64_t revision, MonotonicTime now);
  // Looks which agents are gone, and computes the assignment if the agents changed.
  void Tick(MonotonicTime now);
  // The bucket was lost: each agent has to show up again, and those that were alive count as alive for a
  // while.
  void KeepAll(MonotonicTime now);

  // Agents that are alive and not leaving, sorted, as of the last Tick().
  const std::vector<std::string>& names() const { return names_; }
  MonotonicTime since() const { return since_; }  // names() have been the same
  bool alive(const std::string& name) const;

  // The place of an agent among those that should take the tablet: 0 for the agent that the assignment
  // chooses, then the others in the order of the tablet's chain.  The number of agents if it is not among
  // names().
  size_t RankOf(size_t tablet, const std::string& name) const;

 private:
  struct Member {
    MemberRecord record;
    uint64_t revision = 0;
    MonotonicTime seen = {};
    bool alive = true;
  };

  const Options options_;
  std::map<std::string, Member> members_;
  std::vector<std::string> names_;
  MonotonicTime since_ = {};
  // By tablet, agents in the order in which they should take it; an agent is its place in names_.
  std::vector<std::vector<uint32_t>> order_;
};

}  // namespace crivello::cluster
