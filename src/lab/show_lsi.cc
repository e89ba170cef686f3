// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "lab/demonstration.h"
#include "lab/svd.h"
#include "lab/svg.h"

namespace crivello::lab {
namespace {

constexpr size_t kMostDocuments = 8;
constexpr size_t kMostLsiTerms = 16;
constexpr double kNothing = 1e-9;  // what rounding leaves of a zero

std::string Entry(double value) { return fmt::format("{:.2f}", std::abs(value) < kNothing ? 0.0 : value); }

std::string TableOf(const Matrix& matrix, std::span<const std::string> terms) {
  std::string table = fmt::format("{:>12}", "");
  for (size_t column = 0; column < matrix.columns; ++column) table += fmt::format("  {:>5}", column + 1);
  for (size_t row = 0; row < matrix.rows; ++row) {
    table += fmt::format("\n{:>12}", terms[row]);
    for (size_t column = 0; column < matrix.columns; ++column)
      table += fmt::format("  {:>5}", Entry(matrix.at(row, column)));
  }
  return table;
}

void Draw(Svg& svg, double left, const Matrix& matrix, std::string_view title) {
  constexpr double kWide = 48;
  svg.Text(left, 52, title);
  for (size_t row = 0; row < matrix.rows; ++row) {
    for (size_t column = 0; column < matrix.columns; ++column) {
      const double value = matrix.at(row, column);
      const double x = left + static_cast<double>(column) * kWide;
      const double y = 62 + static_cast<double>(row) * Svg::kCell;
      svg.Box(x, y, kWide, Svg::kCell, std::abs(value) < kNothing ? "#ffffff" : Svg::kPale);
      svg.Text(x + kWide / 2, y + 13, Entry(value), value < -kNothing ? Svg::kRed : Svg::kBlue, "middle");
    }
  }
}

}  // namespace

Result<Demonstration> ShowLsi(std::span<const std::string> documents, size_t rank) {
  if (documents.size() < 2 || documents.size() > kMostDocuments) {
    return Status::InvalidArgument(
        fmt::format("expected 2 to {} documents, each in quotes, got {}", kMostDocuments, documents.size()));
  }
  std::vector<std::string> terms;  // in order of appearance
  std::vector<std::vector<size_t>> words;
  for (const std::string& document : documents) {
    std::istringstream text(document);
    words.emplace_back();
    for (std::string word; text >> word;) {
      const auto found = std::find(terms.begin(), terms.end(), word);
      words.back().push_back(static_cast<size_t>(found - terms.begin()));
      if (found == terms.end()) terms.push_back(word);
    }
  }
  if (terms.empty() || terms.size() > kMostLsiTerms) {
    return Status::InvalidArgument(
        fmt::format("expected 1 to {} different words, got {}", kMostLsiTerms, terms.size()));
  }
  Matrix matrix(terms.size(), documents.size());
  for (size_t column = 0; column < words.size(); ++column) {
    for (const size_t term : words[column]) matrix.at(term, column) = 1;
  }
  if (rank == 0) rank = documents.size() - 1;
  if (rank > documents.size()) {
    return Status::InvalidArgument(
        fmt::format("invalid rank {}: there are {} documents", rank, documents.size()));
  }
  const SingularValues parts = Decompose(matrix);
  const Matrix reduced = OfRank(parts, rank);

  Demonstration shown;
  shown.steps.push_back("the matrix T, a row for each term and a column for each document:\n" +
                        TableOf(matrix, terms));
  std::vector<std::string> sigmas;
  for (const double sigma : parts.sigma) sigmas.push_back(fmt::format("{:.4f}", sigma));
  shown.steps.push_back(
      fmt::format("T = U Σ Vᵀ, a rotation, a stretching along the axes and a rotation\n"
                  "singular values, the lengths of the stretched axes: {}",
                  fmt::join(sigmas, ", ")));
  shown.steps.push_back(
      fmt::format("the nearest matrix of rank {}: only the {} largest singular values are kept\n{}", rank,
                  rank, TableOf(reduced, terms)));
  std::string gained;
  for (size_t row = 0; row < terms.size(); ++row) {
    for (size_t column = 0; column < documents.size(); ++column) {
      if (matrix.at(row, column) == 0 && reduced.at(row, column) > kNothing) {
        gained += fmt::format("\ndocument {} does not contain '{}', and now has {} for it", column + 1,
                              terms[row], Entry(reduced.at(row, column)));
      }
    }
  }
  shown.steps.push_back("terms that occur together have become one concept:" +
                        (gained.empty() ? std::string("\nno document gained a term") : gained));

  const double wide = static_cast<double>(documents.size()) * 48;
  Svg svg(150 + 2 * wide + 60, 90 + static_cast<double>(terms.size()) * Svg::kCell,
          "Latent semantic indexing");
  for (size_t row = 0; row < terms.size(); ++row)
    svg.Text(120, 75 + static_cast<double>(row) * Svg::kCell, terms[row], Svg::kGrey, "end");
  Draw(svg, 130, matrix, "T");
  Draw(svg, 160 + wide, reduced, fmt::format("rank {}", rank));
  shown.svg = std::move(svg).Finish();
  return shown;
}

}  // namespace crivello::lab
