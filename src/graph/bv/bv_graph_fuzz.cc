// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the three files of a graph: properties, a zero, the size of the graph in two bytes, the
// graph, its offsets.  What opens is read in all ways; what is undamaged is equal after compressing it again.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "graph/array_graph.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/bv_test_support.h"
#include "graph/bv/bv_writer.h"
#include "graph/bv/java_properties.h"

namespace crivello::graph {
namespace {

void UseAnyFiles(std::string_view files) {
  const size_t zero = files.find('\0');
  if (zero == std::string_view::npos || files.size() < zero + 3) return;
  const auto text = ParseJavaProperties(files.substr(0, zero));
  if (!text.ok()) return;
  if (ParseJavaProperties(FormatJavaProperties(*text, "again")).value() != *text) std::abort();
  const auto properties = ReadBvProperties(*text);
  // A list can have as many nodes as the file has bits, and there can be as many lists.
  if (!properties.ok() || properties->arcs > 100000) return;
  const size_t claimed =
      static_cast<size_t>(static_cast<uint8_t>(files[zero + 1]) | static_cast<uint8_t>(files[zero + 2]) << 8);
  const Bytes rest = AsBytes(files.substr(zero + 3));
  const size_t graph_size = claimed < rest.size() ? claimed : rest.size();
  const Bytes bytes = rest.first(graph_size);
  const Bytes offsets = rest.subspan(graph_size);
  for (const uint64_t jump : {1u, 3u}) {
    const auto with_offsets = BvGraph::FromBytes(*properties, bytes, offsets, "any", {.jump = jump});
    if (with_offsets.ok()) UseAnyGraph(**with_offsets);
    const auto scanned = BvGraph::FromBytes(*properties, bytes, std::nullopt, "any",
                                            {.offsets = BvOffsetsFrom::kFileOrScan, .jump = jump});
    if (!scanned.ok()) continue;
    // A scan succeeded, so it is undamaged, except for chains of references that are too long for a reader.
    const auto copy = ArrayGraph::Copy(**scanned);
    if (!copy.ok()) std::abort();
    UseAnyGraph(**scanned);
    if (!CheckWritable(properties->parameters).ok()) continue;
    const auto stats = MeasureBvGraph(*copy, {.parameters = properties->parameters});
    if (!stats.ok() || stats->arcs != copy->arcs()) std::abort();
  }
}

}  // namespace
}  // namespace crivello::graph

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  crivello::graph::UseAnyFiles(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
