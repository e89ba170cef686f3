// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "bits/bit_stream.h"
#include "graph/bv/bv_encoder.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/java_properties.h"

namespace crivello::graph {
namespace {

constexpr uint64_t kArcsPerThread = uint64_t{1} << 18;
constexpr uint64_t kCostsPerBlock = uint64_t{1} << 20;
constexpr size_t kDrainBytes = 1 << 20;

// A sequence of lists: those of the nodes of a block, preceded by those of the window before it.
class ListBlock {
 public:
  void Add(std::span<const Node> list) {
    nodes_.insert(nodes_.end(), list.begin(), list.end());
    ends_.push_back(nodes_.size());
  }
  size_t size() const { return ends_.size(); }
  uint64_t arcs() const { return nodes_.size(); }
  std::span<const Node> operator[](size_t i) const {
    const uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(nodes_).subspan(begin, ends_[i] - begin);
  }
  void KeepLast(size_t count) {
    const size_t gone = size() - count;
    const uint64_t arcs_gone = gone == 0 ? 0 : ends_[gone - 1];
    nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<ptrdiff_t>(arcs_gone));
    ends_.erase(ends_.begin(), ends_.begin() + static_cast<ptrdiff_t>(gone));
    for (uint64_t& end : ends_) end -= arcs_gone;
  }

 private:
  std::vector<Node> nodes_;
  std::vector<uint64_t> ends_;
};

// Appends the contents of another writer to a stream, bit by bit.
void AppendBits(bits::BitWriter& from, bits::BitWriter& to) {
  const uint64_t size = from.position();
  bits::BitReader reader(from.Finish(), size);
  for (uint64_t left = size; left > 0;) {
    const unsigned n = left < 64 ? static_cast<unsigned>(left) : 64;
    to.WriteBits(reader.ReadBits(n), n);
    left -= n;
  }
}

unsigned ThreadsFor(const BvWriterOptions& options) {
  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1u);
  return options.threads == 0 ? processors : std::min(options.threads, 256u);
}

// A part of the nodes of a block, and a thread's output for it.
struct EncoderPart {
  explicit EncoderPart(const BvParameters& parameters) : encoder(parameters) {}

  size_t begin = 0;  // in the block
  size_t end = 0;
  BvEncoder encoder;
  bits::BitWriter bits;
  BvStats stats;
};

}  // namespace

struct BvWriter::State {
  State(std::string name, const BvWriterOptions& given, unsigned thread_count, FileSystem& file_system)
      : basename(std::move(name)),
        parameters(given.parameters),
        fs(&file_system),
        offsets_code(given.parameters.codes.offsets) {
    for (unsigned i = 0; i < thread_count; i++) parts.emplace_back(parameters);
    block_arcs = thread_count * kArcsPerThread;
    block_nodes = std::max<uint64_t>(kCostsPerBlock / (uint64_t{parameters.window} + 1), 1);
  }

  Status WriteBlock();
  void WriteAlone();
  void WriteTogether();
  uint64_t NodeOf(size_t i) const { return next_node - lists.size() + i; }
  // Whether a reference to the list `distance` before the i-th is allowed.
  bool MayRefer(size_t i, uint64_t distance) const {
    return distance <= i && !lists[i - distance].empty() && chains[i - distance] < parameters.max_ref_count;
  }
  void Choose(size_t i, uint64_t distance) {
    distances[i] = static_cast<uint32_t>(distance);
    chains[i] = distance == 0 ? 0 : chains[i - distance] + 1;
  }
  uint64_t Encode(size_t i, BvEncoder& encoder, bits::BitWriter& writer, BvStats& to) {
    const uint32_t distance = distances[i];
    to.chain_lengths += chains[i];
    return encoder.Write(NodeOf(i), lists[i], distance,
                         distance == 0 ? std::span<const Node>() : lists[i - distance], writer, to);
  }
  void DivideAmongParts();
  void InParallel(const std::function<void(EncoderPart&)>& work);

  const std::string basename;
  const BvParameters parameters;
  FileSystem* const fs;
  const BvCodeWriter offsets_code;
  uint64_t block_arcs;
  uint64_t block_nodes;

  uint64_t next_node = 0;
  uint64_t max_successor = 0;
  // All current lists; those below `written` are written and only serve as references.
  ListBlock lists;
  size_t written = 0;
  std::vector<uint32_t> distances;
  std::vector<uint32_t> chains;   // the number of references from a list to one without a reference
  std::vector<uint64_t> lengths;  // of the records of this block, in bits

  std::vector<EncoderPart> parts;
  BvStats stats;
  bits::BitWriter graph_bits;
  bits::BitWriter offset_bits;
  std::vector<AtomicFile> files;  // .graph and .offsets; empty if bits are only counted
  Status status;
};

BvWriter::BvWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
BvWriter::BvWriter(BvWriter&&) noexcept = default;
BvWriter::~BvWriter() = default;

Result<BvWriter> BvWriter::Create(const std::string& basename, BvWriterOptions options, FileSystem& fs) {
  CRV_TRY(CheckWritable(options.parameters));
  auto state = std::make_unique<State>(basename, options, ThreadsFor(options), fs);
  for (const char* extension : {".graph", ".offsets"}) {
    CRV_ASSIGN(AtomicFile file, AtomicFile::Create(basename + extension, fs));
    state->files.push_back(std::move(file));
  }
  state->offsets_code.Write(0, state->offset_bits);
  return BvWriter(std::move(state));
}

Status BvWriter::Add(std::span<const Node> successors) {
  State& state = *state_;
  CRV_TRY(state.status);
  if (state.next_node == kMaxNodes) {
    return Status::InvalidArgument(fmt::format("a graph of more than {} nodes", kMaxNodes));
  }
  for (size_t i = 1; i < successors.size(); i++) {
    if (successors[i] <= successors[i - 1]) {
      return Status::InvalidArgument(
          fmt::format("successor {} of node {} comes after {}: expected increasing numbers", successors[i],
                      state.next_node, successors[i - 1]));
    }
  }
  if (!successors.empty()) state.max_successor = std::max<uint64_t>(state.max_successor, successors.back());
  state.lists.Add(successors);
  state.next_node++;
  if (state.lists.arcs() >= state.block_arcs || state.lists.size() - state.written >= state.block_nodes) {
    state.status = state.WriteBlock();
  }
  return state.status;
}

Status BvWriter::State::WriteBlock() {
  const size_t size = lists.size();
  distances.resize(size);
  chains.resize(size);
  lengths.resize(size);
  if (parts.size() == 1) {
    WriteAlone();
  } else {
    WriteTogether();
  }
  for (size_t i = written; i < size; i++) offsets_code.Write(lengths[i], offset_bits);
  written = std::min<size_t>(size, parameters.window);
  lists.KeepLast(written);
  chains.erase(chains.begin(), chains.end() - static_cast<ptrdiff_t>(written));
  if (files.empty()) {
    graph_bits.Clear();
    offset_bits.Clear();
    return Status::Ok();
  }
  if (graph_bits.buffered_bytes() >= kDrainBytes) CRV_TRY(graph_bits.DrainTo(files[0]));
  if (offset_bits.buffered_bytes() >= kDrainBytes) CRV_TRY(offset_bits.DrainTo(files[1]));
  return Status::Ok();
}

// One thread chooses as it writes: it can skip lists that must not be referred to, and stop evaluating a
// candidate that is worse than another.
void BvWriter::State::WriteAlone() {
  BvEncoder& encoder = parts[0].encoder;
  for (size_t i = written; i < lists.size(); i++) {
    const auto list = lists[i];
    uint64_t best = 0;
    if (!list.empty() && parameters.window > 0) {
      uint64_t least = encoder.Cost(NodeOf(i), list, 0, {}, BvEncoder::kNoLimit);
      for (uint64_t distance = 1; distance <= parameters.window; distance++) {
        if (!MayRefer(i, distance)) continue;
        const uint64_t cost = encoder.Cost(NodeOf(i), list, distance, lists[i - distance], least);
        if (cost >= least) continue;
        least = cost;
        best = distance;
      }
    }
    Choose(i, best);
    lengths[i] = Encode(i, encoder, graph_bits, stats);
  }
}

void BvWriter::State::WriteTogether() {
  DivideAmongParts();
  // The cost of each candidate, or a value not below the cost without a reference.
  const size_t candidates = size_t{parameters.window} + 1;
  std::vector<uint64_t> costs((lists.size() - written) * candidates, BvEncoder::kNoLimit);
  InParallel([&](EncoderPart& part) {
    for (size_t i = part.begin; i < part.end; i++) {
      const auto list = lists[i];
      uint64_t* const of_node = &costs[(i - written) * candidates];
      if (list.empty()) continue;
      of_node[0] = part.encoder.Cost(NodeOf(i), list, 0, {}, BvEncoder::kNoLimit);
      for (uint64_t distance = 1; distance < candidates && distance <= i; distance++) {
        const auto reference = lists[i - distance];
        if (reference.empty()) continue;
        of_node[distance] = part.encoder.Cost(NodeOf(i), list, distance, reference, of_node[0]);
      }
    }
  });
  for (size_t i = written; i < lists.size(); i++) {
    const uint64_t* const of_node = &costs[(i - written) * candidates];
    uint64_t best = 0;
    for (uint64_t distance = 1; distance < candidates; distance++) {
      if (of_node[distance] < of_node[best] && MayRefer(i, distance)) best = distance;
    }
    Choose(i, best);
  }
  InParallel([&](EncoderPart& part) {
    for (size_t i = part.begin; i < part.end; i++)
      lengths[i] = Encode(i, part.encoder, part.bits, part.stats);
  });
  for (EncoderPart& part : parts) {
    AppendBits(part.bits, graph_bits);
    part.bits.Clear();
    stats += std::exchange(part.stats, BvStats());
  }
}

// Divides them into runs of nodes with about equal numbers of arcs.
void BvWriter::State::DivideAmongParts() {
  uint64_t work = 0;
  for (size_t i = written; i < lists.size(); i++) work += lists[i].size() + 1;
  uint64_t done = 0;
  size_t i = written;
  for (size_t p = 0; p < parts.size(); p++) {
    parts[p].begin = i;
    while (i < lists.size() && done < work * (p + 1) / parts.size()) done += lists[i++].size() + 1;
    parts[p].end = i;
  }
  parts.back().end = lists.size();
}

void BvWriter::State::InParallel(const std::function<void(EncoderPart&)>& work) {
  std::vector<std::jthread> threads;
  for (size_t p = 1; p < parts.size(); p++) threads.emplace_back([&work, &part = parts[p]] { work(part); });
  work(parts[0]);
}

Result<BvStats> BvWriter::Finish() {
  State& state = *state_;
  CRV_TRY(state.status);
  if (state.max_successor >= state.next_node && state.max_successor > 0) {
    return Status::InvalidArgument(fmt::format("there is an arc to node {}, but only {} nodes were added",
                                               state.max_successor, state.next_node));
  }
  CRV_TRY(state.WriteBlock());
  CRV_TRY(state.graph_bits.FinishTo(state.files[0]));
  CRV_TRY(state.offset_bits.FinishTo(state.files[1]));
  const std::string properties_path = state.basename + ".properties";
  const Status removed = state.fs->Remove(properties_path);
  if (!removed.ok() && removed.code() != StatusCode::kNotFound) return removed;
  for (AtomicFile& file : state.files) CRV_TRY(file.Finish());
  const std::string text =
      FormatJavaProperties(MakeBvProperties(state.stats, state.parameters), "BVGraph properties");
  CRV_TRY(WriteFileAtomically(properties_path, std::as_bytes(std::span(text)), *state.fs));
  return state.stats;
}

namespace {

// Adds all nodes of a graph.
Status AddAll(const Graph& graph, BvWriter& writer, const BvWork& work) {
  if (work.progress != nullptr) work.progress->Start("compressing nodes", graph.nodes());
  constexpr uint64_t kNodesPerReport = uint64_t{1} << 14;
  const auto cursor = graph.Scan();
  for (uint64_t added = 1; cursor->Next(); added++) {
    CRV_TRY(writer.Add(cursor->successors()));
    if (added % kNodesPerReport != 0) continue;
    if (work.progress != nullptr) work.progress->Advance(kNodesPerReport);
    if (work.stop.stop_requested()) return Status::Unavailable("compressing the graph was interrupted");
  }
  if (work.progress != nullptr) work.progress->Finish();
  return cursor->status();
}

}  // namespace

Result<BvStats> WriteBvGraph(const Graph& graph, const std::string& basename, BvWriterOptions options,
                             BvWork work, FileSystem& fs) {
  CRV_ASSIGN(BvWriter writer, BvWriter::Create(basename, options, fs));
  CRV_TRY(AddAll(graph, writer, work));
  return writer.Finish();
}

Result<BvStats> MeasureBvGraph(const Graph& graph, BvWriterOptions options, BvWork work) {
  CRV_TRY(CheckWritable(options.parameters));
  BvWriter writer(std::make_unique<BvWriter::State>("", options, ThreadsFor(options), PosixFileSystem()));
  CRV_TRY(AddAll(graph, writer, work));
  CRV_TRY(writer.state_->WriteBlock());
  return writer.state_->stats;
}

Status WriteBvOffsets(const BvGraph& graph, const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(AtomicFile file, AtomicFile::Create(path, fs));
  const BvCode code = graph.parameters().codes.offsets;
  const BvCodeWriter writer(code);
  bits::BitWriter bits;
  uint64_t last = 0;
  Status status;
  CRV_TRY(graph.ForEachOffset([&](uint64_t position) {
    writer.Write(position - last, bits);
    last = position;
    if (bits.buffered_bytes() >= kDrainBytes && status.ok()) status = bits.DrainTo(file);
  }));
  CRV_TRY(status);
  CRV_TRY(bits.FinishTo(file));
  return file.Finish();
}

}  // namespace crivello::graph
