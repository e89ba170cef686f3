// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_store.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <utility>

#include "base/folder.h"
#include "graph/bv/arc_labels.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/bv_writer.h"
#include "graph/ef/ef_graph.h"
#include "graph/rank_file.h"
#include "jobs/graph/graph_folder.h"
#include "jobs/graph/graph_target.h"
#include "jobs/graph/stored_rank.h"
#include "jobs/links/links_folder.h"

namespace crivello::jobs {
namespace {

// The links of all tablets for the current rows, mapped.
Result<LinksFiles> CurrentLinks(std::span<const LinkTablet> tablets, const BuildGraphOptions& options,
                                Progress& progress) {
  CRV_ASSIGN(const LinksLock lock, LinksLock::Take(LinkFolders(tablets)));
  if (auto there = LinksFiles::Open(tablets); there.ok() && there->Current(tablets)) return there;
  InvertLinksOptions invert = {
      .memory_bytes = options.memory_bytes, .excluded = options.excluded, .stop = options.stop};
  CRV_TRY(InvertLinks(tablets, invert, progress).status());
  return LinksFiles::Open(tablets);
}

// A graph that lives in its mapped file.
class MappedEfGraph final : public graph::Graph {
 public:
  explicit MappedEfGraph(Mapped<graph::EfGraph> file) : file_(std::move(file)) {}
  uint64_t nodes() const override { return file_->nodes(); }
  uint64_t arcs() const override { return file_->arcs(); }
  using Graph::Scan;
  std::unique_ptr<graph::NodeCursor> Scan(uint64_t begin, uint64_t end) const override {
    return file_->Scan(begin, end);
  }
  Result<std::unique_ptr<graph::SuccessorReader>> Reader() const override { return file_->Reader(); }

 private:
  Mapped<graph::EfGraph> file_;
};

// Adds or removes a leading "www".
std::string OtherWww(std::string_view reversed) {
  constexpr std::string_view kWww = ".www";
  if (reversed.ends_with(kWww)) return std::string(reversed.substr(0, reversed.size() - kWww.size()));
  return std::string(reversed) + std::string(kWww);
}

}  // namespace

Result<StoredGraphSummary> StoreGraph(collection::Collection& store, const StoreGraphOptions& options,
                                      Progress& progress) {
  const std::string& directory = store.directory();
  CRV_ASSIGN(const GraphLock lock, GraphLock::Take(directory));
  CRV_ASSIGN(auto files, GraphReplacement::Begin(directory, options.level));
  const std::string basename = files.basename();
  BuildGraphOptions build = {.level = options.level,
                             .keep_nofollow = options.keep_nofollow,
                             .frontier = options.frontier,
                             .memory_bytes = options.memory_bytes,
                             .names_path = NamesPath(basename),
                             .folder = std::filesystem::path(basename).parent_path().string() + "/scratch",
                             .stop = options.stop};
  // A copy, because holding the list itself would block changes of it.
  if (const collection::ForgottenSet now = *store.forgotten().current(); !now.empty()) {
    build.excluded = [now](std::string_view row_key) { return now.Find(row_key) != nullptr; };
  }
  const std::vector<LinkTablet> tablets = LinkTabletsOf(store);
  CRV_ASSIGN(const LinksFiles links, CurrentLinks(tablets, build, progress));

  CRV_ASSIGN(auto writer, graph::BvWriter::Create(basename, {.threads = options.threads}));
  std::optional<graph::ArcLabelWriter> counts;
  if (options.level != GraphLevel::kPage) {
    CRV_ASSIGN(auto made, graph::ArcLabelWriter::Create(LinkCountsBasename(basename),
                                                        std::string(GraphFileName(options.level)),
                                                        graph::ArcLabelFormat{.key = "links"}));
    counts.emplace(std::move(made));
  }
  std::vector<uint32_t> labels;
  const auto sink = [&](std::span<const graph::Node> successors, std::span<const uint32_t> of) -> Status {
    if (counts) {
      labels.clear();
      for (const uint32_t links_of : of)
        labels.push_back(std::min(links_of, graph::ArcLabelFormat::kMaxLabel));
      CRV_TRY(counts->Add(labels));
    }
    return writer.Add(successors);
  };
  StoredGraphSummary summary;
  CRV_ASSIGN(summary.graph, BuildGraph(tablets, links, build, sink, progress));
  CRV_ASSIGN(const graph::BvStats stats, writer.Finish());
  if (counts) CRV_TRY(counts->Finish());
  CRV_TRY(RemoveFolder(build.folder));
  // The names for which ranks were computed so far; stays mapped when its file is replaced.  Without it, or
  // if it is damaged, there is nothing to carry over.
  const auto before = Mapped<graph::NameList>::Open(NamesPath(GraphBasename(directory, options.level)));
  CRV_TRY(files.Commit());
  if (before.ok()) CRV_TRY(CarryRanks(directory, options.level, **before));
  summary.basename = GraphBasename(directory, options.level);
  summary.graph_bytes = (stats.graph_bits() + 7) / 8;
  summary.bits_per_link = stats.bits_per_link();
  return summary;
}

std::string OpenedGraph::Display(graph::Node node) const {
  if (names) {
    const std::string name = (*names)->Name(node);
    if (!name.empty()) return DisplayName((*names)->form(), name);
  }
  return std::to_string(node);
}

Result<graph::Node> OpenedGraph::Find(const std::string& text) const {
  if (names) {
    const auto name = NameOfText((*names)->form(), text);
    if (name.ok()) {
      if (const auto node = (*names)->Find(*name)) return *node;
      if ((*names)->form() == kHostForm) {
        if (const auto node = (*names)->Find(OtherWww(*name))) return *node;
      }
    }
  }
  graph::Node node = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
  if (error == std::errc() && end == text.data() + text.size() && node < graph->nodes()) return node;
  return Status::NotFound(fmt::format("{}: there is no node '{}': expected {}a number below {}", basename,
                                      text,
                                      !names                            ? ""
                                      : (*names)->form() == kHostForm   ? "a host or "
                                      : (*names)->form() == kRowKeyForm ? "the URL of a page or "
                                                                        : "a name or ",
                                      graph->nodes()));
}

Result<OpenedGraph> OpenGraphFiles(const std::string& basename) {
  OpenedGraph opened;
  opened.basename = basename;
  std::error_code error;
  if (std::filesystem::exists(basename + std::string(kEfEnding), error) &&
      !std::filesystem::exists(basename + ".properties", error)) {
    CRV_ASSIGN(auto file, Mapped<graph::EfGraph>::Open(basename + std::string(kEfEnding)));
    opened.graph_bytes = file.file().payload().size();
    opened.graph = std::make_unique<MappedEfGraph>(std::move(file));
  } else {
    auto bv = graph::BvGraph::Open(basename, {.offsets = graph::BvOffsetsFrom::kFileOrScan});
    if (bv.status().code() == StatusCode::kNotFound) {
      return Status::NotFound(
          fmt::format("there is no graph '{}': {}; give the name of its files without .graph", basename,
                      bv.status().message()));
    }
    CRV_TRY(bv.status());
    opened.graph_bytes = (*bv)->graph_bytes();
    opened.graph = *std::move(bv);
  }
  auto names = Mapped<graph::NameList>::Open(NamesPath(basename), {.verify = Verify::kEnvelope});
  if (names.ok()) {
    if ((*names)->size() != opened.graph->nodes()) {
      return Status::Corruption(fmt::format("{}: {} names, but the graph has {} nodes", NamesPath(basename),
                                            (*names)->size(), opened.graph->nodes()));
    }
    opened.names.emplace(*std::move(names));
  } else if (names.status().code() != StatusCode::kNotFound) {
    return names.status();
  }
  return opened;
}

Result<OpenedGraph> OpenCollectionGraph(const std::string& collection, GraphLevel level) {
  CRV_TRY(FinishReplacing(collection));
  auto opened = OpenGraphFiles(GraphBasename(collection, level));
  if (opened.status().code() == StatusCode::kNotFound) {
    return Status::NotFound(
        fmt::format("'{}' has no graph of {}; build it with 'crivello graph build --level {}'", collection,
                    GraphFileName(level), GraphLevelName(level)));
  }
  return opened;
}

Result<std::vector<Status>> CheckGraphs(const std::string& collection) {
  std::vector<Status> damage;
  const auto note = [&damage](const Status& status) -> Status {
    if (status.code() == StatusCode::kCorruption || status.code() == StatusCode::kInvalidArgument) {
      damage.push_back(status);
      return Status::Ok();
    }
    return status.code() == StatusCode::kNotFound ? Status::Ok() : status;
  };
  CRV_TRY(FinishReplacing(collection));
  for (const GraphLevel level : kGraphLevels) {
    const std::string basename = GraphBasename(collection, level);
    const auto names = Mapped<graph::NameList>::Open(NamesPath(basename));
    CRV_TRY(note(names.ok() ? (*names)->Check().WithContext(NamesPath(basename)) : names.status()));
    const auto opened = OpenGraphFiles(basename);
    CRV_TRY(note(opened.status()));
    if (!opened.ok()) continue;
    const auto cursor = opened->graph->Scan();
    while (cursor->Next()) continue;
    CRV_TRY(note(cursor->status()));
  }
  const std::string ranks = collection + "/ranks";
  const auto files = ListFolder(ranks);
  if (!files.ok()) return damage;  // there are no ranks
  for (const std::string& file : *files) {
    CRV_TRY(note(Mapped<graph::RankVector>::Open(ranks + "/" + file).status()));
  }
  return damage;
}

}  // namespace crivello::jobs
