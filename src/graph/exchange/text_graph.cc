// SPDX-License-Identifier: Apache-2.0
#include "graph/exchange/text_graph.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/atomic_file.h"

namespace crivello::graph {
namespace {

// Lists can be as long as the number of nodes, but a file without line ends must not fill the memory.
constexpr size_t kMaxListBytes = size_t{1} << 32;

bool IsSeparator(char c) { return c == ' ' || c == '\t'; }

std::string_view WithoutBlanks(std::string_view line) {
  while (!line.empty() && IsSeparator(line.front())) line.remove_prefix(1);
  return line;
}

// Takes a node from the front of a line; nullopt if there is no number below 2^32 - 1.
std::optional<Node> TakeNode(std::string_view& line) {
  line = WithoutBlanks(line);
  Node node = 0;
  const auto end = std::from_chars(line.data(), line.data() + line.size(), node);
  if (end.ec != std::errc() || node == kMaxNodes) return std::nullopt;
  line.remove_prefix(static_cast<size_t>(end.ptr - line.data()));
  if (!line.empty() && !IsSeparator(line.front())) return std::nullopt;
  return node;
}

// The part of a line to show in an error.
std::string_view Beginning(std::string_view line) { return line.substr(0, 40); }

Status AppendText(AtomicFile& file, std::string_view text) {
  return file.Append(std::as_bytes(std::span(text)));
}

}  // namespace

Result<AsciiGraphReader> AsciiGraphReader::Open(const std::string& path) {
  CRV_ASSIGN(LineReader lines, LineReader::Open(path, kMaxListBytes));
  if (!lines.Next()) {
    CRV_TRY(lines.status());
    return Status::Corruption(fmt::format("{}: the file is empty: expected the number of nodes", path));
  }
  std::string_view line = WithoutBlanks(lines.line());
  uint64_t nodes = 0;
  const auto end = std::from_chars(line.data(), line.data() + line.size(), nodes);
  if (end.ec != std::errc() || nodes > kMaxNodes ||
      !WithoutBlanks(line.substr(static_cast<size_t>(end.ptr - line.data()))).empty()) {
    return lines.AtLine(Status::Corruption(
        fmt::format("invalid number of nodes '{}': expected 0 to {}", Beginning(line), kMaxNodes)));
  }
  return AsciiGraphReader(std::move(lines), nodes);
}

bool AsciiGraphReader::Next() {
  if (!status_.ok() || read_ == nodes_) return false;
  if (!lines_.Next()) {
    status_ = lines_.status();
    if (status_.ok()) {
      status_ = lines_.AtLine(
          Status::Corruption(fmt::format("the file ends after {} lists: expected {}", read_, nodes_)));
    }
    return false;
  }
  status_ = ParseLine();
  if (status_.ok() && ++read_ == nodes_) {
    // Only blank lines may follow; the list of this node stays as it is.
    while (lines_.Next()) {
      if (WithoutBlanks(lines_.line()).empty()) continue;
      status_ = lines_.AtLine(Status::Corruption(fmt::format("there are more lists than {} nodes", nodes_)));
      return false;
    }
    status_ = lines_.status();
  }
  return status_.ok();
}

Status AsciiGraphReader::ParseLine() {
  successors_.clear();
  std::string_view line = WithoutBlanks(lines_.line());
  while (!line.empty()) {
    const std::string_view from = line;
    const auto node = TakeNode(line);
    if (!node || *node >= nodes_ || (!successors_.empty() && *node <= successors_.back())) {
      return lines_.AtLine(Status::Corruption(
          fmt::format("'{}' as a successor of node {}: expected increasing numbers below {}", Beginning(from),
                      read_, nodes_)));
    }
    successors_.push_back(*node);
    line = WithoutBlanks(line);
  }
  return Status::Ok();
}

Status WriteAsciiGraph(const Graph& graph, const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(AtomicFile file, AtomicFile::Create(path, fs));
  CRV_TRY(AppendText(file, fmt::format("{}\n", graph.nodes())));
  std::string text;
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    text.clear();
    for (const Node target : cursor->successors()) {
      fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : " ", target);
    }
    text += '\n';
    CRV_TRY(AppendText(file, text));
  }
  CRV_TRY(cursor->status());
  return file.Finish();
}

Result<ArcListReader> ArcListReader::Open(const std::string& path) {
  CRV_ASSIGN(LineReader lines, LineReader::Open(path));
  return ArcListReader(std::move(lines));
}

bool ArcListReader::Next() {
  if (!status_.ok()) return false;
  while (lines_.Next()) {
    std::string_view line = WithoutBlanks(lines_.line());
    if (line.empty() || line.front() == '#' || line.front() == '%') continue;
    const auto source = TakeNode(line);
    const auto target = source ? TakeNode(line) : std::nullopt;
    if (!target) {
      status_ = lines_.AtLine(Status::Corruption(fmt::format(
          "invalid arc '{}': expected two numbers below {}", Beginning(lines_.line()), kMaxNodes)));
      return false;
    }
    arc_ = {*source, *target};
    return true;
  }
  status_ = lines_.status();
  return false;
}

Status WriteArcList(const Graph& graph, const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(AtomicFile file, AtomicFile::Create(path, fs));
  std::string text;
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    text.clear();
    for (const Node target : cursor->successors()) {
      fmt::format_to(std::back_inserter(text), "{}\t{}\n", cursor->node(), target);
    }
    CRV_TRY(AppendText(file, text));
  }
  CRV_TRY(cursor->status());
  return file.Finish();
}

}  // namespace crivello::graph
