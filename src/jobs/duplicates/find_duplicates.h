// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "dedup/discovery/duplicate_files.h"
#include "dedup/discovery/fingerprinter.h"
#include "jobs/duplicates/fingerprinted_pages.h"

namespace crivello::jobs {

struct FindDuplicatesOptions {
  dedup::Method method = dedup::Method::kShingles;
  // The fraction of words that two pages must share (dedup::WordShare()).  If not set: kDefaultWordShare for
  // shingles; for the other methods, every candidate of the method counts.
  std::optional<double> threshold = {};
  unsigned threads = 2;
  uint64_t memory_bytes = uint64_t{256} << 20;
  std::stop_token stop = {};  // stops with Unavailable; the next call resumes
};

// Pages that are nearly equal to each other.
struct DuplicateCluster {
  uint32_t representative = 0;    // document
  std::vector<uint32_t> members;  // documents, sorted by number, including the representative
};

struct FoundDuplicates {
  FingerprintPagesSummary pages;
  uint64_t documents = 0;    // that were fingerprinted, including pages whose text has changed since
  dedup::PairCounts counts;  // of this discovery, which only makes pairs with a new document
  uint64_t avoided = 0;      // all-pairs comparisons that were not necessary
  uint64_t equal = 0;        // pages with the same words as another page
  uint64_t pairs = 0;        // near-duplicates among different fingerprints
  uint64_t in_clusters = 0;  // pages
  std::vector<DuplicateCluster> clusters;  // ordered by their first members

  FingerprintedPages fingerprints;

  // Visits each pair of near-duplicates with its similarity: those with different fingerprints, and each page
  // with the first one of the same fingerprint.
  Status ForEachPair(const std::function<Status(uint32_t a, uint32_t b, double similarity)>& visit) const;

 private:
  friend class DuplicateFinder;
  std::string pairs_path_;
  std::vector<uint32_t> firsts_;  // for each document the first live one with its fingerprint, or kNoNode
};

// Finds near-duplicates among all pages of a collection.  It fingerprints pages with new texts, discovers
// pairs (dedup/discovery/discovery.h), verifies them on the texts of the rows, and joins pages to clusters.
// It leaves a file for each tablet (clusters_file.h); the other files are kept for the next run, which
// reads only new texts.  The representative of a cluster is the page that most of its members name as
// canonical; among equals the one with the best rank `pagerank`, then the shortest URL, then the one
// fetched first.
//
// After a kill -9, the same call resumes from the existing files.  The resulting files are identical, byte
// for byte, whatever the interruptions, the number of threads and the number of tablets.
//
// Waits while another run is in progress or pages are being forgotten.
Result<FoundDuplicates> FindDuplicates(collection::Collection& store, const FindDuplicatesOptions& options,
                                       Progress& progress);

// A page and its similarity to another text.
struct SimilarPage {
  std::string url;
  std::string id = {};
  double similarity = 0;
};
struct SimilarPages {
  std::vector<SimilarPage> pages = {};  // the most similar first
  uint64_t comparisons = 0;
  uint64_t documents = 0;
};
// The pages that are near-duplicates of a text, by the fingerprints of the last FindDuplicates() with this
// method; `but` is the row key of a page to leave out, or empty.  NotFound if there are no fingerprints.
Result<SimilarPages> FindNearDuplicatesOf(collection::Collection& store, std::string_view text,
                                          std::string_view but, const FindDuplicatesOptions& options);

}  // namespace crivello::jobs
