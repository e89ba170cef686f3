// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/fingerprint_index.h"

#include <algorithm>

namespace crivello::dedup {

std::vector<FingerprintIndex::Candidate> FingerprintIndex::Search(std::span<const PartKey> keys,
                                                                  uint64_t* comparisons) const {
  std::vector<Candidate> candidates;
  for (const FingerprintRun* run : runs_) {
    std::vector<uint32_t> documents;
    for (const PartKey& one : keys) {
      if (one.part >= run->shape().parts) continue;
      for (uint64_t i = run->LowerBound(one.part, one.key);
           i < run->PartSize(one.part) && run->KeyAt(one.part, i) == one.key; i++) {
        documents.push_back(run->DocumentAt(one.part, i));
      }
    }
    *comparisons += documents.size();
    std::sort(documents.begin(), documents.end());
    for (size_t i = 0; i < documents.size();) {
      const size_t begin = i;
      while (i < documents.size() && documents[i] == documents[begin]) i++;
      if (!run->Has(documents[begin])) continue;  // a damaged file
      candidates.push_back({.document = documents[begin],
                            .shared = static_cast<uint32_t>(i - begin),
                            .keys = run->KeysOf(documents[begin])});
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.document < b.document; });
  return candidates;
}

}  // namespace crivello::dedup
