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

// Computes how similar two documents are, from their texts or stored data about them. Thread-safe.
class PairVerifier {
 public:
  virtual ~PairVerifier() = default;
  virtual Result<double> Similarity(uint32_t a, uint32_t b) = 0;
};

struct DiscoveryOptions {
  std::string folder;  // for the results and the files needed to resume; must exist
  unsigned threads = 2;
  // For groups of documents and pairs; 12 bytes per document are used in addition.
  uint64_t memory_bytes = uint64_t{512} << 20;

  // SimHash: the maximum number of differing bits.
  unsigned distance = 3;
  // Shingles: the minimum share of keys, of the document with fewer keys, that a pair must have in common.
  double least_shared = 0.15;
  // A document is compared with the first of a group and with the group_limit - 1 before it. So a group of n
  // documents has at most n · group_limit pairs, and the pairs of old documents do not change when new ones
  // are added.
  uint64_t group_limit = 64;
  // Without a verifier, SimHash and MinHash accept every candidate; shingles accept those whose keys have at
  // least this resemblance (Broder's estimate).
  PairVerifier* verifier = nullptr;
  double threshold = 0.7;
  // Identifies the verifier and its data: discoveries with the same id and files are assumed to be equal.
  uint64_t verifier_id = 0;

  // The pairs of an earlier discovery over the first documents, with the same options. Pairs of two such
  // documents are taken from there; only pairs with a new document are computed.
  std::string earlier_pairs = {};

  Progress* progress = nullptr;
  FileSystem* fs = &PosixFileSystem();
};

// The result of a discovery, in numbers.
struct DiscoveryReport {
  uint64_t documents = 0;
  uint64_t compared_with_none = 0;  // their signature is 0
  uint64_t equal = 0;               // documents with the same signature as an earlier one
  PairCounts counts;
  uint64_t pairs = 0;     // near-duplicates, excluding those with equal signatures
  uint64_t clusters = 0;  // of at least two documents
  uint64_t in_clusters = 0;

  // The comparisons saved: all with all would need n (n - 1) / 2.
  uint64_t Avoided() const;
};

// Finds all pairs of near-duplicates and their clusters among the documents of several runs, without
// comparing all with all. The steps:
//
//   1. Documents with the same signature become one node, the lowest number, before any pair is made: 100,000
//      equal pages are one node instead of 5·10^9 pairs.
//   2. Nodes that share a key are candidates.  Keys are those of the runs or, for SimHash, the prefixes of
//      Manku's tables (hamming_plan.h).  They are read in ranges that fit in memory and sorted; the pairs of
//      each group are sorted externally.  One file per range: candidates-N.
//   3. The candidates of all ranges are merged, filtered and verified.  One file per range of documents:
//      verified-N.
//   4. All pairs together form the file `pairs`; united with the equal documents they form `clusters`.
//
// Each file is written atomically and contains a hash of the runs and options. So after a kill -9 the same
// call resumes from the existing files, and its results equal those of an undisturbed run, byte for byte. The
// number of threads does not affect the results either. In the end only `pairs` and `clusters` are left, and
// a further call just reads them.
//
// REQUIRES: the runs have the same shape, and consecutive documents starting at 0; InvalidArgument otherwise.
// Corruption if a run is damaged.
Result<DiscoveryReport> DiscoverDuplicates(const std::vector<const FingerprintRun*>& runs,
                                           const DiscoveryOptions& options);

std::string PairsPath(const std::string& folder);
std::string ClustersPath(const std::string& folder);

}  // namespace crivello::dedup
