// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>
#include <vector>

#include "graph/bv/bv_source.h"
#include "graph/bv/java_properties.h"

namespace crivello::graph {
namespace {

// Calls f(source) with a source for these parameters, at the start of the graph.
template <typename F>
auto WithBvSource(const BvParameters& parameters, Bytes graph, F&& f) {
  const BvCodes& codes = parameters.codes;
  if (FastSource<3>::Reads(parameters)) return f(FastSource<3>(graph, codes));
  if (FastSource<0>::Reads(parameters)) return f(FastSource<0>(graph, codes));
  if (parameters.little_endian) return f(AnySource<LittleBitReader>(graph, codes));
  return f(AnySource<BigBitReader>(graph, codes));
}

}  // namespace

template <typename Source>
class BvReader final : public SuccessorReader {
 public:
  // REQUIRES: the graph has offsets.
  BvReader(const BvGraph& graph, const Source& source)
      : graph_(graph), shape_(graph.shape()), source_(source) {}

  Result<std::span<const Node>> Successors(Node node) override {
    const BvDamage damage = Decode(node);
    if (damage != BvDamage::kNone) [[unlikely]]
      return graph_.Damaged(node, damage);
    return list_.span();
  }

  const NodeList& list() const { return list_; }
  BvDamage Decode(uint64_t node) {
    // Follow the chain of references to a list that has none.
    chain_.clear();
    for (uint64_t at = node;;) {
      Source source = source_;
      const BvDamage lost = Locate(at, source);
      if (lost != BvDamage::kNone) return lost;
      const BvHead head = ReadBvHead(source, shape_, at);
      if (head.damage != BvDamage::kNone) return head.damage;
      if (chain_.size() > graph_.parameters().max_ref_count) return BvDamage::kReference;
      chain_.push_back({source, at, head});
      if (head.reference == 0) break;
      at -= head.reference;
    }
    // Then decode back up.
    list_.SetSize(0);
    for (; !chain_.empty(); chain_.pop_back()) {
      Link& link = chain_.back();
      swap(list_, reference_);
      if (link.head.outdegree == 0) {
        list_.SetSize(0);
        continue;
      }
      const BvDamage damage =
          DecodeBvRecord(link.source, shape_, link.node, link.head, reference_, scratch_, list_);
      if (damage != BvDamage::kNone) return damage;
    }
    return BvDamage::kNone;
  }

  // Moves a source to the record of a node.
  BvDamage Locate(uint64_t node, Source& source) {
    const BvOffsets& offsets = *graph_.offsets_;
    const uint64_t first = node - node % offsets.jump();
    source.SeekTo(offsets.Position(first));
    if (first == node) return BvDamage::kNone;
    outdegrees_.resize(node - first);
    for (uint64_t at = first; at < node; at++) {
      const BvHead head = ReadBvHead(source, shape_, at);
      if (head.damage != BvDamage::kNone) return head.damage;
      outdegrees_[at - first] = head.outdegree;
      if (head.outdegree == 0) continue;
      const uint64_t reference = at - head.reference;
      const uint64_t size = head.reference == 0  ? 0
                            : reference >= first ? outdegrees_[reference - first]
                                                 : offsets.OutdegreeBefore(first, first - reference);
      const BvDamage damage = SkipBvRecord(source, shape_, head, size);
      if (damage != BvDamage::kNone) return damage;
    }
    return BvDamage::kNone;
  }

 private:
  struct Link {
    Source source;
    uint64_t node;
    BvHead head;
  };

  const BvGraph& graph_;
  const BvShape shape_;
  const Source source_;
  std::vector<Link> chain_;
  std::vector<uint64_t> outdegrees_;  // of the nodes from `first` on
  BvScratch scratch_;
  NodeList list_;
  NodeList reference_;
};

template <typename Source>
class BvCursor final : public BvGraph::PositionedCursor {
 public:
  BvCursor(const BvGraph& graph, const Source& source, uint64_t begin, uint64_t end)
      : graph_(graph),
        shape_(graph.shape()),
        source_(source),
        begin_(begin),
        next_(graph.has_offsets() ? begin : 0),
        end_(end),
        arcs_left_(graph.arcs()) {
    // All lists that can be referred to, and this one.
    const uint64_t lists = std::bit_ceil(std::min<uint64_t>(shape_.window, graph.nodes()) + 1);
    lists_ = std::vector<NodeList>(lists);
    mask_ = lists - 1;
    if (next_ > 0 && next_ < end_) damage_ = ReadWindow();
    if (damage_ != BvDamage::kNone) Fail();
  }

  bool Next() override {
    while (next_ < begin_) {
      if (!Decode()) return false;
    }
    return Decode();
  }
  Node node() const override { return static_cast<Node>(next_ - 1); }
  std::span<const Node> successors() const override { return lists_[(next_ - 1) & mask_].span(); }
  const Status& status() const override { return status_; }
  uint64_t position() const override { return source_.position(); }

 private:
  // Decodes the lists before the first one.
  BvDamage ReadWindow() {
    BvReader<Source> reader(graph_, source_);
    const uint64_t window = std::min<uint64_t>(shape_.window, next_);
    for (uint64_t node = next_ - window; node < next_; node++) {
      const BvDamage damage = reader.Decode(node);
      if (damage != BvDamage::kNone) return damage;
      const NodeList& from = reader.list();
      NodeList& to = lists_[node & mask_];
      std::copy(from.data(), from.data() + from.size(), to.Reserve(from.size()));
      to.SetSize(from.size());
    }
    return reader.Locate(next_, source_);
  }

  bool Decode() {
    if (next_ >= end_) [[unlikely]]
      return End();
    const BvHead head = ReadBvHead(source_, shape_, next_);
    NodeList& list = lists_[next_ & mask_];
    damage_ = head.damage;
    if (head.outdegree == 0) {
      list.SetSize(0);
    } else if (damage_ == BvDamage::kNone) {
      if (head.outdegree > arcs_left_) [[unlikely]] {
        damage_ = BvDamage::kArcs;
        return Fail();
      }
      arcs_left_ -= head.outdegree;
      damage_ = DecodeBvRecord(source_, shape_, next_, head, lists_[(next_ - head.reference) & mask_],
                               scratch_, list);
    }
    if (damage_ != BvDamage::kNone) [[unlikely]]
      return Fail();
    next_++;
    return true;
  }

  [[gnu::noinline]] bool Fail() {
    status_ = graph_.Damaged(next_, damage_);
    end_ = begin_ = 0;
    return false;
  }
  [[gnu::noinline]] bool End() {
    if (status_.ok() && begin_ == 0 && end_ == graph_.nodes() && arcs_left_ > 0) {
      status_ =
          Status::Corruption(fmt::format("{}: the graph has {} arcs: expected {}, as its properties say",
                                         graph_.name_, graph_.arcs() - arcs_left_, graph_.arcs()));
    }
    return false;
  }

  const BvGraph& graph_;
  const BvShape shape_;
  Source source_;
  uint64_t begin_;  // nodes before it are decoded but not returned
  uint64_t next_;
  uint64_t end_;
  uint64_t arcs_left_;  // that the graph may still have
  std::vector<NodeList> lists_;
  uint64_t mask_ = 0;
  BvScratch scratch_;
  BvDamage damage_ = BvDamage::kNone;
  Status status_;
};

Result<std::unique_ptr<BvGraph>> BvGraph::Open(const std::string& basename, BvGraphOptions options) {
  CRV_ASSIGN(const JavaProperties text, ReadJavaProperties(basename + ".properties"));
  auto properties = ReadBvProperties(text);
  if (!properties.ok()) return properties.status().WithContext(basename + ".properties");
  std::unique_ptr<BvGraph> graph(new BvGraph(*properties, basename + ".graph"));
  CRV_ASSIGN(MappedFile file, MappedFile::Open(graph->name_));
  graph->file_.emplace(std::move(file));
  if (options.offsets == BvOffsetsFrom::kNowhere) {
    CRV_TRY(graph->Start(graph->file_->bytes(), std::nullopt, options));
    return graph;
  }
  const std::string offsets_path = basename + ".offsets";
  auto offsets = MappedFile::Open(offsets_path, AccessPattern::kSequential);
  if (offsets.ok()) {
    CRV_TRY(graph->Start(graph->file_->bytes(), offsets->bytes(), options).WithContext(offsets_path));
  } else {
    if (offsets.status().code() != StatusCode::kNotFound) return offsets.status();
    CRV_TRY(graph->Start(graph->file_->bytes(), std::nullopt, options));
  }
  return graph;
}

Result<std::unique_ptr<BvGraph>> BvGraph::FromBytes(const BvProperties& properties, Bytes graph,
                                                    std::optional<Bytes> offsets, std::string name,
                                                    BvGraphOptions options) {
  std::unique_ptr<BvGraph> result(new BvGraph(properties, std::move(name)));
  CRV_TRY(result->Start(graph, offsets, options));
  return result;
}

Status BvGraph::Start(Bytes graph, std::optional<Bytes> offsets, BvGraphOptions options) {
  graph_ = graph;
  if (options.jump < 1 || options.jump > uint64_t{1} << 20) {
    return Status::InvalidArgument(
        fmt::format("one offset every {} nodes: expected 1 to {}", options.jump, uint64_t{1} << 20));
  }
  if (nodes() > 8 * uint64_t{graph.size()}) {
    return Status::Corruption(
        fmt::format("{}: {} bytes are too few for {} nodes, which take a bit each at least", name_,
                    graph.size(), nodes()));
  }
  if (options.offsets == BvOffsetsFrom::kNowhere) return Status::Ok();
  if (offsets) return ReadOffsets(*offsets, options.jump);
  return options.offsets == BvOffsetsFrom::kFileOrScan ? ScanOffsets(options.jump) : Status::Ok();
}

Status BvGraph::ReadOffsets(Bytes offsets, uint64_t jump) {
  const uint64_t graph_bits = 8 * uint64_t{graph_.size()};
  BvOffsetsBuilder builder(nodes(), graph_bits, parameters().window, jump);
  BigBitReader reader(offsets);
  const BvCode code = parameters().codes.offsets;
  return WithBvSource(parameters(), graph_, [&](auto source) -> Status {
    uint64_t position = 0;
    for (uint64_t node = 0; node <= nodes(); node++) {
      const uint64_t delta = ReadBvCode(code, reader);
      if (!reader.ok()) {
        return Status::Corruption(fmt::format(
            "the file ends or is damaged at offset {} of {}; without it, offsets are made from the graph",
            node, nodes() + 1));
      }
      if (delta > graph_bits - position) {
        return Status::Corruption(fmt::format(
            "offset {} of {} is beyond the end of {}, which has {} bytes: the graph was truncated, "
            "or this file is damaged or belongs to another graph; without it, offsets are made "
            "from the graph",
            node, nodes() + 1, name_, graph_.size()));
      }
      position += delta;
      if (node == nodes()) break;
      uint64_t outdegree = 0;
      if (builder.wants_outdegrees()) {
        source.SeekTo(position);
        // More than the number of nodes is damage, which decoding will find; a reader must not skip as many.
        outdegree = std::min<uint64_t>(source.Outdegree(), nodes());
      }
      builder.Add(position, outdegree);
    }
    CRV_ASSIGN(offsets_, std::move(builder).Finish());
    return Status::Ok();
  });
}

Status BvGraph::ScanOffsets(uint64_t jump) {
  BvOffsetsBuilder builder(nodes(), 8 * uint64_t{graph_.size()}, parameters().window, jump);
  const auto cursor = NewCursor(0, nodes());
  uint64_t position = cursor->position();
  while (cursor->Next()) {
    builder.Add(position, cursor->successors().size());
    position = cursor->position();
  }
  CRV_TRY(cursor->status());
  CRV_ASSIGN(offsets_, std::move(builder).Finish());
  return Status::Ok();
}

std::unique_ptr<BvGraph::PositionedCursor> BvGraph::NewCursor(uint64_t begin, uint64_t end) const {
  assert(begin <= end && end <= nodes());
  return WithBvSource(parameters(), graph_, [&](const auto& source) -> std::unique_ptr<PositionedCursor> {
    using Source = std::remove_cvref_t<decltype(source)>;
    return std::make_unique<BvCursor<Source>>(*this, source, begin, end);
  });
}

std::unique_ptr<NodeCursor> BvGraph::Scan(uint64_t begin, uint64_t end) const {
  return NewCursor(begin, end);
}

Result<std::unique_ptr<SuccessorReader>> BvGraph::Reader() const {
  if (!offsets_) {
    return Status::Unavailable(fmt::format(
        "{}: the graph can only be scanned, because it was opened without offsets and has no .offsets file",
        name_));
  }
  return WithBvSource(
      parameters(), graph_, [&](const auto& source) -> Result<std::unique_ptr<SuccessorReader>> {
        using Source = std::remove_cvref_t<decltype(source)>;
        return std::unique_ptr<SuccessorReader>(std::make_unique<BvReader<Source>>(*this, source));
      });
}

Status BvGraph::Damaged(uint64_t node, BvDamage damage) const {
  return Status::Corruption(fmt::format("{}: the list of node {}, or one that it refers to, is damaged: {}",
                                        name_, node, Describe(damage)));
}

}  // namespace crivello::graph
