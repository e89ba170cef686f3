// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/file_system.h"
#include "base/mapped_file.h"
#include "base/status.h"
#include "bits/bit_stream.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/java_properties.h"
#include "graph/graph.h"
#include "succinct/elias_fano.h"

namespace crivello::graph {

// Numbers on the arcs of a graph, such as link counts, in WebGraph's label files: BASENAME.labels (a bit
// stream with one number per arc, in the order of the arcs), .labeloffsets (the start of each node's labels)
// and .properties, which names the graph.  docs/formats/bvgraph.md.

// The encoding of labels; WebGraph's classes GammaCodedIntLabel and FixedWidthIntLabel.
struct ArcLabelFormat {
  enum class Kind : uint8_t { kGamma, kFixedWidth };
  static constexpr uint32_t kMaxLabel = 0x7fffffff;

  Kind kind = Kind::kGamma;
  unsigned width = 0;         // for kFixedWidth, in bits: 0 to 31
  std::string key = "count";  // the name of the label

  // The labelspec: "it.unimi.dsi.webgraph.labelling.FixedWidthIntLabel(count,8)".
  std::string Spec() const;
  // InvalidArgument, with the spec, if it is of another class or malformed.
  static Result<ArcLabelFormat> Parse(std::string_view spec);
  friend bool operator==(const ArcLabelFormat&, const ArcLabelFormat&) = default;
};

// The labels of a graph, without the graph.  Immutable; any number of threads may read, each with a reader.
class ArcLabels {
 public:
  // `properties` are those of the label files, `offsets` and `labels` the bytes of the two others; the labels
  // must outlive this.  `name` is for errors.
  static Result<ArcLabels> FromBytes(const JavaProperties& properties, uint64_t nodes, Bytes labels,
                                     Bytes offsets, std::string name);

  const ArcLabelFormat& format() const { return format_; }

  // Reads the labels of any node; reading consecutive nodes is fastest.  One thread at a time; the labels
  // must outlive it.
  class Reader {
   public:
    explicit Reader(const ArcLabels& labels) : labels_(labels), reader_(labels.labels_) {}
    // The label of each successor, until the next call.  Corruption, with the node, if they are damaged.
    // REQUIRES: node is a node of the graph, and outdegree its outdegree there.
    Result<std::span<const uint32_t>> Read(Node node, uint64_t outdegree);

   private:
    const ArcLabels& labels_;
    bits::BitReader reader_;
    uint64_t next_ = 0;  // the node whose labels the reader is at
    std::vector<uint32_t> read_;
  };

 private:
  ArcLabels() = default;

  ArcLabelFormat format_;
  std::string name_;
  Bytes labels_;
  std::vector<uint64_t> offset_words_;
  succinct::EliasFano offsets_;  // views offset_words_
};

// A BVGraph with labels, from files.  Immutable; any number of threads may read.
class LabelledGraph {
 public:
  // BASENAME is that of the label files; their properties name the graph, relative to their folder.
  static Result<LabelledGraph> Open(const std::string& basename, BvGraphOptions options = {});

  const BvGraph& graph() const { return *graph_; }
  const ArcLabels& labels() const { return labels_; }

 private:
  LabelledGraph(std::unique_ptr<BvGraph> graph, MappedFile file, ArcLabels labels)
      : graph_(std::move(graph)), file_(std::move(file)), labels_(std::move(labels)) {}

  std::unique_ptr<BvGraph> graph_;
  MappedFile file_;
  ArcLabels labels_;  // views file_
};

// Writes the three label files.  Finish() makes them appear, .properties last.  One thread at a time.
class ArcLabelWriter {
 public:
  // `graph` is the basename of the graph to write to the properties, relative to the folder of the files.
  // InvalidArgument if the format is invalid.
  static Result<ArcLabelWriter> Create(const std::string& basename, const std::string& graph,
                                       const ArcLabelFormat& format, FileSystem& fs = PosixFileSystem());
  // The labels of the next node's arcs.  InvalidArgument if one does not fit.
  Status Add(std::span<const uint32_t> labels);
  Status Finish();

 private:
  ArcLabelWriter(std::string basename, std::string graph, ArcLabelFormat format, AtomicFile labels,
                 AtomicFile offsets, FileSystem& fs);

  std::string basename_;
  std::string graph_;
  ArcLabelFormat format_;
  AtomicFile labels_;
  AtomicFile offsets_;
  FileSystem* fs_;
  bits::BitWriter label_bits_;
  bits::BitWriter offset_bits_;
  uint64_t nodes_ = 0;
};

}  // namespace crivello::graph
