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

// Values that people give to the nodes of a graph, as text: in each line a URL, a host or the number of a
// node, and after blanks or a tab a number that is not negative.

struct NodeValue {
  std::string_view name;  // a part of the line
  double value = 0;
};
// Corruption, with what was expected.
Result<NodeValue> ParseNodeValue(std::string_view line);

// What nodes have that no line names.
enum class UnnamedNodes : uint8_t {
  kZero,
  kMedian,  // of those that are named
};
struct NodeValues {
  std::vector<double> values;  // by node
  uint64_t lines = 0;
  uint64_t named = 0;  // nodes
};
// Reads such a file; "-" is standard input.  Blank lines and those that begin with # do not count, lines of
// names that the graph does not have are passed over, and of two lines for a node the later one counts.
// Corruption names the line.  InvalidArgument if no node is named.
Result<NodeValues> ReadNodeValues(const std::string& path, const OpenedGraph& graph, UnnamedNodes unnamed,
                                  std::stop_token stop);

}  // namespace crivello::jobs
