// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a Common Crawl file, compressed or not: reading ends, and an accepted line is unchanged
// after a round trip.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jobs/exchange/common_crawl.h"
#include "jobs/exchange/packed_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  jobs::PackedLines lines = jobs::PackedLines::Of({reinterpret_cast<const char*>(data), size}, "input");
  while (lines.Next()) {
    const std::string_view line = lines.line();
    if (line.size() > jobs::PackedLines::kMaxLineBytes) std::abort();
    if (const auto vertex = jobs::ParseVertex(line); vertex.ok()) {
      if (vertex->host.empty() || line.find(vertex->host) == std::string_view::npos) std::abort();
      const std::string written = fmt::format("{}\t{}", vertex->id, vertex->host);
      const auto again = jobs::ParseVertex(written);
      if (!again.ok() || again->id != vertex->id || again->host != vertex->host) std::abort();
    }
    if (const auto edge = jobs::ParseEdge(line); edge.ok()) {
      const auto again = jobs::ParseEdge(fmt::format("{}\t{}", edge->first, edge->second));
      if (!again.ok() || *again != *edge) std::abort();
    }
    if (const auto rank = jobs::ParseRank(line); rank.ok()) {
      if (!(rank->harmonic - rank->harmonic == 0) || !(rank->pagerank - rank->pagerank == 0)) std::abort();
    }
  }
  return 0;
}
