// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/hyper_ball.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/scratch_folder.h"
#include "graph/distances/ball_counters.h"
#include "graph/distances/update_log.h"
#include "graph/parallel_blocks.h"
#include "graph/resident_graph.h"

namespace crivello::graph {
namespace {

constexpr unsigned kBallBlocks = 64;
constexpr uint64_t kLeastLogBytes = uint64_t{1} << 20;

// One bit for each node.  Blocks of nodes begin at words, so threads do not write to the same ones.
class NodeBits {
 public:
  explicit NodeBits(uint64_t nodes) : words_(nodes / 64 + 1) {}
  bool operator[](uint64_t node) const { return words_[node / 64] >> (node % 64) & 1; }
  void Set(uint64_t node) { words_[node / 64] |= uint64_t{1} << (node % 64); }
  void Fill(bool value) { std::fill(words_.begin(), words_.end(), value ? ~uint64_t{0} : 0); }

 private:
  std::vector<uint64_t> words_;
};

// What goes where.
struct MemoryPlan {
  CounterStorage storage = CounterStorage::kBytes;
  uint64_t graph_bytes = 0;  // for a copy of the graph
  uint64_t log_bytes = 0;    // for updates

  static MemoryPlan For(const Graph& graph, const HyperBallOptions& options) {
    const uint64_t nodes = graph.nodes();
    const auto size = [&](bool packed) {
      return BallCounters::SizeBytes(nodes, options.log_registers, packed);
    };
    const uint64_t results =
        nodes * (8 * uint64_t{options.harmonic} + 8 * uint64_t{options.reachable}) + nodes / 4;
    const auto minus = [](uint64_t a, uint64_t b) { return a > b ? a - b : 0; };
    uint64_t rest = minus(options.memory_bytes, results);
    MemoryPlan plan = {.storage = options.storage};
    // The log gets a quarter of what counters take, or it would be mostly on the disk.
    const auto fits = [&](bool packed) { return size(packed) + size(packed) / 4 <= rest; };
    if (plan.storage == CounterStorage::kAutomatic) {
      plan.storage = fits(false)  ? CounterStorage::kBytes
                     : fits(true) ? CounterStorage::kPacked
                                  : CounterStorage::kDisk;
    }
    const uint64_t counters = size(plan.storage != CounterStorage::kBytes);
    if (plan.storage != CounterStorage::kDisk) rest = minus(rest, counters);
    plan.graph_bytes = minus(rest, counters / 4);
    const uint64_t copy = ArrayGraphBytes(nodes, graph.arcs());
    plan.log_bytes = std::max(copy <= plan.graph_bytes ? rest - copy : rest, kLeastLogBytes);
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
        result_(result) {
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
    for (uint64_t distance = 1; distance <= options_.max_distance; distance++) {
      progress.Start(fmt::format("HyperBall run {} of {}, distance {}", run + 1, options_.runs, distance),
                     graph_.nodes());
      modified_next_.Fill(false);
      CRV_ASSIGN(const double gained,
                 ForBlocks([&](Worker& worker, uint64_t begin, uint64_t end, double& sum) {
                   const Status status = ScanBlock(worker, begin, end, distance, sum);
                   progress.Advance(end - begin);
                   return status;
                 }));
      result_.passes++;
      bool any = false;
      CRV_TRY(parallel_.Run(parallel_.threads(), [&](unsigned thread) {
        return workers_[thread]->log.Replay(
            [&](Node node, std::span<const std::byte> counter) { counters_.Set(node, counter); });
      }));
      for (const auto& worker : workers_) any |= std::exchange(worker->any, false);
      progress.Finish();
      if (!any) break;
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
    bool any = false;  // whether a counter has changed
  };

  // Calls work(worker, begin, end, sum) for each block of nodes; the sum of their sums, in order.
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
    while (cursor->Next()) {
      const Node node = cursor->node();
      worker.others.clear();
      for (const Node successor : cursor->successors()) {
        if (modified_[successor] && successor != node) worker.others.push_back(successor);
      }
      if (worker.others.empty() || !counters_.Unite(node, worker.others, worker.buffer)) continue;
      const double before = counters_.EstimateOf(node, worker.buffer);
      const double more = counters_.Estimate(worker.buffer) - before;
      gained += more;
      if (options_.harmonic) result_.harmonic[node] += more / static_cast<double>(distance);
      if (options_.reachable) result_.reachable[node] += more;
      modified_next_.Set(node);
      worker.any = true;
      CRV_TRY(worker.log.Add(node, counters_.Bytes(worker.buffer)));
    }
    return cursor->status();
  }

  const Graph& graph_;
  const HyperBallOptions& options_;
  ParallelBlocks parallel_;
  BallCounters counters_;
  NodeBits modified_;                             // in the last pass
  NodeBits modified_next_;                        // in this one
  std::vector<std::unique_ptr<Worker>> workers_;  // of each thread
  HyperBallResult& result_;
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
