// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace crivello::lab {

// A dense matrix, row by row.
struct Matrix {
  size_t rows = 0;
  size_t columns = 0;
  std::vector<double> values;  // rows * columns

  Matrix(size_t r, size_t c) : rows(r), columns(c), values(r * c) {}
  double& at(size_t row, size_t column) { return values[row * columns + column]; }
  double at(size_t row, size_t column) const { return values[row * columns + column]; }
};

// M = U Σ Vᵀ: columns of U and V are orthonormal where the singular value is not zero; these do not increase.
struct SingularValues {
  Matrix u;                   // rows × columns
  std::vector<double> sigma;  // one for each column
  Matrix v;                   // columns × columns
};

// By Jacobi's rotations of pairs of columns (Hestenes, 1958), until every pair is orthogonal to the precision
// of doubles.  For small matrices: each sweep is O(rows · columns²), and some ten sweeps are enough.
SingularValues Decompose(const Matrix& matrix);

// The nearest matrix of at most this rank: the product without the smaller singular values.
Matrix OfRank(const SingularValues& parts, size_t rank);

}  // namespace crivello::lab
