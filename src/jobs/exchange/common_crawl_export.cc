// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "jobs/exchange/common_crawl.h"
#include "jobs/exchange/packed_lines.h"
#include "jobs/graph/graph_names.h"
#include "web/url/public_suffix.h"

namespace crivello::jobs {
namespace {

constexpr uint64_t kExportedBetweenLooks = 1 << 16;

// The columns after a host.
std::string HostColumns(const graph::NameList& names, std::span<const uint32_t> hosts, graph::Node node) {
  std::string name = names.Name(node);
  if (name.empty()) name = fmt::format("removed.{}", node);  // forgotten; the format requires a name
  if (!hosts.empty()) name += fmt::format("\t{}", hosts[node]);
  return name;
}

// The position of each node in decreasing order of values, from 1; ties by number.
std::vector<uint64_t> PositionsOf(std::span<const double> values) {
  std::vector<graph::Node> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [values](graph::Node a, graph::Node b) { return values[a] > values[b]; });
  std::vector<uint64_t> positions(values.size());
  for (size_t i = 0; i < order.size(); i++) positions[order[i]] = i + 1;
  return positions;
}

Status WriteRanks(const graph::NameList& names, const CommonCrawlExportOptions& options) {
  CRV_ASSIGN(auto ranks, PackedTextWriter::Create(options.to + "-ranks.txt.gz"));
  CRV_TRY(ranks.Append(fmt::format("#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev{}\n",
                                   options.hosts.empty() ? "" : "\t#n_hosts")));
  const std::vector<uint64_t> harmonic = PositionsOf(options.harmonic);
  const std::vector<uint64_t> pagerank = PositionsOf(options.pagerank);
  std::vector<graph::Node> order(names.size());
  for (size_t node = 0; node < order.size(); node++)
    order[harmonic[node] - 1] = static_cast<graph::Node>(node);
  std::string text;
  for (const graph::Node node : order) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\n", harmonic[node], options.harmonic[node],
                   pagerank[node], options.pagerank[node], HostColumns(names, options.hosts, node));
    if (text.size() < kExportedBetweenLooks) continue;
    CRV_TRY(ranks.Append(text));
    text.clear();
  }
  CRV_TRY(ranks.Append(text));
  return ranks.Finish();
}

}  // namespace

Status ExportCommonCrawl(const graph::Graph& graph, const graph::NameList& names,
                         const CommonCrawlExportOptions& options, Progress& progress) {
  if (names.form() != kHostForm || names.size() != graph.nodes()) {
    return Status::InvalidArgument(
        "Common Crawl's files are for graphs of hosts and domains: choose one with --level host or domain");
  }
  if (options.harmonic.size() != options.pagerank.size() ||
      (!options.harmonic.empty() && options.harmonic.size() != graph.nodes()) ||
      (!options.hosts.empty() && options.hosts.size() != graph.nodes())) {
    return Status::InvalidArgument(
        fmt::format("the ranks have {} and {} values, but the graph has {} nodes: give both, of this graph",
                    options.harmonic.size(), options.pagerank.size(), graph.nodes()));
  }
  CRV_ASSIGN(auto vertices, PackedTextWriter::Create(options.to + "-vertices.txt.gz"));
  CRV_ASSIGN(auto edges, PackedTextWriter::Create(options.to + "-edges.txt.gz"));
  std::vector<uint32_t> indegrees(graph.nodes());
  std::vector<uint32_t> outdegrees(graph.nodes());
  progress.Start("writing vertices and edges", graph.nodes());
  std::string text;
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    const graph::Node node = cursor->node();
    if (node % kExportedBetweenLooks == 0) {
      progress.Advance(node == 0 ? 0 : kExportedBetweenLooks);
      if (options.stop.stop_requested()) return Status::Unavailable("the export of the graph was stopped");
    }
    CRV_TRY(vertices.Append(fmt::format("{}\t{}\n", node, HostColumns(names, options.hosts, node))));
    text.clear();
    for (const graph::Node target : cursor->successors()) {
      indegrees[target]++;
      fmt::format_to(std::back_inserter(text), "{}\t{}\n", node, target);
    }
    outdegrees[node] = static_cast<uint32_t>(cursor->successors().size());
    CRV_TRY(edges.Append(text));
  }
  CRV_TRY(cursor->status());
  CRV_ASSIGN(auto degrees, PackedTextWriter::Create(options.to + "-outdegrees-indegrees.txt.gz"));
  for (uint64_t at = 0; at < graph.nodes(); at++) {
    const auto node = static_cast<graph::Node>(at);
    CRV_TRY(degrees.Append(fmt::format("{}\t{}\t{}\n", outdegrees[node], indegrees[node],
                                       HostColumns(names, options.hosts, node))));
  }
  progress.Finish();
  CRV_TRY(vertices.Finish());
  CRV_TRY(edges.Finish());
  CRV_TRY(degrees.Finish());
  return options.harmonic.empty() ? Status::Ok() : WriteRanks(names, options);
}

Result<std::vector<uint32_t>> CountHosts(const graph::NameList& hosts, const graph::NameList& domains) {
  std::vector<uint32_t> counts(domains.size());
  for (auto host = hosts.Begin(); host.valid(); host.Next()) {
    const std::string name = ReverseHost(host.name());
    const std::string_view domain = web::PublicSuffixList::BuiltIn().RegistrableDomain(name);
    const auto node = domains.Find(domain.empty() ? std::string(host.name()) : ReverseHost(domain));
    if (node) counts[*node]++;
  }
  return counts;
}

}  // namespace crivello::jobs
