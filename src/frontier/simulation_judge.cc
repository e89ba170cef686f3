// SPDX-License-Identifier: Apache-2.0
#include "frontier/simulation_judge.h"

#include <algorithm>
#include <iterator>

namespace crivello::frontier {
namespace {

void KeepLeast(std::optional<Duration>* least, Duration value) {
  if (!*least || value < **least) *least = value;
}

}  // namespace

void SimulationJudge::Offered(std::string_view url) {
  offered_.try_emplace(std::string(url), offered_.size());
}

void SimulationJudge::Started(const Visit& visit, MonotonicTime now, Duration host_delay, bool goes_on) {
  report_.requests++;
  if (visit.kind == UrlKind::kRobots) report_.robots++;
  const auto host = host_ended_.find(visit.host);
  if (host == host_ended_.end()) {
    report_.hosts++;
  } else if (!goes_on) {
    KeepLeast(&report_.least_host_distance, now - host->second);
    KeepLeast(&report_.least_host_slack, now - host->second - host_delay);
  }
  const auto address = address_ended_.find(visit.address);
  if (address != address_ended_.end() && !goes_on) {
    KeepLeast(&report_.least_address_distance, now - address->second);
    KeepLeast(&report_.least_address_slack, now - address->second - options_.address_delay);
  }
  // A second request that starts before this one has ended gets a negative distance.
  const MonotonicTime never(Duration::max() / 2);
  host_ended_[visit.host] = never;
  address_ended_[visit.address] = never;
}

void SimulationJudge::Ended(const Visit& visit, const FetchOutcome& outcome) {
  host_ended_[visit.host] = outcome.ended;
  address_ended_[visit.address] = outcome.ended;
  report_.bytes += outcome.bytes;
  if (outcome.result != FetchResult::kAnswered || outcome.status >= 500 || outcome.status == 429)
    report_.failed++;
}

void SimulationJudge::Done(const Visit& visit) {
  report_.pages++;
  if (on_done_) on_done_(visit);
  if (!done_.insert(visit.url).second) report_.twice++;
  uncommitted_.insert(visit.url);
  if (visit.attempt > 1) return;  // failed URLs go to the end of the queue again
  const uint64_t place = offered_[visit.url];
  uint64_t& last = last_of_host_class_[visit.host + " " + std::to_string(visit.priority)];
  if (place < last) report_.out_of_order++;
  last = std::max(last, place);
}

void SimulationJudge::Committed(const Visit& visit) {
  // A visit that must be retried is also committed, but not completed.
  if (uncommitted_.erase(visit.url) != 0 && on_committed_) on_committed_(visit);
}

void SimulationJudge::Crashed() {
  for (const auto& url : uncommitted_) done_.erase(url);
  uncommitted_.clear();
  last_of_host_class_.clear();
  // Requests in progress ended with the process.
  for (auto* ends : {&host_ended_, &address_ended_}) {
    for (auto it = ends->begin(); it != ends->end();)
      it = it->second == MonotonicTime(Duration::max() / 2) ? ends->erase(it) : std::next(it);
  }
}

}  // namespace crivello::frontier
