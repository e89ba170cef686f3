// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dedup/discovery/fingerprint_run.h"

namespace crivello::dedup {

// The inverted index of fingerprints over several runs: finds the near-duplicates of a document without
// comparing it with every other one. A key costs a binary search in each run. The runs must outlive it;
// immutable.
class FingerprintIndex {
 public:
  explicit FingerprintIndex(std::vector<const FingerprintRun*> runs) : runs_(std::move(runs)) {}

  struct Candidate {
    uint32_t document = 0;
    uint32_t shared = 0;  // keys in common
    uint32_t keys = 0;    // of the document
    friend bool operator==(const Candidate&, const Candidate&) = default;
  };
  // The documents that share a key with the query, in order of number. `comparisons` counts the postings
  // read.
  std::vector<Candidate> Search(std::span<const PartKey> keys, uint64_t* comparisons) const;

 private:
  std::vector<const FingerprintRun*> runs_;
};

}  // namespace crivello::dedup
