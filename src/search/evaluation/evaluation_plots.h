// SPDX-License-Identifier: Apache-2.0
// Measurements as pictures: SVG, each whole in one string, with no script and no font of its own.  Pure
// functions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "search/evaluation/evaluation.h"

namespace crivello::search {

// The interpolated precision at recall 0, 0.1, ..., 1, as trec_eval has it: the greatest precision at that
// recall or any higher one; the mean over the topics that have something relevant.
std::array<double, 11> PrecisionByRecall(const RankedRun& run, const Judgements& judgements);

struct Curve {
  std::string name;
  std::array<double, 11> values = {};
};
std::string PlotPrecisionByRecall(const std::vector<Curve>& curves);

// By how much each topic differs between two runs, the best first.  REQUIRES: as many differences as topics.
struct Differences {
  std::string measure;
  std::vector<std::string> topics;
  std::vector<double> values;
};
std::string PlotDifferences(const Differences& differences);

// A measure over two parameters: values[i][j] is at rows[i] and columns[j].
struct Surface {
  std::string measure;
  std::string row_name;
  std::string column_name;
  std::vector<float> rows;
  std::vector<float> columns;
  std::vector<std::vector<double>> values;
};
std::string PlotSurface(const Surface& surface);

}  // namespace crivello::search
