// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/status.h"
#include "frontier/frontier.h"
#include "frontier/priority.h"
#include "frontier/simulated_web.h"
#include "frontier/simulation_judge.h"

namespace crivello::frontier {

struct SimulationOptions {
  FrontierOptions frontier = {};  // wait_for_sieve is always set
  PriorityOptions priority = {};
  uint32_t connections = 1000;                      // requests at a time
  Duration time = std::chrono::hours(24 * 30);      // at most, on the simulated clock
  Duration commit_after = std::chrono::seconds(1);  // results wait this long for others,
  uint32_t commit_visits = 256;                     // or until there are this many
  Duration robots_age = std::chrono::hours(24);
  Duration address_age = std::chrono::hours(1);
};

// Crawls a simulated web, on a simulated clock, with the real frontier: a discrete-event loop in one thread
// that takes visits, delivers responses when they are due, resolves names, obeys robots.txt, offers links and
// commits in groups.  The test bed of the frontier, and an example of how to use it.
//
// All state is in the tablets: if the object is destroyed in the middle, uncommitted work is lost as in a
// crash. One thread at a time.
class Simulation {
 public:
  // Opens the frontier of the tablets, all of them owned.  All arguments must outlive the simulation.
  static Result<std::unique_ptr<Simulation>> Open(const Tablets& tablets, const SimulatedWeb& web,
                                                  ManualClock& clock, SimulationJudge& judge,
                                                  const SimulationOptions& options);
  ~Simulation();

  // Offers the web's seed, durably.
  Status Begin();
  // Runs until the frontier is empty, the time is over, or this many requests were made (0: no limit).
  Status Run(uint64_t requests = 0);

  Frontier& frontier();

 private:
  struct State;
  explicit Simulation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace crivello::frontier
