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
  // The part of the words that two pages must share (dedup::WordShare()).  Without: kDefaultWordShare for
  // shingles; for the other methods whatever is a candidate, as the method itself decides.
  std::optional<double> threshold = {};
  unsigned threads = 2;
  uint64_t memory_bytes = uint64_t{256} << 20;
  std::stop_token stop = {};  // then it ends as Unavailable, and the next call goes on
};

// Pages that are nearly equal to each other.
struct DuplicateCluster {
  uint32_t representative = 0;    // document
  std::vector<uint32_t> members;  // documents, in the order of their numbers; the representative among them
};

struct FoundDuplicates {
  FingerprintPagesSummary pages;
  uint64_t documents = 0;    // that were fingerprinted, also of pages that have another text by now
  dedup::PairCounts counts;  // of this discovery, which makes only pairs with a document that is new
  uint64_t avoided = 0;      // comparisons of all with all that were not made
  uint64_t equal = 0;        // pages whose words are those of another page
  uint64_t pairs = 0;        // near-duplicates among different fingerprints
  uint64_t in_clusters = 0;  // pages
  std::vector<DuplicateCluster> clusters;  // in the order of their first members

  FingerprintedPages fingerprints;

  // Each pair of near-duplicates with its similarity: those of different fingerprints, and each page with the
  // first one of the same fingerprint.
  Status ForEachPair(const std::function<Status(uint32_t a, uint32_t b, double similarity)>& visit) const;

 private:
  friend class DuplicateFinder;
  std::string pairs_path_;
  std::vector<uint32_t> firsts_;  // for each document the first living one with its fingerprint, or kNoNode
};

// Finds near-duplicates among all pages of a collection: fingerprints those whose texts are new, discovers
// pairs (dedup/discovery/discovery.h), verifies them on the texts of the rows, and unites pages into
// clusters. Leaves a file for each tablet (clusters_file.h); the pages of all other files stay for the next
// time, which reads new texts only.  The representative of a cluster is the page that most of its members
// name as canonical; then that of the best rank `pagerank`; then the shortest URL; then the one fetched
// first.
//
// After a kill -9 the same call goes on with what is there.  The files are the same, byte for byte, whatever
// the interruptions, the threads and the number of tablets.
//
// Waits while another one is at work or pages are forgotten.
Result<FoundDuplicates> FindDuplicates(collection::Collection& store, const FindDuplicatesOptions& options,
                                       Progress& progress);

// A page and how similar it is to another text.
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
// method; `but` is the row key of a page that is left out, or empty.  NotFound if there are none.
Result<SimilarPages> FindNearDuplicatesOf(collection::Collection& store, std::string_view text,
                                          std::string_view but, const FindDuplicatesOptions& options);

}  // namespace crivello::jobs
