// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/status.h"
#include "graph/graph.h"

namespace crivello::graph {

// Writes a graph as the two arrays of a compressed sparse row matrix, in NumPy format:
//   BASENAME.indptr.npy   nodes + 1 numbers of 64 bits: the start of each node's list in the other array
//   BASENAME.indices.npy  all successors, in 32 bits for up to 2^31 nodes, otherwise in 64
// so that in Python
//   scipy.sparse.csr_matrix((numpy.ones(len(indices), dtype=bool), indices, indptr), shape=(n, n))
// is the adjacency matrix.  Signed and little-endian, as in SciPy.  Streams: uses the memory of one list.
Status WriteCsrArrays(const Graph& graph, const std::string& basename, FileSystem& fs = PosixFileSystem());

}  // namespace crivello::graph
