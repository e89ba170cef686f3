// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/status.h"
#include "graph/graph.h"
#include "jobs/graph/graph_names.h"
#include "jobs/graph/merged_links.h"
#include "jobs/links/link_inverter.h"

namespace crivello::jobs {

struct BuildGraphOptions {
  GraphLevel level = GraphLevel::kPage;
  bool keep_nofollow = false;  // links marked nofollow count as well
  bool frontier = false;       // linked pages that were not fetched are nodes; only for kPage
  uint64_t memory_bytes = uint64_t{256} << 20;
  std::string names_path = {};  // where the list of names is written
  std::string folder = {};      // for scratch files
  // Whether a row must never be named; empty: no such rows.
  std::function<bool(std::string_view row_key)> excluded = {};
  std::stop_token stop = {};  // stops with Unavailable
  FileSystem* fs = &PosixFileSystem();
};

// Receives the nodes of a graph one by one, in order: the successors of a node, strictly increasing, and the
// number of links that each arc represents.
using CountedSink =
    std::function<Status(std::span<const graph::Node> successors, std::span<const uint32_t> links)>;

struct GraphBuildSummary {
  uint64_t rows = 0;  // rows read
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  uint64_t links = 0;  // represented by the arcs
  uint64_t names_identity = 0;
};

// Builds the graph of a level from rows and from links sorted by target (links_file.h).
//
// Pages: the nodes are those of page_states.h, ordered by row key.  A link counts if its source is a page
// that is a node; the arc goes to the target of its URL (page_states.h), and is dropped if that is not a
// node.  Self-loops are kept; several links of a page to one target are one arc.
//
// Hosts and domains: the nodes are the hosts of all pages that are nodes, and the hosts to which pages link,
// ordered by reversed name.  A link counts if its source is such a page, whatever is at its URL.  It goes to
// the host of its URL's target, or to the host of the URL itself if it has no target.  An arc represents all
// links from one host to the other.
//
// Links that embed something in a page (images, forms) never count.  With keep_nofollow false, neither do
// links that the link or the page marks as nofollow.
//
// Memory: memory_bytes, and half a byte per name.  The same rows give the same bytes, whatever the tablets
// and the memory.
Result<GraphBuildSummary> BuildGraph(std::span<const LinkTablet> tablets, const LinksFiles& links,
                                     const BuildGraphOptions& options, const CountedSink& sink,
                                     Progress& progress);

}  // namespace crivello::jobs
