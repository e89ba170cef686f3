// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as label files of a graph with 30 nodes: properties, a zero, the size of the labels, the
// labels, their offsets.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "graph/bv/arc_labels.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::graph;
  const std::string_view files(reinterpret_cast<const char*>(data), size);
  const size_t zero = files.find('\0');
  if (zero == std::string_view::npos || files.size() < zero + 2) return 0;
  const auto properties = ParseJavaProperties(files.substr(0, zero));
  if (!properties.ok()) return 0;
  const Bytes rest = AsBytes(files.substr(zero + 2));
  const size_t claimed = static_cast<uint8_t>(files[zero + 1]);
  const size_t label_size = claimed < rest.size() ? claimed : rest.size();
  constexpr Node kNodes = 30;
  const auto labels =
      ArcLabels::FromBytes(*properties, kNodes, rest.first(label_size), rest.subspan(label_size), "any");
  if (!labels.ok()) return 0;
  const ArcLabelFormat& format = labels->format();
  const auto again = ArcLabelFormat::Parse(format.Spec());
  if (!again.ok() || *again != format) std::abort();
  ArcLabels::Reader reader(*labels);
  for (Node i = 0; i < 2 * kNodes; i++) {
    const Node node = i < kNodes ? i : i * 7 % kNodes;
    const auto read = reader.Read(node, node % 4);
    if (read.ok() && read->size() != node % 4) std::abort();
  }
  return 0;
}
