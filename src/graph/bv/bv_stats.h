// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "graph/bv/bv_format.h"
#include "graph/bv/java_properties.h"
#include "graph/graph.h"

namespace crivello::graph {

// The number of gaps of each size: bin i counts those from 2^i to 2^(i+1) - 1.
using GapBins = std::array<uint64_t, 40>;

// How the arcs of a graph were compressed as a BVGraph, and the bits used.  All are counts.
struct BvStats {
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  uint64_t copied_arcs = 0;
  uint64_t interval_arcs = 0;
  uint64_t residual_arcs = 0;
  uint64_t outdegree_bits = 0;
  uint64_t reference_bits = 0;
  uint64_t block_bits = 0;
  uint64_t interval_bits = 0;
  uint64_t residual_bits = 0;
  uint64_t chain_lengths = 0;        // sum of the lengths of the chains of references
  uint64_t reference_distances = 0;  // sum of the references
  GapBins successor_gaps = {};
  GapBins residual_gaps = {};

  uint64_t graph_bits() const {
    return outdegree_bits + reference_bits + block_bits + interval_bits + residual_bits;
  }
  double bits_per_link() const {
    return arcs == 0 ? 0 : static_cast<double>(graph_bits()) / static_cast<double>(arcs);
  }
  BvStats& operator+=(const BvStats& other);
};

// Counts the gaps of an increasing list: between its first element and the node, as a natural number (0 is
// not counted), and between consecutive elements.
void CountGaps(uint64_t node, std::span<const Node> list, GapBins& bins);
// The mean of the logarithms of the gaps, and of the gaps, where each gap counts as the middle of its bin.
double MeanLogGap(const GapBins& bins);

// The .properties that WebGraph would write for this graph.
JavaProperties MakeBvProperties(const BvStats& stats, const BvParameters& parameters);

}  // namespace crivello::graph
