// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/external_sorter.h"
#include "dedup/discovery/discovery.h"
#include "dedup/simhash/hamming_plan.h"

namespace crivello::dedup {

// The documents of all runs, by number.
class RunDocuments {
 public:
  // InvalidArgument unless the runs have the same shape and their documents are consecutive, starting at 0.
  static Result<RunDocuments> Of(std::vector<const FingerprintRun*> runs);

  const std::vector<const FingerprintRun*>& runs() const { return runs_; }
  const RunShape& shape() const { return shape_; }
  uint32_t size() const { return size_; }
  // REQUIRES: document < size().
  uint64_t SignatureOf(uint32_t document) const;
  uint32_t KeysOf(uint32_t document) const;

 private:
  const FingerprintRun& RunOf(uint32_t document) const;

  std::vector<const FingerprintRun*> runs_;
  RunShape shape_;
  uint32_t size_ = 0;
};

// Step 1 of DiscoverDuplicates(): for each document the lowest one with the same signature, or kNoNode.
constexpr uint32_t kNoNode = UINT32_MAX;
Result<std::vector<uint32_t>> NodesOf(const RunDocuments& documents, const DiscoveryOptions& options);

// Step 2, one range at a time. Immutable once made; any number of threads.
class CandidateFinder {
 public:
  // All arguments must outlive it. Does not make pairs of two documents below `known`.
  static Result<CandidateFinder> Create(const RunDocuments& documents, const std::vector<uint32_t>& nodes,
                                        const DiscoveryOptions& options, uint32_t known);

  // The number of ranges. It depends on the documents and the memory, but not on the threads.
  size_t tasks() const { return tasks_; }
  // Writes the pairs of a range.
  Status Run(size_t task, const std::string& path, uint64_t plan) const;

 private:
  // Pairs in order, repeated as often as they were found; they have no bytes besides the key.
  struct PairOrder {
    using Record = DocumentPair;
    using Key = DocumentPair;
    static constexpr bool kByBytes = false;
    static Key KeyOf(Record pair) { return pair; }
    static std::string_view BytesOf(Record /*pair*/) { return {}; }
    static Record Join(Key pair, std::string_view /*bytes*/) { return pair; }
    static bool Repeats(Key /*last*/, Key /*next*/) { return false; }
  };
  using PairSorter = BasicExternalSorter<PairOrder>;

  CandidateFinder(const RunDocuments& documents, const std::vector<uint32_t>& nodes,
                  const DiscoveryOptions& options, uint32_t known)
      : documents_(documents), nodes_(nodes), options_(options), known_(known) {}

  bool IsSimHash() const { return documents_.shape().method == Method::kSimHash; }
  Result<std::vector<KeyedDocument>> Gather(size_t part, size_t range) const;
  std::vector<KeyedDocument> GatherPrefixes(size_t table, size_t range) const;
  Result<std::vector<KeyedDocument>> GatherKeys(uint32_t part, size_t range) const;
  // Adds the pairs among the documents [begin, end) of a group.
  Status AddPairs(size_t part, const KeyedDocument* begin, const KeyedDocument* end, PairSorter* pairs,
                  PairCounts* counts) const;

  const RunDocuments& documents_;
  const std::vector<uint32_t>& nodes_;
  const DiscoveryOptions& options_;
  uint32_t known_;
  HammingPlan plan_;
  size_t ranges_ = 1;  // of each part
  size_t tasks_ = 0;
};

}  // namespace crivello::dedup
