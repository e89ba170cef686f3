// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/clock.h"
#include "frontier/frontier.h"

namespace crivello::frontier {

// The results of a simulated crawl.  A distance is from the end of a request to the start of the next; its
// slack is the excess over the required distance, and negative if politeness was violated.
struct SimulationReport {
  uint64_t requests = 0;
  uint64_t pages = 0;    // completed visits: answered, or given up
  uint64_t robots = 0;   // requests for robots.txt
  uint64_t refused = 0;  // by robots.txt
  uint64_t failed = 0;   // requests
  uint64_t bytes = 0;
  uint64_t hosts = 0;  // that received requests
  Duration time{};
  std::optional<Duration> least_host_distance;
  std::optional<Duration> least_address_distance;
  std::optional<Duration> least_host_slack;
  std::optional<Duration> least_address_slack;
  uint64_t out_of_order = 0;       // pages visited after one of the same host and class that was found later
  uint64_t twice = 0;              // pages completed more than once, without a crash between
  uint64_t most_memory_bytes = 0;  // of the frontier
  uint64_t most_awake = 0;         // hosts
  bool finished = false;           // the frontier is empty
};

// Observes a crawl and judges it, without knowing how the frontier works.  It can observe the crawls before
// and after a crash as one.  One thread at a time.
class SimulationJudge {
 public:
  explicit SimulationJudge(const PolitenessOptions& options) : options_(options) {}

  // How often a name, or the robots.txt of an origin, has been requested, including this time.  The web's
  // response depends on this, and it does not forget when the crawler crashes.
  uint32_t AskedFor(const std::string& what) { return ++asked_[what]; }
  void Offered(std::string_view url);
  // A request starts.  `host_delay`: the delay required for its host; `goes_on`: it follows another on the
  // same connection, in a burst.
  void Started(const Visit& visit, MonotonicTime now, Duration host_delay, bool goes_on);
  void Ended(const Visit& visit, const FetchOutcome& outcome);
  // A page is completed, by a response or by being refused or given up ...
  void Done(const Visit& visit);
  // ... and that is committed.
  void Committed(const Visit& visit);
  // Callbacks for each page that is completed, or committed.
  void OnDone(std::function<void(const Visit&)> listener) { on_done_ = std::move(listener); }
  void OnCommitted(std::function<void(const Visit&)> listener) { on_committed_ = std::move(listener); }
  // Uncommitted pages may be visited again.
  void Crashed();

  // The pages done with.
  const std::unordered_set<std::string>& done() const { return done_; }
  SimulationReport& report() { return report_; }

 private:
  const PolitenessOptions options_;
  SimulationReport report_;
  std::function<void(const Visit&)> on_done_;
  std::function<void(const Visit&)> on_committed_;
  std::unordered_map<std::string, uint32_t> asked_;
  std::unordered_map<std::string, MonotonicTime> host_ended_;
  std::unordered_map<std::string, MonotonicTime> address_ended_;
  std::unordered_map<std::string, uint64_t> offered_;             // its position
  std::unordered_map<std::string, uint64_t> last_of_host_class_;  // position of the last one visited
  std::unordered_set<std::string> done_;
  std::unordered_set<std::string> uncommitted_;
};

}  // namespace crivello::frontier
