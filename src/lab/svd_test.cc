// SPDX-License-Identifier: Apache-2.0
#include "lab/svd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace crivello::lab {
namespace {

Matrix Of(size_t rows, size_t columns, std::vector<double> values) {
  Matrix matrix(rows, columns);
  matrix.values = std::move(values);
  return matrix;
}
void ExpectNear(const Matrix& one, const Matrix& other, double most) {
  ASSERT_EQ(one.values.size(), other.values.size());
  for (size_t i = 0; i < one.values.size(); ++i) EXPECT_NEAR(one.values[i], other.values[i], most) << i;
}

// "io parlo di cani", "cani e gatti", "io parlo di gatti".
TEST(SvdTest, ReducesTheMatrixOfTheNotesToRankTwo) {
  const Matrix terms = Of(6, 3, {1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1});
  const SingularValues parts = Decompose(terms);
  EXPECT_NEAR(parts.sigma[0], 2.7294, 5e-5);
  EXPECT_NEAR(parts.sigma[1], 1.5970, 5e-5);
  EXPECT_NEAR(parts.sigma[2], 1, 1e-12);
  ExpectNear(OfRank(parts, 3), terms, 1e-12);
  ExpectNear(OfRank(parts, 2), Of(6, 3, {1, 0, 1, 1, 0, 1, 1, 0, 1, 0.5, 1, 0.5, 0, 1, 0, 0.5, 1, 0.5}),
             1e-12);
}

TEST(SvdTest, MultipliesToTheMatrixWithOrthonormalColumns) {
  SeededRandom random(11);
  for (int round = 0; round < 50; ++round) {
    Matrix matrix(1 + random.Below(12), 1 + random.Below(7));
    for (double& value : matrix.values) value = static_cast<double>(random.Below(5)) - 1;
    const SingularValues parts = Decompose(matrix);
    ExpectNear(OfRank(parts, matrix.columns), matrix, 1e-11);
    EXPECT_TRUE(std::is_sorted(parts.sigma.rbegin(), parts.sigma.rend()));
    for (size_t i = 0; i < matrix.columns; ++i) {
      for (size_t j = 0; j < matrix.columns; ++j) {
        double u = 0, v = 0;
        for (size_t row = 0; row < matrix.rows; ++row) u += parts.u.at(row, i) * parts.u.at(row, j);
        for (size_t row = 0; row < matrix.columns; ++row) v += parts.v.at(row, i) * parts.v.at(row, j);
        EXPECT_NEAR(v, i == j ? 1 : 0, 1e-11);
        if (parts.sigma[i] > 1e-9 && parts.sigma[j] > 1e-9) {
          EXPECT_NEAR(u, i == j ? 1 : 0, 1e-9);
        }
      }
    }
    // The norm of what is left out is that of the singular values left out.
    const size_t rank = random.Below(matrix.columns + 1);
    const Matrix reduced = OfRank(parts, rank);
    double left = 0, expected = 0;
    for (size_t i = 0; i < matrix.values.size(); ++i)
      left += std::pow(matrix.values[i] - reduced.values[i], 2);
    for (size_t i = rank; i < parts.sigma.size(); ++i) expected += parts.sigma[i] * parts.sigma[i];
    EXPECT_NEAR(left, expected, 1e-9);
  }
}

}  // namespace
}  // namespace crivello::lab
