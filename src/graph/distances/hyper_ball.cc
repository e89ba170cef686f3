// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/hyper_ball.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <optional>
#include <utility>

#include "base/scratch_folder.h"
#include "graph/distances/ball_counters.h"
#include "graph/distances/update_log.h"
#include "graph/parallel_blocks.h"
#include "graph/resident_graph.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

constexpr unsigned kBallBlocks = 64;
constexpr uint64_t kLeastLogBytes = uint64_t{1} << 20;
// A pass looks for the predecessors of modified nodes if at most one in this many nodes was modified.
constexpr uint64_t kNodesPerModified = 32;

// One bit per node.  Blocks of nodes begin at word boundaries, so threads write to different words.
class NodeBits {
 public:
  explicit NodeBits(uint64_t nodes) : words_(nodes / 64 + 1) {}
  bool operator[](uint64_t node) const { return words_[node / 64] >> (node % 64) & 1; }
  void Set(uint64_t node) { words_[node / 64] |= uint64_t{1} << (node % 64); }
  // The same, for threads that may set bits of the same word.
  void SetAtomically(uint64_t node) {
    std::atomic_ref(words_[node / 64]).fetch_or(uint64_t{1} << (node % 64), std::memory_order_relaxed);
  }
  void Fill(bool value) { std::fill(words_.begin(), words_.end(), value ? ~uint64_t{0} : 0); }
  // Calls visit(node) for the set nodes of a range, in order, until one returns an error.
  // REQUIRES: begin is a multiple of 64.
  template <typename Visit>
  Status ForEach(uint64_t begin, uint64_t end, const Visit& visit) const {
    for (uint64_t word = begin / 64; word * 64 < end; word++) {
      for (uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        const uint64_t node = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
        if (node < end) CRV_TRY(visit(static_cast<Node>(node)));
      }
    }
    return Status::Ok();
  }

 private:
  std::vector<uint64_t> words_;
};

// How the memory is divided.
struct MemoryPlan {
  CounterStorage storage = CounterStorage::kBytes;
  uint64_t graph_bytes = 0;         // for a copy of the graph
  uint64_t log_bytes = 0;           // for updates
  bool room_for_transpose = false;  // in memory

  static MemoryPlan For(const Graph& graph, const HyperBallOptions& options) {
    const uint64_t nodes = graph.nodes();
    const auto size = [&](bool packed) {
      return BallCounters::SizeBytes(nodes, options.log_registers, packed);
    };
    const uint64_t results =
        nodes * (8 * uint64_t{options.harmonic} + 8 * uint64_t{options.reachable}) + 3 * (nodes / 8);
    const auto minus = [](uint64_t a, uint64_t b) { return a > b ? a - b : 0; };
    uint64_t rest = minus(options.memory_bytes, results);
    MemoryPlan plan = {.storage = options.storage};
    // The log gets a quarter of the size of the counters; with less it would be mostly on disk.
    const auto fits = [&](bool packed) { return size(packed) + size(packed) / 4 <= rest; };
    if (plan.storage == CounterStorage::kAutomatic) {
      plan.storage = fits(false)  ? CounterStorage::kBytes
                     : fits(true) ? CounterStorage::kPacked
                                  : CounterStorage::kDisk;
    }
    const uint64_t counters = size(plan.storage != CounterStorage::kBytes);
    if (plan.storage != CounterStorage::kDisk) rest = minus(rest, counters);
    // In addition to what the log needs; a graph in memory counts as a copy.
    plan.graph_bytes = minus(rest, counters / 4);
    const uint64_t copy = ArrayGraphBytes(nodes, graph.arcs());
    if (copy <= plan.graph_bytes) rest -= copy;
    plan.room_for_transpose = options.transpose == nullptr && copy <= minus(rest, counters / 4);
    if (plan.room_for_transpose) rest -= copy;
    plan.log_bytes = std::max(rest, kLeastLogBytes);
    return plan;
  }
};

class BallRunner {
 public:
  BallRunner(const Graph& graph, const HyperBallOptions& options, const std::string& folder,
             const MemoryPlan& plan, BallCounters counters, HyperBallResult& result)
      : graph_(graph),
        options_(options),
        parallel_(options.threads),
        counters_(std::move(counters)),
        modified_(graph.nodes()),
        modified_next_(graph.nodes()),
        result_(result),
        candidates_(graph.nodes()),
        transpose_(options.transpose),
        room_for_transpose_(plan.room_for_transpose) {
    for (unsigned thread = 0; thread < parallel_.threads(); thread++) {
      workers_.push_back(std::make_unique<Worker>(
          counters_, UpdateLog::Options{.value_bytes = counters_.counter_bytes(),
                                        .memory_bytes = plan.log_bytes / parallel_.threads(),
                                        .folder = folder}));
    }
  }

  Status Run(unsigned run, Progress& progress) {
    CRV_TRY(ForBlocks([&](Worker&, uint64_t begin, uint64_t end, double&) {
              counters_.Reset(begin, end, options_.seed + run);
              for (uint64_t node = begin; options_.reachable && node < end; node++)
                result_.reachable[node] += 1;
              return Status::Ok();
            }).status());
    modified_.Fill(true);
    NeighbourhoodFunction function = {static_cast<double>(graph_.nodes())};
    uint64_t modified = graph_.nodes();
    for (uint64_t distance = 1; distance <= options_.max_distance; distance++) {
      progress.Start(fmt::format("HyperBall run {} of {}, distance {}", run + 1, options_.runs, distance),
                     graph_.nodes());
      modified_next_.Fill(false);
      CRV_ASSIGN(const bool by_candidates, FindCandidates(modified));
      CRV_ASSIGN(const double gained,
                 ForBlocks([&](Worker& worker, uint64_t begin, uint64_t end, double& sum) {
                   const Status status = by_candidates ? VisitCandidates(worker, begin, end, distance, sum)
                                                       : ScanBlock(worker, begin, end, distance, sum);
                   progress.Advance(end - begin);
                   return status;
                 }));
      result_.passes++;
      CRV_TRY(parallel_.Run(parallel_.threads(), [&](unsigned thread) {
        return workers_[thread]->log.Replay(
            [&](Node node, std::span<const std::byte> counter) { counters_.Set(node, counter); });
      }));
      modified = 0;
      for (const auto& worker : workers_) modified += std::exchange(worker->modified, 0);
      progress.Finish();
      if (modified == 0) break;
      function.push_back(function.back() + gained);
      std::swap(modified_, modified_next_);
    }
    result_.runs.push_back(std::move(function));
    return Status::Ok();
  }

 private:
  struct Worker {
    Worker(const BallCounters& counters, UpdateLog::Options options)
        : buffer(counters), log(std::move(options)) {}
    BallCounters::Buffer buffer;
    UpdateLog log;
    std::vector<Node> others;
    uint64_t modified = 0;                          // counters modified in this pass
    std::unique_ptr<SuccessorReader> successors;    // created once there are candidates
    std::unique_ptr<SuccessorReader> predecessors;  // likewise
  };

  // Marks the nodes with a modified successor, if there are few; returns whether it did.
  Result<bool> FindCandidates(uint64_t modified) {
    if (modified > graph_.nodes() / kNodesPerModified || !can_have_candidates_) return false;
    if (workers_[0]->predecessors == nullptr) {
      CRV_TRY(OpenReaders());
      if (!can_have_candidates_) return false;
    }
    candidates_.Fill(false);
    CRV_TRY(ForBlocks([&](Worker& worker, uint64_t begin, uint64_t end, double&) {
              return modified_.ForEach(begin, end, [&](Node node) -> Status {
                CRV_ASSIGN(const auto predecessors, worker.predecessors->Successors(node));
                for (const Node predecessor : predecessors) candidates_.SetAtomically(predecessor);
                return Status::Ok();
              });
            }).status());
    return true;
  }

  Status OpenReaders() {
    if (transpose_ == nullptr && room_for_transpose_ && graph_.Reader().ok()) {
      CRV_ASSIGN(own_transpose_, TransposeInMemory(graph_));
      transpose_ = &own_transpose_;
    }
    can_have_candidates_ = transpose_ != nullptr;
    for (const auto& worker : workers_) {
      if (!can_have_candidates_) break;
      auto successors = graph_.Reader();
      auto predecessors = transpose_->Reader();
      // Without offsets, only scans are possible.
      can_have_candidates_ = successors.ok() && predecessors.ok();
      if (!can_have_candidates_) break;
      worker->successors = *std::move(successors);
      worker->predecessors = *std::move(predecessors);
    }
    return Status::Ok();
  }

  // Calls work(worker, begin, end, sum) for each block of nodes; returns the total of the sums, in order.
  template <typename Work>
  Result<double> ForBlocks(const Work& work) {
    std::array<double, kBallBlocks> sums = {};
    const uint64_t words = (graph_.nodes() + 63) / 64;
    CRV_TRY(parallel_.Run(kBallBlocks, [&](unsigned block) {
      if (options_.stop.stop_requested()) return Status::Unavailable("HyperBall was interrupted");
      const uint64_t begin = std::min(words * block / kBallBlocks * 64, graph_.nodes());
      const uint64_t end = std::min(words * (block + 1) / kBallBlocks * 64, graph_.nodes());
      double sum = 0;
      const Status status = work(*workers_[block % parallel_.threads()], begin, end, sum);
      sums[block] = sum;
      return status;
    }));
    double all = 0;
    for (const double sum : sums) all += sum;
    return all;
  }

  Status ScanBlock(Worker& worker, uint64_t begin, uint64_t end, uint64_t distance, double& gained) {
    const auto cursor = graph_.Scan(begin, end);
    while (cursor->Next()) CRV_TRY(Visit(worker, cursor->node(), cursor->successors(), distance, gained));
    return cursor->status();
  }

  Status VisitCandidates(Worker& worker, uint64_t begin, uint64_t end, uint64_t distance, double& gained) {
    return candidates_.ForEach(begin, end, [&](Node node) -> Status {
      CRV_ASSIGN(const auto successors, worker.successors->Successors(node));
      return Visit(worker, node, successors, distance, gained);
    });
  }

  Status Visit(Worker& worker, Node node, std::span<const Node> successors, uint64_t distance,
               double& gained) {
    worker.others.clear();
    for (const Node successor : successors) {
      if (modified_[successor] && successor != node) worker.others.push_back(successor);
    }
    if (worker.others.empty() || !counters_.Unite(node, worker.others, worker.buffer)) return Status::Ok();
    const double before = counters_.EstimateOf(node, worker.buffer);
    const double more = counters_.Estimate(worker.buffer) - before;
    gained += more;
    if (options_.harmonic) result_.harmonic[node] += more / static_cast<double>(distance);
    if (options_.reachable) result_.reachable[node] += more;
    modified_next_.Set(node);
    worker.modified++;
    return worker.log.Add(node, counters_.Bytes(worker.buffer));
  }

  const Graph& graph_;
  const HyperBallOptions& options_;
  ParallelBlocks parallel_;
  BallCounters counters_;
  NodeBits modified_;                             // in the last pass
  NodeBits modified_next_;                        // in this one
  std::vector<std::unique_ptr<Worker>> workers_;  // one per thread
  HyperBallResult& result_;
  NodeBits candidates_;  // nodes with a modified successor, if they are few
  const Graph* transpose_;
  ArrayGraph own_transpose_;
  bool room_for_transpose_;
  bool can_have_candidates_ = true;  // as far as known
};

}  // namespace

Result<HyperBallResult> RunHyperBall(const Graph& graph, const HyperBallOptions& options,
                                     Progress& progress) {
  using succinct::HyperLogLogShape;
  if (options.log_registers < HyperLogLogShape::kMinLog ||
      options.log_registers > HyperLogLogShape::kMaxLog) {
    return Status::InvalidArgument(fmt::format("{} as the log of the registers: expected {} to {}",
                                               options.log_registers, HyperLogLogShape::kMinLog,
                                               HyperLogLogShape::kMaxLog));
  }
  std::optional<ScratchFolder> own_folder;
  std::string folder = options.scratch_folder;
  if (folder.empty()) {
    CRV_ASSIGN(auto created, ScratchFolder::Create({}));
    own_folder.emplace(std::move(created));
    folder = own_folder->path();
  }
  const MemoryPlan plan = MemoryPlan::For(graph, options);
  CRV_ASSIGN(const auto resident, ResidentGraph::Prepare(graph, plan.graph_bytes));
  CRV_ASSIGN(auto counters,
             BallCounters::Create({.nodes = graph.nodes(),
                                   .log_registers = options.log_registers,
                                   .packed = plan.storage != CounterStorage::kBytes,
                                   .folder = plan.storage == CounterStorage::kDisk ? folder : ""}));
  HyperBallResult result;
  result.storage = plan.storage;
  if (options.harmonic) result.harmonic.resize(graph.nodes());
  if (options.reachable) result.reachable.resize(graph.nodes());
  BallRunner runner(resident.graph(), options, folder, plan, std::move(counters), result);
  for (unsigned run = 0; run < options.runs; run++) CRV_TRY(runner.Run(run, progress));
  for (double& value : result.harmonic) value /= options.runs;
  for (double& value : result.reachable) value /= options.runs;
  return result;
}

}  // namespace crivello::graph
