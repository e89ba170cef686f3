// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "dedup/discovery/fingerprint_run.h"

namespace crivello::dedup {

// The inverted index of fingerprints that several runs make together: the near-duplicates of one document are
// looked for among all, without comparing it with each.  A key costs a binary search in every run.  The runs
// outlive it; immutable.
class FingerprintIndex {
 public:
  explicit FingerprintIndex(std::vector<const FingerprintRun*> runs) : runs_(std::move(runs)) {}

  struct Candidate {
    uint32_t document = 0;
    uint32_t shared = 0;  // keys in common
    uint32_t keys = 0;    // of the document
    friend bool operator==(const Candidate&, const Candidate&) = default;
  };
  // The documents that share a key with the query, in the order of their numbers.  `comparisons` counts the
  // postings that were read.
  std::vector<Candidate> Search(std::span<const PartKey> keys, uint64_t* comparisons) const;

 private:
  std::vector<const FingerprintRun*> runs_;
};

}  // namespace crivello::dedup
