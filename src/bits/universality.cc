// SPDX-License-Identifier: Apache-2.0
#include "bits/universality.h"

#include <cmath>

namespace crivello::bits {
namespace {

std::vector<double> Normalised(std::vector<double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

double EntropyOfDistribution(std::span<const double> probabilities) {
  double entropy = 0;
  for (const double p : probabilities) {
    if (p > 0) entropy -= p * std::log2(p);
  }
  return entropy;
}

double MeanLength(const Code& code, std::span<const double> probabilities) {
  double mean = 0;
  for (size_t i = 0; i < probabilities.size(); i++)
    mean += probabilities[i] * static_cast<double>(code.Length(i));
  return mean;
}

std::vector<double> UniformDistribution(size_t n) {
  return std::vector<double>(n, 1 / static_cast<double>(n));
}

std::vector<double> ZipfDistribution(size_t n, double exponent) {
  std::vector<double> weights;
  for (size_t i = 0; i < n; i++) weights.push_back(std::pow(static_cast<double>(i + 1), -exponent));
  return Normalised(std::move(weights));
}

std::vector<double> RandomMonotoneDistribution(size_t n, Random& random) {
  std::vector<double> steps(n, 0);  // the weight of the uniform distribution over the first i + 1 integers
  const uint64_t parts = 1 + random.Below(20);
  for (uint64_t part = 0; part < parts; part++) {
    // Sizes of every order of magnitude.
    const double size = std::pow(static_cast<double>(n), random.Unit());
    steps[std::min(n - 1, static_cast<size_t>(size))] += random.Unit() + 1e-9;
  }
  std::vector<double> weights(n, 0);
  double height = 0;
  for (size_t i = n; i-- > 0;) {
    height += steps[i] / static_cast<double>(i + 1);
    weights[i] = height;
  }
  return Normalised(std::move(weights));
}

double GammaBound(double entropy) { return 2 * entropy + 1; }
double DeltaBound(double entropy) { return entropy + 2 * std::log2(entropy + 1) + 1; }

}  // namespace crivello::bits
