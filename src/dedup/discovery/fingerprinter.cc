// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/fingerprinter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"

namespace crivello::dedup {

Result<Fingerprinter> Fingerprinter::Create(const FingerprintOptions& options) {
  CRV_ASSIGN(Shingler shingler, Shingler::Create(options.shingles));
  CRV_ASSIGN(MinHasher hasher, MinHasher::Create(options.minhash));
  if (options.minhash.bands > FingerprintRun::kMostParts) {
    return Status::InvalidArgument(fmt::format("there are {} bands; expected at most {}",
                                               options.minhash.bands, FingerprintRun::kMostParts));
  }
  return Fingerprinter(options, std::move(shingler), std::move(hasher));
}

RunShape Fingerprinter::run_shape() const {
  RunShape shape = {.method = options_.method, .parts = 0};
  std::string parameters;
  switch (options_.method) {
    case Method::kShingles:
      shape.parts = 1;
      parameters = fmt::format(
          "{} {} {} {}", options_.shingles.unit == ShingleOptions::Unit::kWords ? 'w' : 'c',
          options_.shingles.n, options_.shingles.overlapping ? 1 : 0, options_.selection.ToString());
      break;
    case Method::kMinHash:
      shape.parts = static_cast<uint32_t>(options_.minhash.bands);
      parameters = fmt::format("{} {} {} {}", options_.minhash.gram, options_.minhash.bands,
                               options_.minhash.rows, options_.minhash.seed);
      break;
    case Method::kSimHash:
      parameters = fmt::format("64 {}", PageDigester::kGram);
      break;
  }
  shape.parameters = Hash64(parameters, static_cast<uint64_t>(options_.method));
  return shape;
}

TextFingerprint Fingerprinter::Of(std::string_view text) {
  if (options_.method == Method::kSimHash) return {.signature = digester_.Digest(text).simhash};
  TextFingerprint print;
  words_.Read(text);
  // A hash of 0 would mean that the text is not compared.
  const auto sign = [](std::span<const uint64_t> values) {
    return std::max<uint64_t>(Hash64(std::as_bytes(values)), 1);
  };
  if (options_.method == Method::kMinHash) {
    const auto minima = hasher_.Minima(words_);
    if (minima.empty()) return {};
    print.signature = sign(minima);
    const std::vector<uint64_t> keys = BandKeys(minima, hasher_.shape());
    for (uint32_t band = 0; band < keys.size(); band++) print.keys.push_back({band, keys[band]});
    return print;
  }
  const std::vector<uint64_t> set = FingerprintSet(shingler_.Cut(words_));
  if (set.empty()) return {};
  print.signature = sign(set);
  // For a selection by position, keep the text order.
  std::vector<uint64_t> values;
  if (options_.selection.kind == Selection::Kind::kWinnow) {
    for (const Shingle& shingle : shingler_.Cut(words_)) values.push_back(shingle.fingerprint);
  }
  for (const uint64_t key : SelectedSet(values.empty() ? set : values, options_.selection)) {
    print.keys.push_back({0, key});
  }
  return print;
}

Result<double> WordBagVerifier::Similarity(uint32_t a, uint32_t b) {
  if (std::max(a, b) >= bags_.size()) {
    return Status::InvalidArgument(fmt::format("no text of document {}", std::max(a, b)));
  }
  return WordShare(bags_[a], bags_[b]);
}

}  // namespace crivello::dedup
