// SPDX-License-Identifier: Apache-2.0
#include "graph/exchange/csr_arrays.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"

namespace crivello::graph {
namespace {

// Version 1.0 of the format: a magic, a length, and a Python dictionary of that length; 64-byte aligned.
std::string NpyHeader(std::string_view type, uint64_t size) {
  constexpr size_t kPrefix = 10;
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, size);
  dictionary.append(63 - (kPrefix + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

template <typename Number>
Result<AtomicFile> CreateNpy(const std::string& path, uint64_t size, FileSystem& fs) {
  CRV_ASSIGN(AtomicFile file, AtomicFile::Create(path, fs));
  const std::string header = NpyHeader(sizeof(Number) == 4 ? "<i4" : "<i8", size);
  CRV_TRY(file.Append(std::as_bytes(std::span(header))));
  return file;
}

template <typename Index>
Status WriteArrays(const Graph& graph, const std::string& basename, FileSystem& fs) {
  CRV_ASSIGN(AtomicFile begins, CreateNpy<int64_t>(basename + ".indptr.npy", graph.nodes() + 1, fs));
  CRV_ASSIGN(AtomicFile indices, CreateNpy<Index>(basename + ".indices.npy", graph.arcs(), fs));
  int64_t arcs = 0;
  const auto append_begin = [&] { return begins.Append(std::as_bytes(std::span(&arcs, 1))); };
  CRV_TRY(append_begin());
  std::vector<Index> list;
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    const auto successors = cursor->successors();
    list.clear();
    for (const Node target : successors) list.push_back(static_cast<Index>(target));
    CRV_TRY(indices.Append(std::as_bytes(std::span<const Index>(list))));
    arcs += static_cast<int64_t>(successors.size());
    CRV_TRY(append_begin());
  }
  CRV_TRY(cursor->status());
  if (static_cast<uint64_t>(arcs) != graph.arcs()) {
    return Status::Corruption(
        fmt::format("the graph has {} arcs where it announces {}: nothing was exported", arcs, graph.arcs()));
  }
  CRV_TRY(indices.Finish());
  return begins.Finish();
}

}  // namespace

Status WriteCsrArrays(const Graph& graph, const std::string& basename, FileSystem& fs) {
  return graph.nodes() <= uint64_t{1} << 31 ? WriteArrays<int32_t>(graph, basename, fs)
                                            : WriteArrays<int64_t>(graph, basename, fs);
}

}  // namespace crivello::graph
