// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/image.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "graph/graph.h"
#include "graph/names/name_list.h"
#include "jobs/graph/graph_build.h"
#include "jobs/graph/graph_names.h"

namespace crivello::jobs {

struct StoreGraphOptions {
  GraphLevel level = GraphLevel::kPage;
  bool keep_nofollow = false;
  bool frontier = false;  // only for kPage
  uint64_t memory_bytes = uint64_t{256} << 20;
  unsigned threads = 1;
  std::stop_token stop = {};  // stops with Unavailable, and the old graph stays
};
struct StoredGraphSummary {
  GraphBuildSummary graph;
  std::string basename;
  uint64_t graph_bytes = 0;
  double bits_per_link = 0;
};

// Builds the graph of a level of an open collection, from its rows and links (graph_build.h), and
// replaces the one in its folder.  Inverts the links first, unless those on disk are up to date.
// Waits while another graph is being built or pages are being forgotten.  Leaves out forgotten pages.
// Ranks computed on the old graph are carried over to the new one by the names of its nodes
// (CarryRanks).
Result<StoredGraphSummary> StoreGraph(collection::Collection& store, const StoreGraphOptions& options,
                                      Progress& progress);

// A graph in files, with the names of its nodes if there are any.  Immutable; any number of threads may read.
struct OpenedGraph {
  std::string basename;
  std::unique_ptr<graph::Graph> graph;
  std::optional<Mapped<graph::NameList>> names;
  uint64_t graph_bytes = 0;  // of the compressed lists

  // The name of a node for users: its URL, its host, or otherwise its number.
  std::string Display(graph::Node node) const;
  // The node for a user's text: a URL or host, with or without "www.", or a number.  NotFound.
  Result<graph::Node> Find(const std::string& text) const;
};
// A BVGraph, or an Elias-Fano graph BASENAME.ef-graph, with BASENAME.urls.  Corruption if the numbers of
// names and nodes differ.  NotFound if there is no graph.
Result<OpenedGraph> OpenGraphFiles(const std::string& basename);
// The graph of a collection, which need not be open.  NotFound says how to build it.
Result<OpenedGraph> OpenCollectionGraph(const std::string& collection, GraphLevel level);

// Reads all graphs of a collection, the names of their nodes, and its ranks; returns what is wrong with them,
// if anything.
Result<std::vector<Status>> CheckGraphs(const std::string& collection);

}  // namespace crivello::jobs
