// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/frontier_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/json.h"
#include "cli/output.h"
#include "frontier/host_queues.h"

namespace crivello::cli {
namespace {

std::string TimeText(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(time));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

// What a host of a collection that no one is crawling waits for.
std::string WaitsFor(const frontier::HostState& state, WallTime now) {
  if (state.given_up) return "given up: " + state.last_error;
  if (state.queued() == 0) return "URLs";
  const WallTime until = std::max(state.next_fetch, state.wake);
  if (until > now) return "its time, " + TimeText(until);
  return "a crawl";
}

}  // namespace

Result<int> PrintFrontier(const Session& session, collection::Collection& collection, uint64_t limit) {
  frontier::HostQueuesCounts sum;
  sieve::SieveStats sieves;
  std::vector<frontier::HostState> top;
  const auto more = [](const frontier::HostState& a, const frontier::HostState& b) {
    return std::pair(b.queued(), std::string_view(a.name)) < std::pair(a.queued(), std::string_view(b.name));
  };
  for (collection::Tablet* const tablet : collection.tablets()) {
    const frontier::HostQueuesCounts counts = tablet->queues().counts();
    sum.hosts += counts.hosts;
    sum.waiting += counts.waiting;
    sum.given_up += counts.given_up;
    sum.items += counts.items;
    sum.enqueued += counts.enqueued;
    const sieve::SieveStats stats = tablet->sieve().stats();
    sieves.waiting += stats.waiting + stats.untaken;
    sieves.known += stats.known;
    // A heap of the best so far, its worst in front.
    CRV_TRY(tablet->queues().ForEachHost([&](uint64_t, const frontier::HostState& state) {
      top.push_back(state);
      std::push_heap(top.begin(), top.end(), more);
      if (top.size() > limit) {
        std::pop_heap(top.begin(), top.end(), more);
        top.pop_back();
      }
      return true;
    }));
  }
  std::sort(top.begin(), top.end(), more);
  const WallTime now = SystemClock().Wall();

  if (session.json) {
    PrintJson(session, {{"hosts", sum.hosts},
                        {"hosts_waiting", sum.waiting},
                        {"hosts_given_up", sum.given_up},
                        {"queued", sum.items},
                        {"enqueued", sum.enqueued},
                        {"in_sieve", sieves.waiting},
                        {"known_urls", sieves.known}});
    for (const frontier::HostState& state : top) {
      PrintJson(session, {{"host", state.name},
                          {"queued", state.queued()},
                          {"fetched", state.fetched},
                          {"failed", state.failed},
                          {"failures_in_a_row", state.failures},
                          {"given_up", state.given_up},
                          {"waits_for", WaitsFor(state, now)},
                          {"address", state.address}});
    }
    return kDone;
  }
  fmt::print(session.out, "{} hosts known, {} with URLs, {} given up; {} URLs queued, {} in the sieve\n",
             Grouped(sum.hosts), Grouped(sum.waiting), Grouped(sum.given_up), Grouped(sum.items),
             Grouped(sieves.waiting));
  if (top.empty()) return kDone;
  Table table({{"host"}, {"queued", true}, {"fetched", true}, {"failed", true}, {"waits for"}});
  for (const frontier::HostState& state : top) {
    table.Row({Printable(state.name), Grouped(state.queued()), Grouped(state.fetched), Grouped(state.failed),
               Printable(WaitsFor(state, now))});
  }
  fmt::print(session.out, "{}", table.ToString());
  return kDone;
}

}  // namespace crivello::cli
