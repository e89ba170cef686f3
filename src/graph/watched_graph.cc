// SPDX-License-Identifier: Apache-2.0
#include "graph/watched_graph.h"

#include <utility>

namespace crivello::graph {
namespace {

constexpr uint64_t kNodesBetweenReports = 1 << 14;

class WatchedCursor final : public NodeCursor {
 public:
  WatchedCursor(std::unique_ptr<NodeCursor> cursor, Progress& progress, std::stop_token stop)
      : cursor_(std::move(cursor)), progress_(progress), stop_(std::move(stop)) {}

  bool Next() override {
    if (!stopped_.ok()) return false;
    if (++read_ % kNodesBetweenReports == 0) {
      progress_.Advance(kNodesBetweenReports);
      if (stop_.stop_requested()) {
        stopped_ = Status::Unavailable("reading of the graph was stopped");
        return false;
      }
    }
    return cursor_->Next();
  }
  Node node() const override { return cursor_->node(); }
  std::span<const Node> successors() const override { return cursor_->successors(); }
  const Status& status() const override { return stopped_.ok() ? cursor_->status() : stopped_; }

 private:
  std::unique_ptr<NodeCursor> cursor_;
  Progress& progress_;
  std::stop_token stop_;
  uint64_t read_ = 0;
  Status stopped_;
};

}  // namespace

std::unique_ptr<NodeCursor> WatchedGraph::Scan(uint64_t begin, uint64_t end) const {
  return std::make_unique<WatchedCursor>(graph_.Scan(begin, end), progress_, stop_);
}

}  // namespace crivello::graph
