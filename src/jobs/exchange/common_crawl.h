// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/names/name_list.h"

namespace crivello::jobs {

// The host and domain graphs that Common Crawl releases (https://commoncrawl.org/web-graphs), as gzipped text
// files with columns separated by tabs:
//   vertices   number of the node from 0 on, host with its labels reversed,
//              and, in a graph of domains,
//              the number of its hosts
//   edges      two numbers of nodes
//   ranks      a header that begins with '#', then position and value by harmonic centrality, position and
//              value by PageRank, host, and, in a graph of domains, the number of its hosts
//   degrees    ("outdegrees-indegrees") outdegree, indegree, host, and, in a graph of domains, the number
//              of its hosts
// A file in many parts is given as a list (.paths or .paths.gz) of their paths.

// One line of each file.  Corruption says what was found and what was expected.
struct CommonCrawlVertex {
  uint64_t id = 0;
  std::string_view host;
  std::optional<uint64_t> hosts = {};
};
Result<CommonCrawlVertex> ParseVertex(std::string_view line);
Result<std::pair<uint64_t, uint64_t>> ParseEdge(std::string_view line);
struct CommonCrawlRank {
  double harmonic = 0;
  double pagerank = 0;
  std::string_view host;
};
Result<CommonCrawlRank> ParseRank(std::string_view line);

// The files that a path stands for: itself, or the parts listed in a .paths file, one per line.  Their paths
// are resolved from the folder of the list: as they are, and by file name only.  NotFound names the first
// missing one.
Result<std::vector<std::string>> FindParts(const std::string& path);

struct CommonCrawlImportOptions {
  std::vector<std::string> vertices = {};  // paths, or lists of parts; ordered by number
  std::vector<std::string> edges = {};
  std::string to = {};  // basename of the graph (BVGraph) and its names
  uint64_t memory_bytes = uint64_t{256} << 20;
  unsigned threads = 1;
  std::stop_token stop = {};  // stops with Unavailable
};
struct CommonCrawlSummary {
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  uint64_t lines = 0;  // of edges: more than arcs if some are repeated
};
// Edges may come in any order.  Corruption, with file and line, for an invalid format, a number that is not
// the next one, a duplicate host, or an edge to an unknown vertex.
Result<CommonCrawlSummary> ImportCommonCrawl(const CommonCrawlImportOptions& options, Progress& progress);

// Reads the two ranks for the nodes of a list of hosts or domains.  Skips lines of other hosts, so the ranks
// of a release can be applied to the hosts of a collection; a host is also looked up with or without "www.".
// Nodes that are not in the file get 0.  InvalidArgument if the file names none of them, or if the list is of
// pages.
struct CommonCrawlRanks {
  std::vector<double> harmonic;
  std::vector<double> pagerank;
  uint64_t found = 0;  // nodes that occur in the file
  uint64_t lines = 0;
};
Result<CommonCrawlRanks> ReadCommonCrawlRanks(const std::string& path, const graph::NameList& names,
                                              std::stop_token stop, Progress& progress);

struct CommonCrawlExportOptions {
  std::string to =
      {};  // PREFIX of PREFIX-vertices.txt.gz, -edges.txt.gz, -outdegrees-indegrees.txt.gz, -ranks.txt.gz
  // By node; either both or none.
  std::span<const double> harmonic = {};
  std::span<const double> pagerank = {};
  // Number of hosts of each domain, by node; empty for a graph of hosts.
  std::span<const uint32_t> hosts = {};
  std::stop_token stop = {};
};
// Writes a graph whose nodes are named by hosts.  InvalidArgument if the names have another form.
Status ExportCommonCrawl(const graph::Graph& graph, const graph::NameList& names,
                         const CommonCrawlExportOptions& options, Progress& progress);

// How many of these hosts are in each domain.
Result<std::vector<uint32_t>> CountHosts(const graph::NameList& hosts, const graph::NameList& domains);

}  // namespace crivello::jobs
