// SPDX-License-Identifier: Apache-2.0
#include "dedup/minhash/minhash.h"

#include <fmt/format.h>

#include <cmath>

#include "base/hash.h"
#include "dedup/minhash/minhash_kernels.h"

namespace crivello::dedup {

double MinHashShape::ChanceOfSharedBand(double resemblance) const {
  return 1 - std::pow(1 - std::pow(resemblance, rows), bands);
}

double MinHashShape::Knee() const {
  return std::pow(1 / static_cast<double>(bands), 1 / static_cast<double>(rows));
}

Result<MinHasher> MinHasher::Create(MinHashShape shape) {
  const bool fits = shape.bands > 0 && shape.rows > 0 && shape.bands <= kMostFunctions &&
                    shape.rows <= kMostFunctions && shape.functions() <= kMostFunctions;
  if (shape.gram == 0 || !fits) {
    return Status::InvalidArgument(fmt::format(
        "MinHash cannot have {} bands of {} minima of {} words: expected at least 1 of each, and at "
        "most {} minima",
        shape.bands, shape.rows, shape.gram, kMostFunctions));
  }
  return MinHasher(shape);
}

std::span<const uint64_t> MinHasher::Minima(const Words& words) {
  grams_.clear();
  minima_.clear();
  hashes_.clear();
  if (words.size() < shape_.gram) return {};
  for (size_t i = 0; i + shape_.gram <= words.size(); i++) grams_.push_back(words.Gram(i, shape_.gram));
  hashes_.resize(grams_.size());
  HashBySha1(grams_, hashes_.data());
  minima_.assign(shape_.functions(), ~uint64_t{0});
  UpdateMinima(hashes_, {.a = constants_.a.data(),
                         .b = constants_.b.data(),
                         .minima = minima_.data(),
                         .count = minima_.size()});
  return minima_;
}

std::vector<uint64_t> BandKeys(std::span<const uint64_t> minima, const MinHashShape& shape) {
  std::vector<uint64_t> keys;
  for (size_t band = 0; band < shape.bands; band++) {
    keys.push_back(Hash64(std::as_bytes(minima.subspan(band * shape.rows, shape.rows)), band));
  }
  return keys;
}

double EstimatedResemblance(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); i++) equal += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

}  // namespace crivello::dedup
