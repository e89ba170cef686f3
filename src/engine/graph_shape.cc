// SPDX-License-Identifier: Apache-2.0
#include "engine/graph_shape.h"

#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/hash.h"
#include "base/progress.h"
#include "graph/components/bow_tie.h"
#include "graph/components/strong_components.h"
#include "graph/distances/hyper_ball.h"
#include "graph/distances/neighbourhood_function.h"
#include "jobs/graph/graph_folder.h"
#include "jobs/graph/graph_plot.h"
#include "jobs/graph/graph_store.h"
#include "jobs/graph/host_places.h"

namespace crivello::engine {
namespace {

// A counter of 2^6 registers has an error of 13%, one of 2^10 of 3%; sums over all pages have less.  As many
// as fit in this part of the memory: small graphs are measured well, large ones in a few passes.
constexpr unsigned kLeastLogRegisters = 6, kMostLogRegisters = 10;
constexpr uint64_t kCounterShare = 8;
constexpr unsigned kRuns = 4;
constexpr size_t kBestHosts = 50;

// Changes when one of the files is replaced; 0 if there is no graph of pages.
uint64_t StampOf(const std::string& directory) {
  Hasher64 hasher;
  bool is_first = true;
  for (const std::string& path : {jobs::GraphBasename(directory, jobs::GraphLevel::kPage) + ".graph",
                                  jobs::GraphBasename(directory, jobs::GraphLevel::kHost) + ".graph",
                                  jobs::NamesPath(jobs::GraphBasename(directory, jobs::GraphLevel::kHost)),
                                  directory + "/ranks/" + std::string(jobs::kHostRank)}) {
    struct stat about = {};
    const bool there = ::stat(path.c_str(), &about) == 0;
    if (!there && is_first) return 0;
    is_first = false;
    const uint64_t part[] = {there ? about.st_ino : 0, static_cast<uint64_t>(about.st_mtim.tv_sec),
                             static_cast<uint64_t>(about.st_mtim.tv_nsec)};
    hasher.Update(std::as_bytes(std::span(part)));
  }
  return hasher.Digest() | 1;
}

std::vector<serve::WebShape::Point> PointsOf(const std::vector<uint64_t>& counts) {
  std::vector<serve::WebShape::Point> points;
  for (uint64_t value = 0; value < counts.size(); value++) {
    if (counts[value] > 0) points.push_back({.value = value, .pages = counts[value]});
  }
  return points;
}

unsigned LogRegistersFor(uint64_t nodes, uint64_t memory_bytes) {
  unsigned log = kMostLogRegisters;
  while (log > kLeastLogRegisters && nodes > memory_bytes / kCounterShare >> log) log--;
  return log;
}

Status MeasurePages(const jobs::OpenedGraph& pages, uint64_t memory_bytes, const std::stop_token& stop,
                    serve::WebShape* shape) {
  SilentProgress progress;
  shape->pages = pages.graph->nodes();
  shape->links = pages.graph->arcs();
  CRV_ASSIGN(const jobs::DegreeCounts degrees, jobs::CountDegrees(*pages.graph));
  shape->outdegrees = PointsOf(degrees.out);
  shape->indegrees = PointsOf(degrees.in);

  const graph::ComponentsOptions components = {.memory_bytes = memory_bytes, .stop = stop};
  CRV_ASSIGN(const graph::StrongComponents strong,
             graph::FindStrongComponents(*pages.graph, components, progress));
  CRV_ASSIGN(const graph::BowTie bow_tie, graph::FindBowTie(*pages.graph, strong, components, progress));
  shape->components = strong.sizes.size();
  for (unsigned i = 0; i < graph::kBowTieParts; i++) {
    shape->bow_tie.push_back({.name = std::string(graph::BowTiePartName(static_cast<graph::BowTiePart>(i))),
                              .pages = bow_tie.nodes[i]});
  }

  if (shape->pages == 0) return Status::Ok();
  CRV_ASSIGN(const graph::HyperBallResult balls,
             graph::RunHyperBall(*pages.graph,
                                 {.log_registers = LogRegistersFor(shape->pages, memory_bytes),
                                  .runs = kRuns,
                                  .memory_bytes = memory_bytes,
                                  .stop = stop},
                                 progress));
  const graph::DistanceSummary distances = graph::Summarise(balls.runs);
  for (const graph::Estimate& share : distances.distribution) shape->distances.push_back(share.value);
  shape->average_distance = distances.average_distance.value;
  shape->effective_distance = distances.effective_distance.value;
  const double all = static_cast<double>(shape->pages) * static_cast<double>(shape->pages);
  shape->reachable = std::min(distances.reachable_pairs.value / all, 1.0);
  shape->error = distances.reachable_pairs.standard_error / distances.reachable_pairs.value;
  return Status::Ok();
}

}  // namespace

Result<serve::WebShape> MeasureShape(const std::string& directory, uint64_t memory_bytes,
                                     const std::stop_token& stop) {
  serve::WebShape shape;
  CRV_ASSIGN(const jobs::OpenedGraph pages, jobs::OpenCollectionGraph(directory, jobs::GraphLevel::kPage));
  struct stat about = {};
  if (::stat((pages.basename + ".graph").c_str(), &about) == 0) shape.time = about.st_mtim.tv_sec;
  CRV_TRY(MeasurePages(pages, memory_bytes, stop, &shape));
  const auto hosts = jobs::OpenCollectionGraph(directory, jobs::GraphLevel::kHost);
  if (!hosts.ok()) {
    if (hosts.status().code() == StatusCode::kNotFound) return shape;
    return hosts.status();
  }
  shape.hosts = hosts->graph->nodes();
  shape.host_links = hosts->graph->arcs();
  const auto ranks = jobs::HostPlaces::Open(directory, std::string(jobs::kHostRank));
  if (!ranks.ok()) {
    if (ranks.status().code() == StatusCode::kNotFound) return shape;
    return ranks.status();
  }
  for (jobs::HostPlaces::Named& one : ranks->Best(kBestHosts)) {
    shape.best_hosts.push_back({.host = std::move(one.host),
                                .place = one.place.place,
                                .value = static_cast<double>(one.place.value)});
  }
  return shape;
}

GraphShape::GraphShape(std::string directory, GraphShapeOptions options)
    : directory_(std::move(directory)), options_(options) {}

GraphShape::~GraphShape() = default;

Result<std::shared_ptr<const serve::WebShape>> GraphShape::Shape() {
  const uint64_t stamp = StampOf(directory_);
  if (stamp == 0) {
    return Status::NotFound(
        "this collection has no link graph yet: “crivello up” builds it in the background, “crivello graph "
        "build” at once");
  }
  MutexLock lock(mu_);
  if (kept_stamp_ != stamp && wanted_stamp_ != stamp) {
    wanted_stamp_ = stamp;
    failed_ = Status::Ok();
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { Loop(stop); });
    wake_.notify_all();
  }
  // A shape of an earlier graph is not shown: it may name hosts that have been forgotten since.
  const auto answered = [this, stamp]() CRV_REQUIRES(mu_) { return kept_stamp_ == stamp || !failed_.ok(); };
  wake_.wait_for(mu_, options_.patience, answered);
  if (kept_stamp_ == stamp) return kept_;
  if (!failed_.ok()) return failed_;
  return Status::Unavailable("the shape of the crawled web is being computed; reload this page in a minute");
}

void GraphShape::Loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    uint64_t wanted = 0;
    {
      MutexLock lock(mu_);
      wake_.wait(mu_, stop, [this]() CRV_REQUIRES(mu_) { return wanted_stamp_ != 0; });
      wanted = wanted_stamp_;
    }
    if (stop.stop_requested()) return;
    auto shape = MeasureShape(directory_, options_.memory_bytes, stop);
    MutexLock lock(mu_);
    if (shape.ok()) {
      kept_ = std::make_shared<const serve::WebShape>(*std::move(shape));
      kept_stamp_ = wanted;
    } else {
      failed_ = shape.status();
    }
    if (wanted_stamp_ == wanted) wanted_stamp_ = 0;
    wake_.notify_all();
  }
}

}  // namespace crivello::engine
