// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <span>

#include "base/atomic_file.h"
#include "base/random.h"
#include "cli/app.h"
#include "cli/commands/cluster_crawl.h"
#include "cli/commands/nats_flags.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"
#include "cluster/agent/cluster_status.h"
#include "cluster/assign/assignment.h"
#include "cluster/assign/assignment_simulation.h"
#include "cluster/assign/bounded_loads.h"
#include "cluster/fence/file_system_probe.h"
#include "cluster/nats/nats_bus.h"
#include "collection/collection.h"
#include "web/url/tablet_id.h"

namespace crivello::cli {
namespace {

constexpr const char* kBounded = "bounded";  // min-hashing with bounded loads

struct AssignCommand {
  std::vector<std::string> keys;
  std::vector<std::string> agents;
  std::string function = kBounded;
  double epsilon = cluster::kDefaultEpsilon;
  uint64_t chain = 3;
  bool simulate = false;
  std::string plot;
  cluster::AssignmentSimulationOptions simulation;
};

// "NAME" or "NAME=WEIGHT".
Result<cluster::Member> ParseMember(const std::string& text) {
  const size_t sign = text.rfind('=');
  if (sign == std::string::npos) return cluster::Member{.name = text};
  cluster::Member member = {.name = text.substr(0, sign)};
  try {
    size_t end = 0;
    member.weight = std::stod(text.substr(sign + 1), &end);
    if (sign + 1 + end == text.size()) return member;
  } catch (const std::exception&) {
    // std::stod reports errors only by exceptions.
  }
  return Status::InvalidArgument(fmt::format("invalid weight in '{}': expected NAME=NUMBER", text));
}

void PrintOwners(const Session& session, const std::vector<std::string>& keys,
                 const std::vector<std::vector<std::string>>& chains) {
  Table table({{"tablet or host"}, {"owner"}, {"then"}});
  std::map<std::string, uint64_t> loads;
  for (size_t i = 0; i < keys.size(); i++) {
    const std::span<const std::string> then = std::span(chains[i]).subspan(1);
    loads[chains[i].front()]++;
    if (session.json) {
      PrintJson(session, {{"key", keys[i]},
                          {"owner", chains[i].front()},
                          {"then", std::vector<std::string>(then.begin(), then.end())}});
    } else {
      table.Row({Printable(keys[i]), Printable(chains[i].front()),
                 Printable(fmt::format("{}", fmt::join(then, " ")))});
    }
  }
  if (session.json) return;
  session.out->Print("{}\n", table.ToString());
  Table totals({{"agent"}, {"owns", true}});
  for (const auto& [agent, load] : loads) totals.Row({Printable(agent), Grouped(load)});
  session.out->Print("{}", totals.ToString());
}

Result<int> ShowOwners(const Session& session, const AssignCommand& command) {
  std::vector<cluster::Member> members;
  for (const std::string& text : command.agents) {
    CRV_ASSIGN(cluster::Member member, ParseMember(text));
    members.push_back(std::move(member));
  }
  for (uint64_t i = 1; members.size() < command.simulation.agents && command.agents.empty(); i++) {
    members.push_back({.name = fmt::format("agent-{:02}", i)});
  }
  std::vector<std::string> keys = command.keys;
  if (keys.empty()) {
    if (command.simulation.tablets > UINT32_MAX) return Status::InvalidArgument("too many tablets");
    CRV_ASSIGN(const web::TabletMap tablets,
               web::TabletMap::Uniform(static_cast<uint32_t>(command.simulation.tablets)));
    for (uint32_t slot = 0; slot < tablets.size(); slot++) keys.push_back(tablets.id(slot).Name());
  }
  const bool bounded = command.function == kBounded;
  CRV_ASSIGN(const auto assignment, cluster::MakeAssignment(bounded ? "min-hash" : command.function, members,
                                                            {.replicas = command.simulation.replicas}));
  std::vector<uint32_t> owners;
  if (bounded) {
    CRV_ASSIGN(const auto assigned, cluster::AssignTablets(keys, assignment->agents(), command.epsilon));
    owners = assigned.owners;
  }
  std::vector<std::vector<std::string>> chains;
  for (size_t i = 0; i < keys.size(); i++) {
    std::vector<uint32_t> chain = assignment->Chain(cluster::AssignmentKey(keys[i]), members.size());
    if (bounded) {
      std::erase(chain, owners[i]);
      chain.insert(chain.begin(), owners[i]);
    }
    chain.resize(std::min<size_t>(chain.size(), std::max<uint64_t>(command.chain, 1)));
    std::vector<std::string>& names = chains.emplace_back();
    for (const uint32_t agent : chain) names.push_back(assignment->agents()[agent]);
  }
  PrintOwners(session, keys, chains);
  return kDone;
}

// JSON has no infinity.
Json EpsilonJson(double epsilon) { return std::isfinite(epsilon) ? Json(epsilon) : Json(nullptr); }
std::string EpsilonText(double epsilon) {
  return std::isfinite(epsilon) ? fmt::format("{}", epsilon) : "no bound";
}
std::string Percent(double share) { return fmt::format("{:.2f}%", 100 * share); }

void PrintJsonSimulation(const Session& session, const cluster::AssignmentSimulation& simulation) {
  for (const auto& one : simulation.functions) {
    PrintJson(session, {{"experiment", "functions"},
                        {"function", one.function},
                        {"agents", simulation.options.agents},
                        {"keys", simulation.options.keys},
                        {"deviation", one.deviation},
                        {"deviation_formula", one.deviation_formula},
                        {"most", one.most},
                        {"moved_by_join", one.joined},
                        {"moved_by_join_formula", one.joined_formula},
                        {"moved_by_leave", one.left},
                        {"moved_by_leave_formula", one.left_formula},
                        {"cpu_nanoseconds", one.cpu_nanoseconds},
                        {"memory_bytes", one.memory_bytes},
                        {"loads", one.loads}});
  }
  for (const auto& one : simulation.replicas) {
    PrintJson(session, {{"experiment", "replicas"},
                        {"replicas", one.replicas},
                        {"agents", simulation.options.agents},
                        {"deviation", one.deviation},
                        {"deviation_formula", one.deviation_formula},
                        {"most", one.most},
                        {"cpu_nanoseconds", one.cpu_nanoseconds},
                        {"memory_bytes", one.memory_bytes}});
  }
  for (const auto& one : simulation.epsilons) {
    PrintJson(session, {{"experiment", "epsilon"},
                        {"epsilon", EpsilonJson(one.epsilon)},
                        {"agents", simulation.options.agents},
                        {"tablets", simulation.options.tablets},
                        {"limit", one.limit},
                        {"deviation", one.deviation},
                        {"most", one.most},
                        {"join_needed", one.joined_needed},
                        {"join_extra", one.joined_extra},
                        {"leave_needed", one.left_needed},
                        {"leave_extra", one.left_extra},
                        {"cpu_microseconds", one.cpu_microseconds}});
  }
}

void PrintSimulation(const Session& session, const cluster::AssignmentSimulation& simulation) {
  const auto& options = simulation.options;
  session.out->Print("{} keys on {} agents (expected values in brackets)\n", Grouped(options.keys),
                     Grouped(options.agents));
  Table functions({{"function"},
                   {"deviation", true},
                   {"largest/mean", true},
                   {"moved by join", true},
                   {"moved by leave", true},
                   {"ns/call", true},
                   {"memory", true}});
  for (const auto& one : simulation.functions) {
    functions.Row({one.function,
                   fmt::format("{} ({})", Percent(one.deviation), Percent(one.deviation_formula)),
                   fmt::format("{:.3f}", one.most),
                   fmt::format("{} ({})", Percent(one.joined), Percent(one.joined_formula)),
                   fmt::format("{} ({})", Percent(one.left), Percent(one.left_formula)),
                   fmt::format("{:.0f}", one.cpu_nanoseconds), FormatSize(one.memory_bytes)});
  }
  session.out->Print("{}\nConsistent hashing by number of replicas, {} sets of agents\n",
                     functions.ToString(), options.clusters);
  Table replicas(
      {{"replicas", true}, {"deviation", true}, {"largest/mean", true}, {"ns/call", true}, {"memory", true}});
  for (const auto& one : simulation.replicas) {
    replicas.Row({Grouped(one.replicas),
                  fmt::format("{} ({})", Percent(one.deviation), Percent(one.deviation_formula)),
                  fmt::format("{:.3f}", one.most), fmt::format("{:.0f}", one.cpu_nanoseconds),
                  FormatSize(one.memory_bytes)});
  }
  session.out->Print(
      "{}\n{} tablets by min-hashing with bounded loads, {} sets of agents: tablets that move when one agent "
      "joins "
      "or leaves\n",
      replicas.ToString(), Grouped(options.tablets), options.clusters);
  Table epsilons({{"epsilon", true},
                  {"limit", true},
                  {"largest load", true},
                  {"deviation", true},
                  {"join: needed", true},
                  {"extra", true},
                  {"leave: needed", true},
                  {"extra", true},
                  {"us/assignment", true}});
  for (const auto& one : simulation.epsilons) {
    epsilons.Row({EpsilonText(one.epsilon), Grouped(one.limit), fmt::format("{:.1f}", one.most),
                  Percent(one.deviation), fmt::format("{:.1f}", one.joined_needed),
                  fmt::format("{:.1f}", one.joined_extra), fmt::format("{:.1f}", one.left_needed),
                  fmt::format("{:.1f}", one.left_extra), fmt::format("{:.0f}", one.cpu_microseconds)});
  }
  session.out->Print("{}", epsilons.ToString());
}

Result<int> Simulate(const Session& session, AssignCommand& command) {
  if (!command.agents.empty()) command.simulation.agents = command.agents.size();
  const auto progress = MakeProgress(session);
  CRV_ASSIGN(const auto simulation, cluster::SimulateAssignment(command.simulation, *progress));
  session.json ? PrintJsonSimulation(session, simulation) : PrintSimulation(session, simulation);
  if (!command.plot.empty()) {
    CRV_TRY(WriteFileAtomically(command.plot, AsBytes(cluster::PlotAssignment(simulation))));
  }
  return kDone;
}

void AddAssign(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("assign", "Show which agent owns which tablet, or measure the functions");
  auto options = std::make_shared<AssignCommand>();
  command->add_option("KEY", options->keys, "Tablets or hosts to assign (default: all tablets)");
  command->add_option("--agent", options->agents, "Name of an agent, optionally with its weight: NAME=WEIGHT")
      ->type_name("NAME");
  AddCountOption(*command, "--agents", options->simulation.agents, "Number of agents, if none are named");
  std::vector<std::string> names = {kBounded};
  std::string about = std::string("Assignment function.\n  ") + kBounded + ": min-hashing with bounded loads";
  for (const auto& kind : cluster::AssignmentKinds()) {
    names.emplace_back(kind.name);
    about += fmt::format("\n  {}: {}", kind.name, kind.about);
  }
  command->add_option("--function", options->function, about)
      ->check(CLI::IsMember(names))
      ->type_name("FUNCTION");
  command->add_option("--epsilon", options->epsilon,
                      "An agent gets at most (1 + epsilon) times the mean number of tablets, rounded up");
  AddCountOption(*command, "--tablets", options->simulation.tablets, "Number of tablets, a power of two");
  command
      ->add_option("--replicas", options->simulation.replicas,
                   "Replicas of an agent of weight 1 on the circle")
      ->check(Positive())
      ->type_name("N");
  AddCountOption(*command, "--chain", options->chain,
                 "Number of agents to show for each key, the owner included");
  command->add_flag("--simulate", options->simulate,
                    "Measure balance, keys moved when an agent joins or leaves, and cost of all functions");
  AddCountOption(*command, "--keys", options->simulation.keys, "Number of keys to simulate");
  AddCountOption(*command, "--clusters", options->simulation.clusters,
                 "Sets of agents to average over in a simulation");
  command->add_option("--plot", options->plot, "Write an SVG plot of the simulation")->type_name("FILE");
  command->footer(
      "Every agent computes owners alone, from the names of the agents that are alive (docs/cluster.md). "
      "Nothing is\n"
      "contacted and nothing is changed.\n"
      "\n"
      "Examples:\n"
      "  crivello cluster assign --agent red --agent green --agent blue --tablets 16\n"
      "  crivello cluster assign --agents 5 --function consistent example.org example.com\n"
      "  crivello cluster assign --simulate --agents 10 --keys 1M --plot assignment.svg");
  Runs(*command, session, [&session, options] {
    return options->simulate ? Simulate(session, *options) : ShowOwners(session, *options);
  });
}

struct ProbeCommand {
  std::string folder;
  Duration wait = {};
};

std::string_view VerdictName(cluster::ProbeVerdict verdict) {
  switch (verdict) {
    case cluster::ProbeVerdict::kGood:
      return "good";
    case cluster::ProbeVerdict::kBad:
      return "bad";
    case cluster::ProbeVerdict::kUnknown:
      break;
  }
  return "-";
}

Result<int> ProbeFolder(const Session& session, const ProbeCommand& command) {
  CRV_ASSIGN(
      const auto findings,
      cluster::ProbeFileSystem({.folder = command.folder, .nonce = RandomSeed(), .wait = command.wait}));
  Table table({{"check"}, {"verdict"}, {"detail"}});
  bool bad = false;
  for (const cluster::ProbeFinding& finding : findings) {
    bad |= finding.verdict == cluster::ProbeVerdict::kBad;
    if (session.json) {
      PrintJson(
          session,
          {{"check", finding.check}, {"verdict", VerdictName(finding.verdict)}, {"detail", finding.detail}});
    } else {
      table.Row({finding.check, std::string(VerdictName(finding.verdict)), Printable(finding.detail)});
    }
  }
  if (!session.json) session.out->Print("{}", table.ToString());
  return bad ? kNothingFound : kDone;
}

void AddProbe(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("probe", "Check whether a shared file system is good enough for a cluster");
  auto options = std::make_shared<ProbeCommand>();
  command->add_option("DIR", options->folder, "Folder on the shared file system")->required();
  AddDurationOption(*command, "--wait", options->wait,
                    "How long to wait for the same command on a second machine (0: check alone)")
      ->default_str("0");
  command->footer(
      "Run it on two machines at the same time, with the same folder. It checks locks, hard links, renames, "
      "syncs, and\n"
      "whether a machine sees at once what the other one did. Exit code 1 if a check fails.\n"
      "\n"
      "Examples:\n"
      "  crivello cluster probe /mnt/shared --wait 1m");
  Runs(*command, session, [&session, options] { return ProbeFolder(session, *options); });
}

struct StatusCommand {
  cluster::NatsOptions nats;
  std::string shared;
};

Result<cluster::ClusterStatus> AskCluster(cluster::NatsBus& bus, const StatusCommand& command) {
  std::vector<std::string> tablets;
  if (!command.shared.empty()) {
    const auto listed = collection::Collection::ListTablets(command.shared);
    if (listed.status().code() == StatusCode::kNotFound) {
      return Status::NotFound(fmt::format(
          "{}: no collection is there; agents make it when they start ('crivello agent')", command.shared));
    }
    CRV_ASSIGN(const web::TabletMap map, listed);
    for (uint32_t slot = 0; slot < map.size(); slot++) tablets.push_back(map.id(slot).Name());
  }
  return cluster::ReadClusterStatus(bus, command.nats.bucket, tablets, std::chrono::seconds(1));
}

void PrintClusterStatus(const Session& session, const cluster::ClusterStatus& status) {
  if (session.json) {
    Json agents = Json::array();
    for (const auto& agent : status.agents) {
      agents.push_back({{"name", agent.name},
                        {"alive", agent.alive},
                        {"leaving", agent.leaving},
                        {"version", agent.version},
                        {"tablets", agent.tablets},
                        {"memory", agent.memory_bytes}});
    }
    Json tablets = Json::array();
    for (const auto& tablet : status.tablets) {
      tablets.push_back({{"tablet", tablet.tablet},
                         {"owner", tablet.owner.empty() ? Json(nullptr) : Json(tablet.owner)},
                         {"epoch", tablet.epoch},
                         {"state", tablet.state},
                         {"lag_urls", tablet.lag_urls}});
    }
    PrintJson(session, {{"agents", agents}, {"tablets", tablets}});
    return;
  }
  Table agents({{"agent"}, {"state"}, {"version"}, {"tablets", true}, {"memory", true}});
  for (const auto& agent : status.agents) {
    agents.Row({agent.name,
                !agent.alive    ? "no answer"
                : agent.leaving ? "leaving"
                                : "alive",
                agent.version, Grouped(agent.tablets), FormatSize(agent.memory_bytes)});
  }
  Table tablets({{"tablet"}, {"owner"}, {"epoch", true}, {"state"}, {"lag", true}});
  for (const auto& tablet : status.tablets) {
    tablets.Row({Printable(tablet.tablet), tablet.owner.empty() ? "-" : tablet.owner, Grouped(tablet.epoch),
                 tablet.state, Grouped(tablet.lag_urls)});
  }
  session.out->Print("{}\n{}", agents.ToString(), tablets.ToString());
}

void AddStatus(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("status", "Show the agents of a cluster and who owns which tablet");
  auto options = std::make_shared<StatusCommand>();
  AddNatsFlags(*command, options->nats);
  command
      ->add_option("--shared", options->shared,
                   "Folder of the collection: lists also tablets that no agent has taken yet")
      ->type_name("DIR");
  command->footer(
      "Exit code 1 if a tablet has no owner that answers.\n"
      "\n"
      "Examples:\n"
      "  crivello cluster status --nats nats://one:4222\n"
      "  crivello cluster status --nats nats://one:4222 --shared /mnt/shared/web --json");
  Runs(*command, session, [&session, options]() -> Result<int> {
    options->nats.name = "status";
    options->nats.make_bucket = false;
    CRV_ASSIGN(const auto bus, cluster::NatsBus::Open(options->nats));
    CRV_ASSIGN(const cluster::ClusterStatus status, AskCluster(*bus, *options));
    PrintClusterStatus(session, status);
    return status.complete() ? kDone : kNothingFound;
  });
}

}  // namespace

void AddClusterCommand(CLI::App& app, Session& session) {
  CLI::App* cluster = app.add_subcommand("cluster", "Share a collection between several machines");
  cluster->require_subcommand(1);
  AddAssign(*cluster, session);
  AddProbe(*cluster, session);
  AddStatus(*cluster, session);
  AddClusterCrawl(*cluster, session);
}

}  // namespace crivello::cli
