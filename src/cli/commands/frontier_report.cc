// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/frontier_report.h"

#include <fmt/format.h>

#include "base/civil_time.h"
#include "base/clock.h"
#include "cli/json.h"
#include "cli/output.h"

namespace crivello::cli {
namespace {

// What a host waits for, in a collection that nobody is crawling.
std::string WaitsFor(const wire::QueuedHost& host, int64_t now) {
  if (host.given_up) return "given up: " + host.last_error;
  if (host.queued == 0) return "URLs";
  if (host.not_before > now) return "its next time, " + FormatRfc3339(host.not_before);
  return "a crawl";
}

}  // namespace

void PrintFrontier(const Session& session, const wire::Queues& queues) {
  const int64_t now = ToSeconds(SystemClock().Wall());
  if (session.json) {
    PrintJson(session, {{"hosts", queues.hosts},
                        {"hosts_waiting", queues.waiting},
                        {"hosts_given_up", queues.given_up},
                        {"queued", queues.queued},
                        {"enqueued", queues.enqueued},
                        {"in_sieve", queues.in_sieve},
                        {"known_urls", queues.known_urls}});
    for (const wire::QueuedHost& host : queues.top) {
      PrintJson(session, {{"host", host.host},
                          {"queued", host.queued},
                          {"fetched", host.fetched},
                          {"failed", host.failed},
                          {"failures_in_a_row", host.failures_in_a_row},
                          {"given_up", host.given_up},
                          {"waits_for", WaitsFor(host, now)},
                          {"address", host.address}});
    }
    return;
  }
  session.out->Print("{} hosts known, {} with URLs, {} given up; {} URLs queued, {} in the sieve\n",
                     Grouped(queues.hosts), Grouped(queues.waiting), Grouped(queues.given_up),
                     Grouped(queues.queued), Grouped(queues.in_sieve));
  if (queues.top.empty()) return;
  Table table({{"host"}, {"queued", true}, {"fetched", true}, {"failed", true}, {"waits for"}});
  for (const wire::QueuedHost& host : queues.top) {
    table.Row({Printable(host.host), Grouped(host.queued), Grouped(host.fetched), Grouped(host.failed),
               Printable(WaitsFor(host, now))});
  }
  session.out->Print("{}", table.ToString());
}

}  // namespace crivello::cli
