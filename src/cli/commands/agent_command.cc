// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/process_usage.h"
#include "base/random.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/nats_flags.h"
#include "cli/config/crawl_flags.h"
#include "cli/signals.h"
#include "cli/units.h"
#include "cli/version.h"
#include "cluster/agent/cluster_status.h"
#include "cluster/agent/fence_command.h"
#include "cluster/agent/lock_question.h"
#include "cluster/membership/cluster_records.h"
#include "cluster/nats/nats_bus.h"
#include "engine/crawl_agent.h"

namespace crivello::cli {
namespace {

constexpr Duration kAgentLook = std::chrono::milliseconds(200);
constexpr Duration kShortestLease = std::chrono::seconds(8);
constexpr Duration kMakingLimit = std::chrono::seconds(30);  // for another agent to create the collection

struct AgentCommand {
  cluster::NatsOptions nats;
  cluster::SharedCollectionOptions collection;
  CrawlFlags crawl;
  Duration lease = std::chrono::seconds(15);
  std::string fence;
};

// Waits while another agent creates the collection.
Result<std::unique_ptr<engine::CrawlAgent>> StartAgent(cluster::Bus& bus,
                                                       const engine::CrawlAgentOptions& options,
                                                       Signals& signals) {
  const MonotonicTime end = SystemClock().Now() + kMakingLimit;
  for (;;) {
    auto started = engine::CrawlAgent::Start(bus, options);
    const bool busy = !started.ok() && started.status().code() == StatusCode::kUnavailable;
    if (!busy || SystemClock().Now() > end || signals.WaitFor(kAgentLook)) return started;
  }
}

cluster::AgentOptions MembershipOf(const AgentCommand& command, Logger& log) {
  cluster::AgentOptions options;
  options.membership.name = command.collection.agent;
  options.membership.process = RandomSeed();
  options.membership.lease = command.lease;
  options.membership.version = kVersion;
  options.must_exit = [&log] {
    log.Write(LogLevel::kError, "agent.hung",
              "A tablet cannot be closed, and another agent may take it: ending this process.");
    ::_exit(kIoFailure);
  };
  options.on_event = [&log](const Status& status, const std::string& what) {
    log.Write(status.ok() ? LogLevel::kInfo : LogLevel::kWarning, "agent.tablet",
              status.ok() ? what : fmt::format("{}: {}", what, status.message()));
  };
  options.memory_bytes = ResidentBytes;
  if (!command.fence.empty()) {
    options.fence = [fence = command.fence](const std::string& other) {
      return cluster::RunFenceCommand(fence, other);
    };
  }
  return options;
}

void TellConnection(const AgentCommand& command, bool connected, Logger& log) {
  const std::string servers = cluster::WithoutSecrets(command.nats.urls);
  const std::string& name = command.collection.agent;
  if (connected) {
    log.Write(LogLevel::kInfo, "agent.start",
              fmt::format("Agent {} has joined at {}; press Ctrl-C to leave.", name, servers),
              {{"agent", name}, {"collection", command.collection.directory}});
    return;
  }
  log.Write(
      LogLevel::kWarning, "agent.nats",
      fmt::format("Agent {} has no connection to NATS at {}. It keeps trying, and closes its tablets after "
                  "0.8 of a lease.",
                  name, servers));
}

Result<int> RunAgent(const Session& session, AgentCommand command) {
  Signals signals(*session.log);  // before there are threads
  if (!cluster::ValidAgentName(command.collection.agent)) {
    return Status::InvalidArgument(
        fmt::format("invalid name of an agent '{}': expected 1 to 64 letters, digits, '_' and '-'",
                    command.collection.agent));
  }
  if (command.lease < kShortestLease) {
    return Status::InvalidArgument(
        "invalid --lease: expected at least 8s, because NATS writes nothing for some seconds when a server "
        "fails");
  }
  CRV_ASSIGN(crawl::CrawlOptions crawl, FinishCrawlOptions(session, command.crawl));
  CRV_ASSIGN(crawl.contact, Contact(session, crawl));
  SessionListener listener(session);
  crawl.listener = &listener;
  command.collection.bucket = command.nats.bucket;
  command.collection.tablets = crawl.tablets;
  command.collection.sieve = crawl.sieve;
  command.collection.memory_bytes = crawl.memory_bytes;
  command.nats.name = command.collection.agent;
  command.nats.limit = command.lease / 5;
  CRV_ASSIGN(const auto bus, cluster::NatsBus::Open(command.nats));
  Logger& log = *session.log;
  const cluster::AgentOptions member = MembershipOf(command, log);
  const uint64_t process = member.membership.process;
  CRV_ASSIGN(const auto alive,
             cluster::AnswerWhetherAlive(*bus, command.nats.bucket, command.collection.agent, process));
  CRV_ASSIGN(const auto lock_answers,
             cluster::AnswerLockQuestions(*bus, command.nats.bucket, command.collection.agent,
                                          command.collection.directory));
  const std::string& name = command.collection.agent;
  const cluster::LockQuestion question = {.scope = command.nats.bucket,
                                          .folder = command.collection.directory,
                                          .agent = name,
                                          .process = process,
                                          .limit = command.lease / 5};
  CRV_ASSIGN(const auto agent, StartAgent(*bus,
                                          {.software = fmt::format("crivello/{}", kVersion),
                                           .scope = command.nats.bucket,
                                           .collection = command.collection,
                                           .agent = member,
                                           .crawl = std::move(crawl)},
                                          signals));
  bool leaving = false;
  MonotonicTime leave_until = MonotonicTime::max();  // then others take the tablets anyway
  bool locks_are_good = false;
  MonotonicTime next_question = {};
  std::optional<bool> connected;  // as the log says
  while (!leaving || (!agent->left() && SystemClock().Now() < leave_until)) {
    CRV_TRY(agent->status());
    CRV_TRY(bus->refused());
    if (const bool is = bus->connected(); connected != is) TellConnection(command, *(connected = is), log);
    // Before it takes a tablet, which is a lease later at the earliest; again until another agent is there.
    if (!locks_are_good && !leaving && SystemClock().Now() >= next_question) {
      const auto answer = cluster::AskAnotherAgentToLock(*bus, question);
      if (!answer.ok() && answer.status().code() != StatusCode::kUnavailable) return answer.status();
      if (answer.ok() && *answer) {
        locks_are_good = true;
        log.Write(LogLevel::kInfo, "agent.locks", fmt::format("Shared folder: {}.", **answer));
      }
      next_question = SystemClock().Now() + command.lease;
    }
    if (const Status removed = agent->RemoveOldEpochs(); !removed.ok()) {
      log.Write(LogLevel::kWarning, "agent.tablet",
                fmt::format("cannot remove folders of older epochs: {}", removed.message()));
    }
    if (!signals.WaitFor(kAgentLook)) continue;
    if (std::exchange(leaving, true)) break;  // second request: at once
    agent->Leave();
    leave_until = SystemClock().Now() + 3 * command.lease;
  }
  log.Write(LogLevel::kInfo, "agent.end", fmt::format("Agent {} has left.", name), {{"agent", name}});
  return kDone;
}

}  // namespace

void AddAgentCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("agent", "Crawl tablets of a collection that several machines share");
  auto options = std::make_shared<AgentCommand>();
  AddNatsFlags(*command, options->nats);
  command
      ->add_option("--shared", options->collection.directory,
                   "Folder of the collection on a shared file system; made if it is missing")
      ->type_name("DIR")
      ->each([&session](const std::string& folder) { session.collection = folder; })
      ->required();
  command->add_option("--name", options->collection.agent, "Name of this agent, unique in the cluster")
      ->type_name("NAME")
      ->required();
  AddDurationOption(*command, "--lease", options->lease,
                    "After how long without a renewal others take a tablet over (at least 8s)");
  command
      ->add_option("--fence", options->fence,
                   "Shell command that stops an agent whose lease ran out, before its tablets are taken; $1 "
                   "is its name")
      ->type_name("COMMAND");
  AddCrawlRules(*command, options->crawl);
  command->footer(
      "Start one agent on each machine, and give seeds with 'crivello cluster crawl'. Agents agree over NATS "
      "on who has\n"
      "which tablet, and take over those of an agent that fails. Epochs on the shared file system keep a "
      "tablet safe\n"
      "whatever NATS does (docs/cluster.md). Give all agents the same options for the crawl: best in [crawl] "
      "of\n"
      "crivello.toml in the shared folder. Limits such as --max-pages are those of each agent.\n"
      "\n"
      "Examples:\n"
      "  crivello agent --nats nats://one:4222,nats://two:4222 --shared /mnt/shared/web --name red --contact "
      "me@example.org\n"
      "  crivello agent --nats tls://one:4222 --nats-ca ca.pem --shared /mnt/shared/web --name blue --lease "
      "30s");
  Runs(*command, session, [&session, options] { return RunAgent(session, *options); });
}

}  // namespace crivello::cli
