// SPDX-License-Identifier: Apache-2.0
// The public web graphs beside the project, with known facts about them; included by _test.cc and _bench.cc
// files only.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/conformance.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_graph.h"

namespace crivello::graph {

// The basename of one of these graphs, such as "cnr-2000-llp/cnr-2000"; "" if it is missing.
inline std::string SharedGraphPath(const std::string& name) {
  const std::string path = SharedPath("graphs/" + name + ".graph");
  return path.empty() ? "" : path.substr(0, path.size() - std::strlen(".graph"));
}

// The graph in memory; empty if it is missing.
inline ArrayGraph LoadSharedGraph(const std::string& name) {
  const std::string path = SharedGraphPath(name);
  if (path.empty()) return ArrayGraph();
  return ArrayGraph::Copy(*BvGraph::Open(path).value()).value();
}

inline std::string ReadSharedFile(const std::string& name) {
  std::ifstream file(SharedPath("graphs/" + name), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Big-endian numbers of 32 bits.
inline std::vector<uint32_t> SharedInts(const std::string& name) {
  const std::string bytes = ReadSharedFile(name);
  std::vector<uint32_t> numbers(bytes.size() / 4);
  for (size_t i = 0; i < bytes.size(); i++) {
    numbers[i / 4] = numbers[i / 4] << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return numbers;
}

// Little-endian doubles.
inline std::vector<double> SharedDoubles(const std::string& name) {
  const std::string bytes = ReadSharedFile(name);
  std::vector<double> numbers(bytes.size() / 8);
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * 8);
  return numbers;
}

// The results of breadth-first visits of the whole graph for one node.
struct HarmonicSample {
  Node node = 0;
  double harmonic_in = 0;  // the sum of 1/d(y, x) over all y
  uint64_t coreachable = 0;
  double harmonic_out = 0;
  uint64_t reachable = 0;
};
inline std::vector<HarmonicSample> SharedHarmonicSamples(const std::string& name) {
  std::ifstream file(SharedPath("graphs/" + name));
  std::vector<HarmonicSample> samples;
  std::string line;
  std::getline(file, line);  // the names of the columns
  HarmonicSample sample;
  uint64_t eccentricity = 0;
  while (file >> sample.node >> sample.harmonic_in >> sample.coreachable >> sample.harmonic_out >>
         sample.reachable >> eccentricity) {
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace crivello::graph
