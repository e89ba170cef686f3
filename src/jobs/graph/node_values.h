// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "jobs/graph/graph_store.h"

namespace crivello::jobs {

// Values that users assign to the nodes of a graph, as text: each line has a URL, a host or the number of a
// node, then blanks or a tab, then a non-negative number.

struct NodeValue {
  std::string_view name;  // a part of the line
  double value = 0;
};
// Corruption, with what was expected.
Result<NodeValue> ParseNodeValue(std::string_view line);

// The value of nodes that no line names.
enum class UnnamedNodes : uint8_t {
  kZero,
  kMedian,  // of the named nodes
};
struct NodeValues {
  std::vector<double> values;  // by node
  uint64_t lines = 0;
  uint64_t named = 0;  // nodes
};
// Reads such a file; "-" is standard input.  Blank lines and those that begin with # are ignored, names that
// the graph does not have are skipped, and the last of several lines for a node counts. Corruption names the
// line.  InvalidArgument if no node is named.
Result<NodeValues> ReadNodeValues(const std::string& path, const OpenedGraph& graph, UnnamedNodes unnamed,
                                  std::stop_token stop);

}  // namespace crivello::jobs
