// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a graph in WebGraph's ASCII format and as a list of arcs.  Whatever is read is a graph,
// and equal after a round trip.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/exchange/text_graph.h"

namespace crivello::graph {
namespace {

Result<ArrayGraph> ReadAny(const std::string& path) {
  CRV_ASSIGN(AsciiGraphReader reader, AsciiGraphReader::Open(path));
  ArrayGraphBuilder builder;
  while (reader.Next()) builder.AddNode(reader.successors());
  CRV_TRY(reader.status());
  auto graph = std::move(builder).Finish();
  if (!graph.ok() || graph->nodes() != reader.nodes()) std::abort();
  return graph;
}

}  // namespace
}  // namespace crivello::graph

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::graph;
  static const TemporaryFolder folder;
  const std::string path = folder / "any";
  if (!WriteFileAtomically(path, AsBytes({reinterpret_cast<const char*>(data), size})).ok()) std::abort();
  const auto graph = ReadAny(path);
  auto arcs = ArcListReader::Open(path);
  if (!arcs.ok()) std::abort();
  while (arcs->Next()) {
    if (arcs->arc().first >= kMaxNodes || arcs->arc().second >= kMaxNodes) std::abort();
  }
  if (!graph.ok()) return 0;
  if (!WriteAsciiGraph(*graph, path).ok() || !(ReadAny(path).value() == *graph)) std::abort();
  return 0;
}
