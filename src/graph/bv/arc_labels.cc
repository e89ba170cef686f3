// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/arc_labels.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "bits/codes.h"

namespace crivello::graph {
namespace {

constexpr std::string_view kPackages[] = {"it.unimi.dsi.webgraph.labelling.",
                                          "it.unimi.dsi.big.webgraph.labelling."};
constexpr std::string_view kGraphClass = "BitStreamArcLabelledImmutableGraph";
constexpr std::string_view kGammaClass = "GammaCodedIntLabel";
constexpr std::string_view kFixedClass = "FixedWidthIntLabel";
constexpr size_t kBufferedLabelBytes = 1 << 20;

// A class name without its package; empty if it is not in the package of labels.
std::string_view WithoutPackage(std::string_view name) {
  for (const std::string_view package : kPackages) {
    if (name.starts_with(package)) return name.substr(package.size());
  }
  return {};
}

Result<std::string> GetProperty(const JavaProperties& properties, const std::string& key) {
  const auto found = properties.find(key);
  if (found == properties.end()) {
    return Status::Corruption(
        fmt::format("the key '{}' is missing: these are not the properties of labels", key));
  }
  return found->second;
}

Status CheckFormat(const ArcLabelFormat& format) {
  const bool bad_key = format.key.empty() || format.key.find_first_of("(),") != std::string::npos;
  if (bad_key || format.width > 31) {
    return Status::InvalidArgument(fmt::format(
        "labels '{}' of {} bits: expected a name without brackets and commas, and at most 31 bits",
        format.key, format.width));
  }
  return Status::Ok();
}

}  // namespace

std::string ArcLabelFormat::Spec() const {
  return kind == Kind::kGamma ? fmt::format("{}{}({})", kPackages[0], kGammaClass, key)
                              : fmt::format("{}{}({},{})", kPackages[0], kFixedClass, key, width);
}

Result<ArcLabelFormat> ArcLabelFormat::Parse(std::string_view spec) {
  const auto unknown = [&] {
    return Status::InvalidArgument(fmt::format("'labelspec' is '{}': expected {}{}(NAME) or {}{}(NAME,BITS)",
                                               spec, kPackages[0], kGammaClass, kPackages[0], kFixedClass));
  };
  const std::string_view call = WithoutPackage(spec);
  const size_t open = call.find('(');
  if (open == std::string_view::npos || !call.ends_with(')')) return unknown();
  std::string_view arguments = call.substr(open + 1, call.size() - open - 2);
  ArcLabelFormat format;
  if (call.substr(0, open) == kFixedClass) {
    const size_t comma = arguments.find(',');
    if (comma == std::string_view::npos) return unknown();
    std::string_view width = arguments.substr(comma + 1);
    while (width.starts_with(' ')) width.remove_prefix(1);
    const auto end = std::from_chars(width.data(), width.data() + width.size(), format.width);
    if (end.ec != std::errc() || end.ptr != width.data() + width.size()) return unknown();
    format.kind = Kind::kFixedWidth;
    arguments = arguments.substr(0, comma);
  } else if (call.substr(0, open) != kGammaClass) {
    return unknown();
  }
  format.key = arguments;
  if (!CheckFormat(format).ok()) return unknown();
  return format;
}

Result<ArcLabels> ArcLabels::FromBytes(const JavaProperties& properties, uint64_t nodes, Bytes labels,
                                       Bytes offsets, std::string name) {
  CRV_ASSIGN(const std::string graph_class, GetProperty(properties, "graphclass"));
  if (WithoutPackage(graph_class) != kGraphClass) {
    return Status::InvalidArgument(
        fmt::format("'graphclass' is '{}': expected {}{}", graph_class, kPackages[0], kGraphClass));
  }
  CRV_ASSIGN(const std::string spec, GetProperty(properties, "labelspec"));
  ArcLabels result;
  CRV_ASSIGN(result.format_, ArcLabelFormat::Parse(spec));
  result.name_ = std::move(name);
  result.labels_ = labels;
  // An offset takes at least one bit, so this bounds the memory.
  const uint64_t label_bits = 8 * uint64_t{labels.size()};
  const auto damaged = [&](uint64_t node) {
    return Status::Corruption(
        fmt::format("{}: offset {} of {} is damaged, or outside of the labels' {} bytes", result.name_, node,
                    nodes + 1, labels.size()));
  };
  if (nodes >= 8 * uint64_t{offsets.size()}) return damaged(8 * uint64_t{offsets.size()});
  succinct::EliasFanoBuilder builder(nodes + 1, label_bits);
  bits::BitReader reader(offsets);
  uint64_t position = 0;
  for (uint64_t node = 0; node <= nodes; node++) {
    const uint64_t delta = bits::GammaCode::Read(reader);
    if (!reader.ok() || delta > label_bits - position) return damaged(node);
    position += delta;
    builder.Add(position);
  }
  ImageWriter image;
  CRV_TRY(builder.AppendTo(image));
  result.offset_words_ = std::move(image).Release();
  CRV_ASSIGN(result.offsets_, succinct::EliasFano::FromImage(std::as_bytes(std::span(result.offset_words_))));
  return result;
}

Result<std::span<const uint32_t>> ArcLabels::Reader::Read(Node node, uint64_t outdegree) {
  if (node != next_ || node == 0) reader_.SeekTo(labels_.offsets_.Access(node));
  next_ = uint64_t{node} + 1;
  read_.clear();
  bits::BitReader reader = reader_;
  bool fits = true;
  for (uint64_t i = 0; i < outdegree && reader.ok(); i++) {
    const uint64_t label = labels_.format_.kind == ArcLabelFormat::Kind::kGamma
                               ? bits::GammaCode::Read(reader)
                               : reader.ReadBits(labels_.format_.width);
    fits &= label <= ArcLabelFormat::kMaxLabel;
    read_.push_back(static_cast<uint32_t>(label));
  }
  if (!reader.ok() || !fits || reader.position() != labels_.offsets_.Access(uint64_t{node} + 1)) {
    reader_ = bits::BitReader(labels_.labels_);
    next_ = 0;
    return Status::Corruption(fmt::format("{}: the labels of node {} are damaged, or not those of {} arcs",
                                          labels_.name_, node, outdegree));
  }
  reader_ = reader;
  return std::span<const uint32_t>(read_);
}

Result<LabelledGraph> LabelledGraph::Open(const std::string& basename, BvGraphOptions options) {
  const std::string properties_path = basename + ".properties";
  CRV_ASSIGN(const JavaProperties properties, ReadJavaProperties(properties_path));
  auto underlying = GetProperty(properties, "underlyinggraph");
  if (!underlying.ok()) return underlying.status().WithContext(properties_path);
  const std::string graph_path = std::filesystem::path(basename).parent_path() / *underlying;
  CRV_ASSIGN(std::unique_ptr<BvGraph> graph, BvGraph::Open(graph_path, options));
  CRV_ASSIGN(MappedFile file, MappedFile::Open(basename + ".labels"));
  CRV_ASSIGN(const MappedFile offsets,
             MappedFile::Open(basename + ".labeloffsets", AccessPattern::kSequential));
  auto labels =
      ArcLabels::FromBytes(properties, graph->nodes(), file.bytes(), offsets.bytes(), basename + ".labels");
  if (!labels.ok()) return labels.status().WithContext(properties_path);
  return LabelledGraph(std::move(graph), std::move(file), std::move(labels).value());
}

ArcLabelWriter::ArcLabelWriter(std::string basename, std::string graph, ArcLabelFormat format,
                               AtomicFile labels, AtomicFile offsets, FileSystem& fs)
    : basename_(std::move(basename)),
      graph_(std::move(graph)),
      format_(std::move(format)),
      labels_(std::move(labels)),
      offsets_(std::move(offsets)),
      fs_(&fs) {
  bits::GammaCode::Write(offset_bits_, 0);
}

Result<ArcLabelWriter> ArcLabelWriter::Create(const std::string& basename, const std::string& graph,
                                              const ArcLabelFormat& format, FileSystem& fs) {
  CRV_TRY(CheckFormat(format));
  CRV_ASSIGN(AtomicFile labels, AtomicFile::Create(basename + ".labels", fs));
  CRV_ASSIGN(AtomicFile offsets, AtomicFile::Create(basename + ".labeloffsets", fs));
  return ArcLabelWriter(basename, graph, format, std::move(labels), std::move(offsets), fs);
}

Status ArcLabelWriter::Add(std::span<const uint32_t> labels) {
  const bool fixed = format_.kind == ArcLabelFormat::Kind::kFixedWidth;
  const uint64_t limit = fixed ? (uint64_t{1} << format_.width) - 1 : ArcLabelFormat::kMaxLabel;
  const uint64_t before = label_bits_.position();
  for (const uint32_t label : labels) {
    if (label > limit) {
      return Status::InvalidArgument(
          fmt::format("the label {} of an arc of node {}: expected at most {}", label, nodes_, limit));
    }
    if (fixed) {
      label_bits_.WriteBits(label, format_.width);
    } else {
      bits::GammaCode::Write(label_bits_, label);
    }
  }
  nodes_++;
  bits::GammaCode::Write(offset_bits_, label_bits_.position() - before);
  if (label_bits_.buffered_bytes() >= kBufferedLabelBytes) CRV_TRY(label_bits_.DrainTo(labels_));
  if (offset_bits_.buffered_bytes() >= kBufferedLabelBytes) CRV_TRY(offset_bits_.DrainTo(offsets_));
  return Status::Ok();
}

Status ArcLabelWriter::Finish() {
  CRV_TRY(label_bits_.FinishTo(labels_));
  CRV_TRY(offset_bits_.FinishTo(offsets_));
  const std::string path = basename_ + ".properties";
  const Status removed = fs_->Remove(path);
  if (!removed.ok() && removed.code() != StatusCode::kNotFound) return removed;
  CRV_TRY(labels_.Finish());
  CRV_TRY(offsets_.Finish());
  const JavaProperties properties = {{"graphclass", std::string(kPackages[0]) + std::string(kGraphClass)},
                                     {"underlyinggraph", graph_},
                                     {"labelspec", format_.Spec()}};
  const std::string text = FormatJavaProperties(properties, "BitStreamArcLabelledImmutableGraph properties");
  return WriteFileAtomically(path, std::as_bytes(std::span(text)), *fs_);
}

}  // namespace crivello::graph
