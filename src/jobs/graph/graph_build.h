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
  bool keep_nofollow = false;  // links that nobody vouches for count as well
  bool frontier = false;       // pages that are linked to and were not fetched are nodes; of kPage only
  uint64_t memory_bytes = uint64_t{256} << 20;
  std::string names_path = {};  // where the list of names goes
  std::string folder = {};      // of scratch files
  // Whether a row is never to be named; empty: none is.
  std::function<bool(std::string_view row_key)> excluded = {};
  std::stop_token stop = {};  // then it ends as Unavailable
  FileSystem* fs = &PosixFileSystem();
};

// Takes the nodes of a graph one by one, in order: the successors of a node, which increase strictly, and how
// many links each arc stands for.
using CountedSink =
    std::function<Status(std::span<const graph::Node> successors, std::span<const uint32_t> links)>;

struct GraphBuildSummary {
  uint64_t rows = 0;  // that were read
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  uint64_t links = 0;  // that the arcs stand for
  uint64_t names_identity = 0;
};

// Builds the graph of a level from rows and from links by target (links_file.h).
//
// Pages: the nodes are those of page_states.h, in the order of their row keys.  A link counts if its source
// is a page that is a node; the arc goes to the target of its URL (page_states.h), and is dropped if that is
// not a node.  Self-loops stay, several links of a page to a target are one arc.
//
// Hosts and domains: the nodes are the hosts of all pages that are nodes, and those that pages link to, in
// the order of their reversed names.  A link counts if its source is such a page, whatever is at its URL; it
// goes to the host of the target of its URL, or to that of the URL itself if that leads nowhere.  An arc
// stands for all links from one host to the other.
//
// Links by which a page embeds something (images, forms) never count.  With keep_nofollow false neither do
// links that the link or the page does not vouch for.
//
// Memory: memory_bytes, and half a byte for each name.  The same rows give the same bytes, however they are
// cut into tablets and whatever the memory.
Result<GraphBuildSummary> BuildGraph(std::span<const LinkTablet> tablets, const LinksFiles& links,
                                     const BuildGraphOptions& options, const CountedSink& sink,
                                     Progress& progress);

}  // namespace crivello::jobs
