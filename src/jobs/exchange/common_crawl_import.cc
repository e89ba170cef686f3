// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/external_sorter.h"
#include "graph/bv/bv_writer.h"
#include "graph/names/name_list_writer.h"
#include "jobs/exchange/common_crawl.h"
#include "jobs/exchange/packed_lines.h"
#include "jobs/graph/graph_folder.h"
#include "jobs/graph/graph_names.h"
#include "jobs/graph/graph_target.h"

namespace crivello::jobs {
namespace {

constexpr uint64_t kLinesBetweenLooks = 1 << 16;

// Calls take(line) for each line of all files; adds file and line to errors.
template <typename Take>
Status ForEachLine(const std::vector<std::string>& paths, const std::stop_token& stop, Progress& progress,
                   Take&& take) {
  for (const std::string& path : paths) {
    CRV_ASSIGN(const std::vector<std::string> parts, FindParts(path));
    for (const std::string& part : parts) {
      CRV_ASSIGN(PackedLines lines, PackedLines::Open(part));
      while (lines.Next()) {
        if (lines.number() % kLinesBetweenLooks == 0) {
          progress.Advance(kLinesBetweenLooks);
          if (stop.stop_requested()) return Status::Unavailable("reading of the graph's files was stopped");
        }
        const Status status = take(lines.line());
        if (status.ok()) continue;
        return status.code() == StatusCode::kCorruption || status.code() == StatusCode::kInvalidArgument
                   ? lines.Bad(status.message())
                   : status;
      }
      CRV_TRY(lines.status());
    }
  }
  return Status::Ok();
}

void AppendWord(uint64_t number, std::string* out) {
  for (const int shift : {24, 16, 8, 0}) *out += static_cast<char>(number >> shift & 0xff);
}
uint32_t WordAt(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  for (const char byte : bytes.substr(at, 4)) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

}  // namespace

Result<std::vector<std::string>> FindParts(const std::string& path) {
  if (!path.ends_with(".paths") && !path.ends_with(".paths.gz")) return std::vector<std::string>{path};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::vector<std::string> parts;
  CRV_ASSIGN(PackedLines lines, PackedLines::Open(path));
  while (lines.Next()) {
    if (lines.line().empty()) continue;
    const std::filesystem::path part(lines.line());
    std::error_code error;
    std::filesystem::path found = folder / part;
    if (!std::filesystem::exists(found, error)) found = folder / part.filename();
    if (!std::filesystem::exists(found, error)) {
      return Status::NotFound(fmt::format("{}: line {}: there is no file '{}' beside the list; download it",
                                          path, lines.number(), part.filename().string()));
    }
    parts.push_back(found.string());
  }
  CRV_TRY(lines.status());
  return parts;
}

Result<CommonCrawlSummary> ImportCommonCrawl(const CommonCrawlImportOptions& options, Progress& progress) {
  CommonCrawlSummary summary;
  CRV_ASSIGN(const ScratchFolder scratch, ScratchBeside(options.to));
  const ExternalSortOptions sort = {.folder = scratch.path(), .memory_bytes = options.memory_bytes / 2};

  progress.Start("reading vertices", 0);
  graph::NameListBuilder names(sort);
  CRV_TRY(ForEachLine(options.vertices, options.stop, progress, [&](std::string_view line) -> Status {
    CRV_ASSIGN(const CommonCrawlVertex vertex, ParseVertex(line));
    if (vertex.id != names.size()) {
      return Status::Corruption(fmt::format("expected node {}, found {}", names.size(), vertex.id));
    }
    return names.Add(vertex.host);
  }));
  summary.nodes = names.size();
  progress.Finish();

  progress.Start("reading edges", 0);
  ExternalSorter edges(sort);
  std::string record;
  CRV_TRY(ForEachLine(options.edges, options.stop, progress, [&](std::string_view line) -> Status {
    CRV_ASSIGN(const auto edge, ParseEdge(line));
    for (const uint64_t node : {edge.first, edge.second}) {
      if (node >= summary.nodes) {
        return Status::Corruption(
            fmt::format("there is no vertex {}: the vertices end at {}", node, summary.nodes));
      }
    }
    summary.lines++;
    record.clear();
    AppendWord(edge.first, &record);
    AppendWord(edge.second, &record);
    return edges.Add(record);
  }));
  progress.Finish();

  progress.Start("compressing the graph", summary.nodes);
  CRV_ASSIGN(auto writer, graph::BvWriter::Create(options.to, {.threads = options.threads}));
  CRV_TRY(edges.Sort());
  bool any = edges.Next();
  std::vector<graph::Node> successors;
  for (uint64_t node = 0; node < summary.nodes; node++) {
    successors.clear();
    for (; any && WordAt(edges.record(), 0) == node; any = edges.Next()) {
      const graph::Node target = WordAt(edges.record(), 4);
      if (successors.empty() || successors.back() != target) successors.push_back(target);
    }
    summary.arcs += successors.size();
    CRV_TRY(writer.Add(successors));
    if (node % kLinesBetweenLooks == 0) {
      progress.Advance(node == 0 ? 0 : kLinesBetweenLooks);
      if (options.stop.stop_requested())
        return Status::Unavailable("reading of the graph's files was stopped");
    }
  }
  CRV_TRY(edges.status());
  // Names may be refused, because two are the same; the graph that was there must not be gone by then.
  CRV_TRY(names.WriteTo({.path = scratch / "names", .form = std::string(kHostForm)}).status());
  CRV_TRY(RemoveLeftovers(options.to, GraphFormat::kBv));
  CRV_TRY(writer.Finish().status());
  CRV_TRY(MoveNames(scratch / "names", options.to));
  progress.Finish();
  return summary;
}

Result<CommonCrawlRanks> ReadCommonCrawlRanks(const std::string& path, const graph::NameList& names,
                                              std::stop_token stop, Progress& progress) {
  if (names.form() != kHostForm) {
    return Status::InvalidArgument(fmt::format(
        "{}: these are ranks of hosts, but the nodes of the graph are not; use --level host or domain",
        path));
  }
  CommonCrawlRanks ranks;
  ranks.harmonic.assign(names.size(), 0);
  ranks.pagerank.assign(names.size(), 0);
  // A host's own line has precedence over one that differs by "www.".
  std::vector<uint8_t> known(names.size(), 0);
  constexpr std::string_view kWww = ".www";
  std::string other;
  progress.Start("reading ranks", 0);
  CRV_TRY(ForEachLine({path}, stop, progress, [&](std::string_view line) -> Status {
    if (line.starts_with('#')) return Status::Ok();
    CRV_ASSIGN(const CommonCrawlRank rank, ParseRank(line));
    ranks.lines++;
    const auto give = [&](std::string_view host, uint8_t how) {
      const auto node = names.Find(host);
      if (!node || known[*node] >= how) return;
      if (known[*node] == 0) ranks.found++;
      known[*node] = how;
      ranks.harmonic[*node] = rank.harmonic;
      ranks.pagerank[*node] = rank.pagerank;
    };
    give(rank.host, 2);
    other.assign(rank.host);
    if (rank.host.ends_with(kWww)) {
      other.resize(other.size() - kWww.size());
    } else {
      other += kWww;
    }
    give(other, 1);
    return Status::Ok();
  }));
  progress.Finish();
  if (ranks.found == 0) {
    return Status::InvalidArgument(
        fmt::format("{}: none of its {} lines names a node of the graph; check that both are of hosts, or "
                    "both of domains",
                    path, ranks.lines));
  }
  return ranks;
}

}  // namespace crivello::jobs
