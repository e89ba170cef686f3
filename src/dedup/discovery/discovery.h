// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/progress.h"
#include "dedup/discovery/duplicate_files.h"
#include "dedup/discovery/fingerprint_run.h"

namespace crivello::dedup {

// Says how similar two documents are, from their texts or what is kept of them.  Thread-safe.
class PairVerifier {
 public:
  virtual ~PairVerifier() = default;
  virtual Result<double> Similarity(uint32_t a, uint32_t b) = 0;
};

struct DiscoveryOptions {
  std::string folder;  // of the results and of what is needed to resume; exists
  unsigned threads = 2;
  // For groups of documents and pairs; besides, 12 bytes a document are held.
  uint64_t memory_bytes = uint64_t{512} << 20;

  // SimHash: how many bits may differ.
  unsigned distance = 3;
  // Shingles: the part of the keys of the document with fewer that two documents must share to be compared.
  double least_shared = 0.15;
  // A document is compared with the first of a group and with the group_limit - 1 before it.  So the pairs of
  // a group of n documents are at most n · group_limit, and the pairs of old documents do not change when new
  // ones come.
  uint64_t group_limit = 64;
  // Without a verifier: SimHash and MinHash take every candidate, shingles those whose keys resemble each
  // other so much (Broder's estimate).
  PairVerifier* verifier = nullptr;
  double threshold = 0.7;
  // Names the verifier and what it reads, because two discoveries with the same name and files are the same.
  uint64_t verifier_id = 0;

  // The pairs of an earlier discovery over the first documents, with the same options: pairs of two of those
  // are taken from there, and only pairs with a new document are made.
  std::string earlier_pairs = {};

  Progress* progress = nullptr;
  FileSystem* fs = &PosixFileSystem();
};

// What a discovery has found.
struct DiscoveryReport {
  uint64_t documents = 0;
  uint64_t compared_with_none = 0;  // their signature is 0
  uint64_t equal = 0;               // documents whose signature is that of an earlier one
  PairCounts counts;
  uint64_t pairs = 0;     // near-duplicates, without those with the same signature
  uint64_t clusters = 0;  // of two documents and more
  uint64_t in_clusters = 0;

  // All with all would be n (n - 1) / 2 comparisons.
  uint64_t Avoided() const;
};

// Finds all pairs of near-duplicates and their clusters among the documents of some runs, without comparing
// all with all.  In steps:
//
//   1. Documents with the same signature become one node, that of the lowest number, before any pair is made:
//      100,000 equal pages are one node, and no 5·10^9 pairs.
//   2. Nodes that share a key are candidates.  Keys are those of the runs, or, for SimHash, the prefixes of
//      Manku's tables (hamming_plan.h); they are read in ranges that fit the memory, sorted, and the pairs of
//      each group are sorted externally.  A file for each range: candidates-N.
//   3. Candidates of all ranges are merged, filtered and verified.  A file for each range of documents:
//      verified-N.
//   4. The pairs together are the file `pairs`; united, with the equal documents, `clusters`.
//
// Each file is written atomically and carries a hash of the runs and options.  So after a kill -9, the same
// call goes on with what is there, and its results are those of an undisturbed run, byte for byte; so they
// are for any number of threads.  In the end only `pairs` and `clusters` are left, and a further call reads
// them.
//
// REQUIRES: the runs have the same shape, and the documents 0, 1, ... in their order.
// InvalidArgument otherwise; Corruption if a run is damaged.
Result<DiscoveryReport> DiscoverDuplicates(const std::vector<const FingerprintRun*>& runs,
                                           const DiscoveryOptions& options);

std::string PairsPath(const std::string& folder);
std::string ClustersPath(const std::string& folder);

}  // namespace crivello::dedup
