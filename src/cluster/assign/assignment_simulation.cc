// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/assignment_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/process_usage.h"
#include "base/random.h"
#include "cluster/assign/assignment.h"
#include "cluster/assign/bounded_loads.h"
#include "cluster/assign/consistent_hashing.h"

namespace crivello::cluster {
namespace {

constexpr uint32_t kReplicas[] = {1, 3, 10, 30, 100, 300, 1000, 3000};
constexpr double kEpsilons[] = {
    0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, std::numeric_limits<double>::infinity()};
constexpr uint64_t kTimedCalls = 20'000;

using NamesOfAgents = std::vector<std::string>;

NamesOfAgents SimulatedAgents(uint64_t cluster, uint64_t count) {
  NamesOfAgents names;
  for (uint64_t i = 0; i < count; i++) names.push_back(fmt::format("c{:03}-agent{:05}", cluster, i));
  return names;
}

double DeviationOf(const std::vector<double>& relative) {
  double squares = 0;
  for (const double load : relative) squares += (load - 1) * (load - 1);
  return std::sqrt(squares / static_cast<double>(relative.size()));
}

double LargestOf(const std::vector<double>& relative) {
  return *std::max_element(relative.begin(), relative.end());
}

// CPU time of a call of Owner().
double NanosecondsPerCall(const Assignment& assignment, uint64_t seed) {
  SeededRandom random(seed);
  uint64_t sum = 0;
  uint64_t calls = 0;
  const double start = CpuSeconds();
  double passed = 0;
  // Long enough for the clock to see it, however fast the function is.
  for (passed = 0; passed < 0.01; passed = CpuSeconds() - start) {
    for (uint64_t i = 0; i < kTimedCalls; i++) sum += assignment.Owner(random.Next());
    calls += kTimedCalls;
  }
  [[maybe_unused]] volatile uint64_t used = sum;
  return passed * 1e9 / static_cast<double>(calls);
}

Result<FunctionMeasure> MeasureFunction(const AssignmentKind& kind,
                                        const AssignmentSimulationOptions& options) {
  const uint64_t count = options.agents;
  const NamesOfAgents names = SimulatedAgents(0, count + 1);
  const AssignmentOptions make = {.universe = names, .replicas = options.replicas};
  const auto among = [&](uint64_t n) {
    return MakeAssignment(kind.name, MembersNamed(std::span(names).first(n)), make);
  };
  CRV_ASSIGN(const auto now, among(count));
  CRV_ASSIGN(const auto joined, among(count + 1));
  CRV_ASSIGN(const auto left, among(count - 1));

  FunctionMeasure measure = {.function = std::string(kind.name)};
  measure.loads.assign(count, 0);
  SeededRandom random(options.seed);
  uint64_t joins = 0;
  uint64_t leaves = 0;
  for (uint64_t i = 0; i < options.keys; i++) {
    const uint64_t key = random.Next();
    const uint32_t owner = now->Owner(key);
    measure.loads[owner]++;
    joins += joined->Owner(key) != owner ? 1 : 0;
    leaves += left->Owner(key) != owner ? 1 : 0;
  }
  const auto keys = static_cast<double>(options.keys);
  const auto agents = static_cast<double>(count);
  std::vector<double> relative;
  for (const uint64_t load : measure.loads) relative.push_back(static_cast<double>(load) * agents / keys);
  measure.deviation = DeviationOf(relative);
  measure.most = LargestOf(relative);
  const bool is_circle = dynamic_cast<const ConsistentHashing*>(now.get()) != nullptr;
  const double of_shares = is_circle ? (agents - 1) / (agents * options.replicas + 1) : 0;
  measure.deviation_formula = std::sqrt(of_shares + (agents - 1) / keys);
  measure.joined = static_cast<double>(joins) / keys;
  measure.left = static_cast<double>(leaves) / keys;
  measure.joined_formula = (kind.is_contravariant ? 1 : agents) / (agents + 1);
  measure.left_formula = (kind.is_contravariant ? 1 : agents - 1) / agents;
  measure.cpu_nanoseconds = NanosecondsPerCall(*now, options.seed);
  measure.memory_bytes = now->memory_bytes();
  return measure;
}

Result<ReplicasMeasure> MeasureReplicas(uint32_t replicas, const AssignmentSimulationOptions& options) {
  ReplicasMeasure measure = {.replicas = replicas};
  const auto agents = static_cast<double>(options.agents);
  std::vector<double> relative;
  for (uint64_t cluster = 0; cluster < options.clusters; cluster++) {
    CRV_ASSIGN(const auto made,
               ConsistentHashing::Make(MembersNamed(SimulatedAgents(cluster, options.agents)), replicas));
    const auto& circle = dynamic_cast<const ConsistentHashing&>(*made);
    std::vector<double> shares = circle.Shares();
    for (double& share : shares) share *= agents;
    measure.most += LargestOf(shares) / static_cast<double>(options.clusters);
    relative.insert(relative.end(), shares.begin(), shares.end());
    if (cluster > 0) continue;
    measure.cpu_nanoseconds = NanosecondsPerCall(circle, options.seed);
    measure.memory_bytes = circle.memory_bytes();
  }
  measure.deviation = DeviationOf(relative);
  measure.deviation_formula = std::sqrt((agents - 1) / (agents * replicas + 1));
  return measure;
}

// Tablets that change hands: those that `special` gets or loses, and the others.
struct TabletMoves {
  uint64_t needed = 0;
  uint64_t extra = 0;
};
TabletMoves CountMoves(const TabletAssignment& before, const TabletAssignment& after,
                       const std::string& special) {
  TabletMoves moves;
  for (size_t i = 0; i < before.owners.size(); i++) {
    const std::string& from = before.agents[before.owners[i]];
    const std::string& to = after.agents[after.owners[i]];
    if (from == to) continue;
    (from == special || to == special ? moves.needed : moves.extra)++;
  }
  return moves;
}

Result<EpsilonMeasure> MeasureEpsilon(double epsilon, const AssignmentSimulationOptions& options) {
  EpsilonMeasure measure = {.epsilon = epsilon};
  std::vector<std::string> tablets;
  for (uint64_t i = 0; i < options.tablets; i++) tablets.push_back(fmt::format("tablet{:06}", i));
  const auto clusters = static_cast<double>(options.clusters);
  std::vector<double> relative;
  double seconds = 0;
  for (uint64_t cluster = 0; cluster < options.clusters; cluster++) {
    const NamesOfAgents names = SimulatedAgents(cluster, options.agents + 1);
    const std::span<const std::string> all = names;
    const double start = CpuSeconds();
    CRV_ASSIGN(const TabletAssignment now, AssignTablets(tablets, all.first(options.agents), epsilon));
    seconds += CpuSeconds() - start;
    CRV_ASSIGN(const TabletAssignment joined, AssignTablets(tablets, all, epsilon));
    CRV_ASSIGN(const TabletAssignment left, AssignTablets(tablets, all.first(options.agents - 1), epsilon));
    std::vector<double> loads(options.agents, 0);
    for (const uint32_t owner : now.owners) loads[owner]++;
    measure.limit = now.limit;
    measure.most += LargestOf(loads) / clusters;
    for (const double load : loads) {
      relative.push_back(load * static_cast<double>(options.agents) / static_cast<double>(options.tablets));
    }
    const TabletMoves join = CountMoves(now, joined, names[options.agents]);
    const TabletMoves leave = CountMoves(now, left, names[options.agents - 1]);
    measure.joined_needed += static_cast<double>(join.needed) / clusters;
    measure.joined_extra += static_cast<double>(join.extra) / clusters;
    measure.left_needed += static_cast<double>(leave.needed) / clusters;
    measure.left_extra += static_cast<double>(leave.extra) / clusters;
  }
  measure.deviation = DeviationOf(relative);
  measure.cpu_microseconds = seconds * 1e6 / clusters;
  return measure;
}

}  // namespace

Result<AssignmentSimulation> SimulateAssignment(const AssignmentSimulationOptions& options,
                                                Progress& progress) {
  if (options.agents < 2) {
    return Status::InvalidArgument(fmt::format("{} agents: a simulation needs at least 2", options.agents));
  }
  if (options.keys == 0 || options.tablets == 0 || options.clusters == 0 || options.replicas == 0) {
    return Status::InvalidArgument("a simulation needs at least 1 key, tablet, cluster and replica");
  }
  AssignmentSimulation simulation = {.options = options, .functions = {}, .replicas = {}, .epsilons = {}};
  progress.Start("simulating", AssignmentKinds().size() + std::size(kReplicas) + std::size(kEpsilons));
  for (const AssignmentKind& kind : AssignmentKinds()) {
    CRV_ASSIGN(FunctionMeasure measure, MeasureFunction(kind, options));
    simulation.functions.push_back(std::move(measure));
    progress.Advance(1);
  }
  for (const uint32_t replicas : kReplicas) {
    CRV_ASSIGN(ReplicasMeasure measure, MeasureReplicas(replicas, options));
    simulation.replicas.push_back(measure);
    progress.Advance(1);
  }
  for (const double epsilon : kEpsilons) {
    CRV_ASSIGN(EpsilonMeasure measure, MeasureEpsilon(epsilon, options));
    simulation.epsilons.push_back(measure);
    progress.Advance(1);
  }
  progress.Finish();
  return simulation;
}

}  // namespace crivello::cluster
