// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"

namespace crivello::cluster {

// What `crivello cluster assign --simulate` measures.  Keys and names come from a seed: the same options give
// the same counts; only times differ.
struct AssignmentSimulationOptions {
  uint64_t agents = 10;
  uint64_t keys = 1'000'000;
  uint64_t tablets = 256;
  uint32_t replicas = 300;
  // Sets of agents that the effects of replicas and epsilon are averaged over.
  uint64_t clusters = 100;
  uint64_t seed = 1;
};

// The relative standard deviation of a load: sqrt(mean of (load / expected - 1)^2).

// One function, with `keys` keys.
struct FunctionMeasure {
  std::string function;
  std::vector<uint64_t> loads = {};  // of each agent
  double deviation = 0;              // of the loads
  double deviation_formula = 0;  // expected: sqrt((A-1)/U), and of the circle sqrt((A-1)/(AC+1) + (A-1)/U)
  double most = 0;               // the largest load, relative to U/A
  double joined = 0;             // part of the keys that move when an agent joins ...
  double joined_formula = 0;     // ... expected
  double left = 0;               // when the last one leaves
  double left_formula = 0;
  double cpu_nanoseconds = 0;  // for each call of Owner()
  uint64_t memory_bytes = 0;
};

// Consistent hashing with C replicas: shares of the circle, over `clusters` sets of agents.
struct ReplicasMeasure {
  uint32_t replicas = 0;
  double deviation = 0;
  double deviation_formula = 0;
  double most = 0;  // the largest share relative to 1/A, averaged
  double cpu_nanoseconds = 0;
  uint64_t memory_bytes = 0;
};

// Tablets with bounded loads, over `clusters` sets of agents; counts are averages for one join or leave.
struct EpsilonMeasure {
  double epsilon = 0;  // infinity: no bound
  uint64_t limit = 0;
  double deviation = 0;
  double most = 0;              // tablets of the agent that has most, averaged
  double joined_needed = 0;     // tablets that go to the newcomer
  double joined_extra = 0;      // those that move between others
  double left_needed = 0;       // the tablets of the one that leaves
  double left_extra = 0;        // those that move between others
  double cpu_microseconds = 0;  // for one assignment of all tablets
};

struct AssignmentSimulation {
  AssignmentSimulationOptions options;
  std::vector<FunctionMeasure> functions;
  std::vector<ReplicasMeasure> replicas;
  std::vector<EpsilonMeasure> epsilons;
};

// InvalidArgument for fewer than two agents, no keys, tablets, clusters or replicas.
Result<AssignmentSimulation> SimulateAssignment(const AssignmentSimulationOptions& options,
                                                Progress& progress);

// The simulation as an SVG document without scripts: loads by function, deviation by replicas, moves and
// deviation by epsilon.
std::string PlotAssignment(const AssignmentSimulation& simulation);

}  // namespace crivello::cluster
