// SPDX-License-Identifier: Apache-2.0
#include "lab/svd.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crivello::lab {
namespace {

constexpr int kMostSweeps = 60;
constexpr double kOrthogonal = 1e-15;

double Dot(const Matrix& m, size_t i, size_t j) {
  double sum = 0;
  for (size_t row = 0; row < m.rows; ++row) sum += m.at(row, i) * m.at(row, j);
  return sum;
}

void Rotate(Matrix* m, size_t i, size_t j, double cosine, double sine) {
  for (size_t row = 0; row < m->rows; ++row) {
    const double a = m->at(row, i), b = m->at(row, j);
    m->at(row, i) = cosine * a - sine * b;
    m->at(row, j) = sine * a + cosine * b;
  }
}

// Makes all pairs of columns of *m orthogonal once; whether one was not.
bool Sweep(Matrix* m, Matrix* v) {
  bool rotated = false;
  for (size_t i = 0; i < m->columns; ++i) {
    for (size_t j = i + 1; j < m->columns; ++j) {
      const double product = Dot(*m, i, j), first = Dot(*m, i, i), second = Dot(*m, j, j);
      if (product == 0 || std::abs(product) <= kOrthogonal * std::sqrt(first * second)) continue;
      const double zeta = (second - first) / (2 * product);
      const double tangent = std::copysign(1 / (std::abs(zeta) + std::sqrt(1 + zeta * zeta)), zeta);
      const double cosine = 1 / std::sqrt(1 + tangent * tangent);
      Rotate(m, i, j, cosine, cosine * tangent);
      Rotate(v, i, j, cosine, cosine * tangent);
      rotated = true;
    }
  }
  return rotated;
}

}  // namespace

SingularValues Decompose(const Matrix& matrix) {
  Matrix work = matrix;
  Matrix v(matrix.columns, matrix.columns);
  for (size_t i = 0; i < v.rows; ++i) v.at(i, i) = 1;
  for (int sweep = 0; sweep < kMostSweeps && Sweep(&work, &v); ++sweep) {
  }
  std::vector<size_t> order(matrix.columns);
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<double> lengths;
  for (const size_t i : order) lengths.push_back(std::sqrt(Dot(work, i, i)));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return lengths[a] > lengths[b]; });

  SingularValues parts = {
      .u = Matrix(matrix.rows, matrix.columns), .sigma = {}, .v = Matrix(matrix.columns, matrix.columns)};
  for (size_t i = 0; i < order.size(); ++i) {
    const double sigma = lengths[order[i]];
    parts.sigma.push_back(sigma);
    for (size_t row = 0; row < matrix.rows; ++row)
      parts.u.at(row, i) = sigma > 0 ? work.at(row, order[i]) / sigma : 0;
    for (size_t row = 0; row < matrix.columns; ++row) parts.v.at(row, i) = v.at(row, order[i]);
  }
  return parts;
}

Matrix OfRank(const SingularValues& parts, size_t rank) {
  Matrix product(parts.u.rows, parts.v.rows);
  for (size_t i = 0; i < std::min(rank, parts.sigma.size()); ++i) {
    for (size_t row = 0; row < product.rows; ++row) {
      for (size_t column = 0; column < product.columns; ++column)
        product.at(row, column) += parts.sigma[i] * parts.u.at(row, i) * parts.v.at(column, i);
    }
  }
  return product;
}

}  // namespace crivello::lab
