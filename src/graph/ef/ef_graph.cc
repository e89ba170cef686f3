// SPDX-License-Identifier: Apache-2.0
#include "graph/ef/ef_graph.h"

#include <fmt/format.h>

#include <cassert>
#include <span>
#include <utility>
#include <vector>

namespace crivello::graph {
namespace {

using succinct::EliasFano;

// Appends the targets of a node's arcs, and moves to those of the next node.
void TakeArcs(EliasFano::Cursor& arcs, uint64_t begin, uint64_t end, std::vector<Node>& list) {
  uint64_t next = begin;
  while (arcs.value() < end) {
    // In a sorted sequence, all of them; a damaged one may repeat or go back.
    if (arcs.value() >= next) {
      list.push_back(static_cast<Node>(arcs.value() - begin));
      next = arcs.value() + 1;
    }
    arcs.Next();
  }
}

class EfCursor final : public NodeCursor {
 public:
  EfCursor(const EliasFano& arcs, uint64_t nodes, uint64_t begin, uint64_t end)
      : arcs_(arcs.Begin()), nodes_(nodes), next_(begin), end_(end) {
    if (!arcs_.AtEnd()) arcs_.SeekTo(begin * nodes);
  }
  bool Next() override {
    if (next_ == end_) return false;
    list_.clear();
    TakeArcs(arcs_, next_ * nodes_, (next_ + 1) * nodes_, list_);
    next_++;
    return true;
  }
  Node node() const override { return static_cast<Node>(next_ - 1); }
  std::span<const Node> successors() const override { return list_; }
  const Status& status() const override { return status_; }

 private:
  EliasFano::Cursor arcs_;
  const uint64_t nodes_;
  uint64_t next_;
  const uint64_t end_;
  std::vector<Node> list_;
  Status status_;
};

class EfReader final : public SuccessorReader {
 public:
  EfReader(const EliasFano& arcs, uint64_t nodes) : first_(arcs.Begin()), nodes_(nodes) {}
  Result<std::span<const Node>> Successors(Node node) override {
    list_.clear();
    EliasFano::Cursor arcs = first_;
    const uint64_t begin = node * nodes_;
    if (!arcs.AtEnd()) arcs.SeekTo(begin);
    TakeArcs(arcs, begin, begin + nodes_, list_);
    return std::span<const Node>(list_);
  }

 private:
  const EliasFano::Cursor first_;
  const uint64_t nodes_;
  std::vector<Node> list_;
};

}  // namespace

Result<EfGraph> EfGraph::FromImage(Bytes image) {
  ImageReader reader(image, "Elias-Fano graph");
  EfGraph graph;
  CRV_ASSIGN(graph.nodes_, reader.WordAtMost(kMaxNodes, "number of nodes"));
  CRV_ASSIGN(graph.arcs_, EliasFano::ReadFrom(reader));
  CRV_TRY(reader.Finish());
  if (graph.arcs_.universe() != graph.nodes_ * graph.nodes_) {
    return reader.Damaged(fmt::format("the arcs are numbers up to {}: expected {}, the square of the nodes",
                                      graph.arcs_.universe(), graph.nodes_ * graph.nodes_));
  }
  return graph;
}

Description EfGraph::Describe() const {
  Description description = {{"nodes", nodes()}, {"arcs", arcs()}};
  for (const auto& field : arcs_.Describe()) description.push_back(field);
  return description;
}

std::unique_ptr<NodeCursor> EfGraph::Scan(uint64_t begin, uint64_t end) const {
  assert(begin <= end && end <= nodes());
  return std::make_unique<EfCursor>(arcs_, nodes_, begin, end);
}

Result<std::unique_ptr<SuccessorReader>> EfGraph::Reader() const {
  return std::unique_ptr<SuccessorReader>(std::make_unique<EfReader>(arcs_, nodes_));
}

Result<std::vector<uint64_t>> MakeEfGraphImage(const Graph& graph) {
  const uint64_t nodes = graph.nodes();
  succinct::EliasFanoBuilder builder(graph.arcs(), nodes * nodes);
  uint64_t arcs = 0;
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    arcs += cursor->successors().size();
    if (arcs > graph.arcs()) break;
    for (const Node target : cursor->successors()) builder.Add(cursor->node() * nodes + target);
  }
  CRV_TRY(cursor->status());
  if (arcs != graph.arcs()) {
    return Status::Corruption(fmt::format("the graph does not have the {} arcs that it says", graph.arcs()));
  }
  ImageWriter image;
  image.Word(nodes);
  CRV_TRY(builder.AppendTo(image));
  return std::move(image).Release();
}

Status WriteEfGraph(const Graph& graph, const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(const std::vector<uint64_t> image, MakeEfGraphImage(graph));
  return WriteImage(path, EfGraph::kFileKind, std::as_bytes(std::span(image)), fs);
}

}  // namespace crivello::graph
