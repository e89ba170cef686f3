// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/discovery/discovery.h"
#include "dedup/discovery/fingerprint_run.h"
#include "dedup/minhash/minhash.h"
#include "dedup/page_digest.h"
#include "dedup/shingles/selection.h"
#include "dedup/shingles/shingler.h"
#include "dedup/shingles/similarity.h"

namespace crivello::dedup {

// How fingerprints are computed from texts.
struct FingerprintOptions {
  Method method = Method::kShingles;
  ShingleOptions shingles = {};
  Selection selection = {};
  MinHashShape minhash = kFineWebShape;
};

// The fingerprint of a text, as stored in a run.
struct TextFingerprint {
  uint64_t signature = 0;  // 0: the text is not compared with any other
  std::vector<PartKey> keys = {};
};

// Computes the fingerprints of texts for discovery, by one of these methods:
//   shingles  the signature covers all distinct shingles; the keys are the selected ones
//   minhash   the signature covers all minima; there is one key per band.  A text with fewer words than a
//             shingle is not compared
//   simhash   the signature is PageDigest::simhash; there are no keys
// A text without words is not compared.  One thread at a time.
class Fingerprinter {
 public:
  static Result<Fingerprinter> Create(const FingerprintOptions& options);

  const FingerprintOptions& options() const { return options_; }
  // The shape of runs made with these options.
  RunShape run_shape() const;
  TextFingerprint Of(std::string_view text);

 private:
  Fingerprinter(const FingerprintOptions& options, Shingler shingler, MinHasher hasher)
      : options_(options), shingler_(std::move(shingler)), hasher_(std::move(hasher)) {}

  FingerprintOptions options_;
  Shingler shingler_;
  MinHasher hasher_;
  PageDigester digester_;
  Words words_;
};

// Compares the words of texts held in memory, by WordShare(). Thread-safe once all are added.
class WordBagVerifier final : public PairVerifier {
 public:
  // Adds the next document.
  void Add(std::string_view text) { bags_.emplace_back(Words(text)); }
  // InvalidArgument if there is no such document.
  Result<double> Similarity(uint32_t a, uint32_t b) override;

 private:
  std::vector<WordBag> bags_;
};

}  // namespace crivello::dedup
