// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "graph/bv/java_properties.h"

namespace crivello::graph {

// The description of the bits of a BVGraph in its .properties file.  docs/formats/bvgraph.md.

// An instantaneous code with its parameter: k for zeta and pi, the modulus for golomb, otherwise 0.
struct BvCode {
  enum class Kind : uint8_t { kUnary, kGamma, kDelta, kZeta, kGolomb, kNibble, kOmega, kPi };
  Kind kind = Kind::kGamma;
  uint32_t parameter = 0;

  // The name in compressionflags: "GAMMA", "ZETA".
  std::string Name() const;
  friend bool operator==(const BvCode&, const BvCode&) = default;
};

// The codes of the parts of a graph.
struct BvCodes {
  BvCode outdegrees = {BvCode::Kind::kGamma};
  BvCode references = {BvCode::Kind::kUnary};
  BvCode block_counts = {BvCode::Kind::kGamma};
  BvCode blocks = {BvCode::Kind::kGamma};
  BvCode intervals = {BvCode::Kind::kGamma};
  BvCode residuals = {BvCode::Kind::kZeta, 3};
  BvCode offsets = {BvCode::Kind::kGamma};
  friend bool operator==(const BvCodes&, const BvCodes&) = default;
};

struct BvParameters {
  static constexpr uint32_t kMaxWindow = 1 << 16;
  static constexpr uint32_t kNoLimit = 0x7fffffff;  // WebGraph's largest reference count

  uint32_t window = 7;         // how many nodes back a list may refer; 0: no references
  uint32_t max_ref_count = 3;  // the longest chain of references
  uint32_t min_interval = 4;   // the shortest run of successors written as an interval; 0: no intervals
  BvCodes codes = {};
  bool little_endian = false;
  friend bool operator==(const BvParameters&, const BvParameters&) = default;
};

// The contents of a .properties file.
struct BvProperties {
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  BvParameters parameters;
};
// Corruption if a key is missing or malformed, InvalidArgument for unsupported values: another graph class, a
// newer version, an unknown code, more nodes than kMaxNodes.  Both name key and value.
Result<BvProperties> ReadBvProperties(const JavaProperties& properties);

// InvalidArgument unless version 0, which is what we write, supports these parameters.
Status CheckWritable(const BvParameters& parameters);
// The value of compressionflags: the codes other than the default, such as "RESIDUALS_GAMMA | OFFSETS_DELTA".
std::string FormatCompressionFlags(const BvCodes& codes);

}  // namespace crivello::graph
