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
  Duration time = std::chrono::hours(24 * 30);      // at most, of the simulated clock
  Duration commit_after = std::chrono::seconds(1);  // results wait so long for others,
  uint32_t commit_visits = 256;                     // or until so many are there
  Duration robots_age = std::chrono::hours(24);
  Duration address_age = std::chrono::hours(1);
  // Each page is visited so often again, each time so long after the commit of the visit before: by turns
  // through the queue of its host (Commit::Requeue, ahead of other URLs) and through the agenda.
  uint32_t revisits = 0;
  Duration revisit_after = std::chrono::hours(1);
};

// A crawl of a simulated web, on a simulated clock, by the frontier as it is: a discrete-event loop that
// takes visits, lets their answers come when they are due, resolves names, obeys robots.txt, offers links and
// commits in groups, in one thread.  The test bed of the frontier, and a picture of how to drive one.
//
// Nothing is kept but what the tablets hold: when the object goes away in the middle, what was not
// committed is as after a crash.  One thread at a time.
class Simulation {
 public:
  // Opens the frontier of the tablets, all of them owned.  All arguments live longer than the simulation.
  static Result<std::unique_ptr<Simulation>> Open(const Tablets& tablets, const SimulatedWeb& web,
                                                  ManualClock& clock, SimulationJudge& judge,
                                                  const SimulationOptions& options);
  ~Simulation();

  // Offers the web's seed, durably.
  Status Begin();
  // After a crash: orders the revisits again that the judge has not seen, of pages that it has.
  void OrderAgain();
  // Runs until the frontier is empty, the time is over, or so many requests have been made (0: no limit).
  Status Run(uint64_t requests = 0);

  Frontier& frontier();

 private:
  struct State;
  explicit Simulation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace crivello::frontier
