// SPDX-License-Identifier: Apache-2.0
#include "graph/components/strong_components.h"

#include <utility>

#include "graph/resident_graph.h"

namespace crivello::graph {
namespace {

// Invariants of number_[x]:
//   0                 x was not visited
//   1 to n - k        x was visited and its component is not complete, while k components are.  At first the
//                     order of the visit, then the least number of a node that x is known to reach
//   above n - k       x is in a complete component: the first has n, the next n - 1, ...
// So a node of a complete component never looks like one that was visited earlier, and no flags are needed
// for the nodes on the stack.  A component is complete when its first node, which reaches no lower number,
// has been left; its other nodes are then on top of stack_.
class TarjanVisit {
 public:
  TarjanVisit(uint64_t nodes, SuccessorReader& reader)
      : number_(nodes), next_component_(static_cast<Node>(nodes)), reader_(reader) {}

  // Visits everything that the node reaches.  REQUIRES: it was not visited.
  Status VisitFrom(Node start) {
    CRV_TRY(Enter(start));
    while (!path_.empty()) {
      Step& step = path_.back();
      if (waiting_.size() > step.waiting_begin) {
        const Node successor = waiting_.back();
        waiting_.pop_back();
        if (number_[successor] == 0) {
          CRV_TRY(Enter(successor));
        } else {
          Reaches(step, successor);
        }
      } else {
        const Step left = step;
        path_.pop_back();
        Leave(left);
        if (!path_.empty()) Reaches(path_.back(), left.node);
      }
    }
    return Status::Ok();
  }
  bool visited(Node node) const { return number_[node] != 0; }
  uint64_t entered() const { return entered_; }

  // The components, numbered from 0 in the order of completion.
  std::vector<Node> TakeLabels() && {
    const auto first = static_cast<Node>(number_.size());
    for (Node& number : number_) number = first - number;
    return std::move(number_);
  }

 private:
  struct Step {
    Node node = 0;
    bool first = true;           // the first of its component, as far as is known
    uint64_t waiting_begin = 0;  // of the unvisited successors in waiting_
  };

  void Reaches(Step& step, Node successor) {
    if (number_[successor] >= number_[step.node]) return;
    number_[step.node] = number_[successor];
    step.first = false;
  }

  Status Enter(Node node) {
    entered_++;
    number_[node] = next_number_++;
    Step step = {.node = node, .waiting_begin = waiting_.size()};
    CRV_ASSIGN(const auto successors, reader_.Successors(node));
    for (const Node successor : successors) {
      if (number_[successor] == 0) {
        waiting_.push_back(successor);
      } else {
        Reaches(step, successor);
      }
    }
    path_.push_back(step);
    return Status::Ok();
  }

  void Leave(const Step& step) {
    if (!step.first) {
      stack_.push_back(step.node);
      return;
    }
    next_number_--;
    while (!stack_.empty() && number_[stack_.back()] >= number_[step.node]) {
      number_[stack_.back()] = next_component_;
      stack_.pop_back();
      next_number_--;
    }
    number_[step.node] = next_component_--;
  }

  std::vector<Node> number_;
  Node next_number_ = 1;
  Node next_component_;
  SuccessorReader& reader_;
  std::vector<Step> path_;
  std::vector<Node> waiting_;
  std::vector<Node> stack_;
  uint64_t entered_ = 0;
};

}  // namespace

Result<StrongComponents> FindStrongComponents(const Graph& graph, const ComponentsOptions& options,
                                              Progress& progress) {
  CRV_ASSIGN(const auto resident, ResidentGraph::Prepare(graph, options.memory_bytes));
  CRV_ASSIGN(const auto reader, resident.graph().Reader());
  progress.Start("finding strongly connected components", graph.nodes());
  TarjanVisit visit(graph.nodes(), *reader);
  for (uint64_t node = 0; node < graph.nodes(); node++) {
    if (visit.visited(static_cast<Node>(node))) continue;
    if (options.stop.stop_requested()) return Status::Unavailable("finding components was interrupted");
    const uint64_t before = visit.entered();
    CRV_TRY(visit.VisitFrom(static_cast<Node>(node)));
    progress.Advance(visit.entered() - before);
  }
  StrongComponents result;
  std::vector<Node> renamed;
  static_cast<Components&>(result) = NumberBySize(std::move(visit).TakeLabels(), &renamed);
  renamed.resize(result.sizes.size());
  result.sinks_first = std::move(renamed);
  progress.Finish();
  return result;
}

}  // namespace crivello::graph
