// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/cluster_crawl.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "cli/app.h"
#include "cli/commands/nats_flags.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/units.h"
#include "cluster/agent/cluster_status.h"
#include "cluster/agent/crawl_orders.h"
#include "cluster/nats/nats_bus.h"
#include "policy/seed.h"

namespace crivello::cli {
namespace {

constexpr Duration kAnswerLimit = std::chrono::seconds(2);
constexpr Duration kSeedLimit = std::chrono::seconds(10);  // for one command with seeds
constexpr Duration kLook = std::chrono::milliseconds(500);

struct ClusterCrawlCommand {
  cluster::NatsOptions nats;
  std::vector<std::string> seeds;
  std::string seeds_file;
  bool wait = false;
  Duration limit = std::chrono::minutes(2);
};

Result<std::vector<std::string>> SeedsOf(const ClusterCrawlCommand& command) {
  std::vector<std::string> seeds = command.seeds;
  if (!command.seeds_file.empty()) {
    CRV_ASSIGN(const std::string text, ReadFile(command.seeds_file));
    auto lines = policy::ReadSeedLines(text);
    if (!lines.ok()) return lines.status().WithContext(command.seeds_file);
    seeds.insert(seeds.end(), lines->begin(), lines->end());
  }
  for (const std::string& seed : seeds) CRV_TRY(policy::SeedUrl(seed).status());
  if (seeds.empty() && !command.wait) {
    return Status::InvalidArgument("no seeds: name some URLs, or wait for the end of the crawl with --wait");
  }
  return seeds;
}

// The status of the cluster, once each tablet has an owner.
Result<cluster::ClusterStatus> AwaitOwners(cluster::Bus& bus, const ClusterCrawlCommand& command,
                                           Signals& signals) {
  const MonotonicTime end = SystemClock().Now() + command.limit;
  for (;;) {
    auto status = cluster::ReadClusterStatus(bus, command.nats.bucket, {}, kAnswerLimit);
    if (status.ok() && status->complete()) return status;
    if (SystemClock().Now() > end) {
      CRV_TRY(status.status());
      return Status::Unavailable(
          "some tablets have no owner: start agents ('crivello agent'), or look at 'crivello cluster "
          "status'");
    }
    if (signals.WaitFor(kLook)) return Status::Unavailable("interrupted before the seeds were given");
  }
}

// The owner of the first tablet keeps the seeds; it may change meanwhile.
Status GiveToOwner(cluster::Bus& bus, const ClusterCrawlCommand& command,
                   const std::vector<std::string>& seeds, Signals& signals) {
  const MonotonicTime end = SystemClock().Now() + command.limit;
  for (;;) {
    CRV_ASSIGN(const cluster::ClusterStatus status, AwaitOwners(bus, command, signals));
    const std::string& owner = status.tablets.front().owner;
    const Status given = cluster::GiveSeeds(bus, command.nats.bucket, owner, seeds, kSeedLimit);
    if (given.code() != StatusCode::kUnavailable || SystemClock().Now() > end) return given;
    if (signals.WaitFor(kLook)) return Status::Unavailable("interrupted before the seeds were given");
  }
}

struct Totals {
  uint64_t agents = 0;
  uint64_t pages = 0;
  uint64_t queued = 0;
  uint64_t lag = 0;
};

Totals TotalsOf(const std::vector<cluster::CrawlReport>& reports) {
  Totals totals;
  for (const cluster::CrawlReport& report : reports) {
    totals.agents++;
    totals.pages += report.pages;
    totals.queued += report.queued;
    for (const auto& tablet : report.tablets) totals.lag += tablet.lag_urls;
  }
  return totals;
}

// Waits until each tablet was idle twice, a lease apart.
Result<Totals> AwaitEnd(cluster::Bus& bus, const ClusterCrawlCommand& command, Signals& signals) {
  cluster::CrawlEndWatch watch;
  Totals shown;
  for (;;) {
    const auto status = cluster::ReadClusterStatus(bus, command.nats.bucket, {}, kAnswerLimit);
    if (status.ok() && !status->tablets.empty()) {
      std::vector<std::string> agents;
      for (const auto& agent : status->agents) {
        if (agent.alive) agents.push_back(agent.name);
      }
      const MonotonicTime asked = SystemClock().Now();
      const auto reports = cluster::AskForCrawlReports(bus, command.nats.bucket, agents, kAnswerLimit);
      shown = TotalsOf(reports);
      if (watch.Take(reports, asked, SystemClock().Now())) return shown;
    }
    if (signals.WaitFor(kLook)) {
      return Status::Unavailable("interrupted; the agents continue to crawl");
    }
  }
}

Result<int> RunClusterCrawl(const Session& session, ClusterCrawlCommand command) {
  Signals signals(*session.log);  // before there are threads
  CRV_ASSIGN(const std::vector<std::string> seeds, SeedsOf(command));
  command.nats.name = "crawl";
  command.nats.make_bucket = false;
  CRV_ASSIGN(const auto bus, cluster::NatsBus::Open(command.nats));
  if (!seeds.empty()) {
    CRV_TRY(GiveToOwner(*bus, command, seeds, signals));
    session.log->Write(LogLevel::kInfo, "cluster.seeds",
                       fmt::format("The cluster has taken {}.", Counted(seeds.size(), "seed", "seeds")),
                       {{"seeds", seeds.size()}});
  }
  if (!command.wait) return kDone;
  CRV_ASSIGN(const Totals totals, AwaitEnd(*bus, command, signals));
  if (session.json) {
    PrintJson(session, {{"event", "done"}, {"agents", totals.agents}, {"pages", totals.pages}});
  } else {
    session.out->Print("{} by {}: nothing is left to fetch\n", Counted(totals.pages, "page", "pages"),
                       Counted(totals.agents, "agent", "agents"));
  }
  return kDone;
}

}  // namespace

void AddClusterCrawl(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("crawl", "Give seeds to the agents of a cluster, and wait for the end");
  auto options = std::make_shared<ClusterCrawlCommand>();
  AddNatsFlags(*command, options->nats);
  command->add_option("SEED", options->seeds, "URLs to start from");
  command->add_option("--seeds", options->seeds_file, "File of seeds, one URL per line")->type_name("FILE");
  command->add_flag("--wait", options->wait, "Wait until nothing is left to fetch");
  AddDurationOption(*command, "--limit", options->limit, "How long to wait until each tablet has an owner");
  command->footer(
      "Seeds are kept with the collection, and make its scope. The crawl is over when each tablet has "
      "nothing "
      "to fetch\n"
      "and nothing to send, twice, one lease apart. Ctrl-C ends the waiting, and not the crawl.\n"
      "\n"
      "Examples:\n"
      "  crivello cluster crawl --nats nats://one:4222 https://example.org/\n"
      "  crivello cluster crawl --nats nats://one:4222 --seeds seeds.txt --wait");
  Runs(*command, session, [&session, options] { return RunClusterCrawl(session, *options); });
}

}  // namespace crivello::cli
