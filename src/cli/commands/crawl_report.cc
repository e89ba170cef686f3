// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/crawl_report.h"

#include <fmt/format.h>

#include "charset/escape.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/units.h"

namespace crivello::cli {
namespace {

using wire::HostReport;
using wire::SeedReport;

std::string Note(const HostReport& host) {
  if (host.given_up) return "given up: " + host.last_error;
  if (!host.last_error.empty()) return "last error: " + host.last_error;
  if (!host.mirror_of.empty()) {
    return fmt::format("mirror of {}: they have {} pages in common", host.mirror_of, Grouped(host.mirrored));
  }
  return host.queued > 0 ? "not finished" : "";
}

std::string Share(uint64_t part, uint64_t whole) {
  if (part == 0 || whole == 0) return "0";
  return fmt::format("{:.0f}%", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

void PrintCsv(const Session& session, const std::vector<HostReport>& hosts) {
  session.out->Print("host,pages,2xx,3xx,4xx,5xx,bytes,copies,near_copies,queued,failed,refused,note\r\n");
  for (const HostReport& host : hosts) {
    session.out->Print("{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", charset::CsvCell(host.host), host.pages,
                       host.statuses[2], host.statuses[3], host.statuses[4], host.statuses[5], host.bytes,
                       host.copies, host.near_copies, host.queued, host.failed, host.refused,
                       charset::CsvCell(Note(host)));
  }
}

void PrintJsonLines(const Session& session, const std::vector<SeedReport>& seeds,
                    const std::vector<HostReport>& hosts) {
  for (const SeedReport& seed : seeds) {
    Json line = {{"seed", seed.url}, {"status", seed.status}, {"outcome", seed.sentence}};
    if (!seed.location.empty()) line["location"] = seed.location;
    PrintJson(session, line);
  }
  for (const HostReport& host : hosts) {
    PrintJson(session, {{"host", host.host},
                        {"pages", host.pages},
                        {"2xx", host.statuses[2]},
                        {"3xx", host.statuses[3]},
                        {"4xx", host.statuses[4]},
                        {"5xx", host.statuses[5]},
                        {"bytes", host.bytes},
                        {"revisits", host.revisits},
                        {"copies", host.copies},
                        {"near_copies", host.near_copies},
                        {"mirror_of", host.mirror_of},
                        {"mirrored", host.mirrored},
                        {"truncated", host.truncated},
                        {"queued", host.queued},
                        {"failed", host.failed},
                        {"refused", host.refused},
                        {"given_up", host.given_up},
                        {"note", Note(host)}});
  }
}

}  // namespace

Result<int> PrintReport(const Session& session, wire::CollectionService& service, Listener& listener,
                        const ReportFlags& flags) {
  CRV_ASSIGN(const wire::HostReports host_reports, service.Ask(wire::HostReportsRequest(), listener));
  const std::vector<HostReport>& hosts = host_reports.hosts;
  if (flags.csv) {
    PrintCsv(session, hosts);
    return kDone;
  }
  CRV_ASSIGN(const wire::SeedReports seed_reports, service.Ask(wire::SeedReportsRequest(), listener));
  const std::vector<SeedReport>& seeds = seed_reports.seeds;
  if (session.json) {
    PrintJsonLines(session, seeds, hosts);
    return kDone;
  }
  Table seed_table({{"seed"}, {"outcome"}});
  for (const SeedReport& seed : seeds) seed_table.Row({Printable(seed.url), Printable(seed.sentence)});
  Table host_table({{"host"},
                    {"pages", true},
                    {"2xx", true},
                    {"3xx", true},
                    {"4xx", true},
                    {"5xx", true},
                    {"bytes", true},
                    {"copies", true},
                    {"near", true},
                    {"queued", true},
                    {"failed", true},
                    {"refused", true},
                    {""}});
  HostReport sum;
  for (const HostReport& host : hosts) {
    host_table.Row({Printable(host.host), Grouped(host.pages), Grouped(host.statuses[2]),
                    Grouped(host.statuses[3]), Grouped(host.statuses[4]), Grouped(host.statuses[5]),
                    FormatSize(host.bytes), Share(host.copies, host.statuses[2]),
                    Share(host.near_copies, host.statuses[2]), Grouped(host.queued), Grouped(host.failed),
                    Grouped(host.refused), Printable(Note(host))});
    sum.pages += host.pages;
    sum.bytes += host.bytes;
    sum.queued += host.queued;
  }
  session.out->Print("{}\n{}\n{}, {} on {}; {} queued\n", seed_table.ToString(), host_table.ToString(),
                     Counted(sum.pages, "page", "pages"), FormatSize(sum.bytes),
                     Counted(hosts.size(), "host", "hosts"), Counted(sum.queued, "URL is", "URLs are"));
  return hosts.empty() ? kNothingFound : kDone;
}

}  // namespace crivello::cli
