// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/description.h"
#include "base/image.h"

namespace crivello::dedup {

// Two documents, the lower number in the high half, so that pairs sort by the first, then the second.
using DocumentPair = uint64_t;
constexpr DocumentPair PairOf(uint32_t a, uint32_t b) {
  return a < b ? uint64_t{a} << 32 | b : uint64_t{b} << 32 | a;
}
constexpr uint32_t FirstOf(DocumentPair pair) { return static_cast<uint32_t>(pair >> 32); }
constexpr uint32_t SecondOf(DocumentPair pair) { return static_cast<uint32_t>(pair); }

// Counts of what a discovery has done so far.
struct PairCounts {
  uint64_t candidates = 0;   // pairs that share a key, counted once per key
  uint64_t comparisons = 0;  // pairs whose similarity was computed
  uint64_t skipped = 0;      // pairs in groups too large for comparing all with all
  PairCounts& operator+=(const PairCounts& other);
  friend bool operator==(const PairCounts&, const PairCounts&) = default;
};

// Sorted, distinct pairs of documents, each with a number: how many keys they share, or how similar they are.
// Discovery writes them in parts, so that it can resume after a crash, and as its result. A view of its
// image, which must outlive it; immutable. Format: docs/formats/duplicate-pairs.md.
class DuplicatePairs {
 public:
  static constexpr FileKind kFileKind = {.name = "duplicate-pairs", .version = 1};

  static Result<DuplicatePairs> FromImage(Bytes image);

  // Identifies the input: a file with a different plan is not used.
  uint64_t plan() const { return plan_; }
  // The document numbers are below this.
  uint64_t documents() const { return documents_; }
  const PairCounts& counts() const { return counts_; }
  std::span<const DocumentPair> pairs() const { return pairs_; }
  uint32_t KeysShared(size_t i) const { return static_cast<uint32_t>(values_[i / 2] >> (i % 2 * 32)); }
  float Similarity(size_t i) const;
  Description Describe() const;

 private:
  uint64_t plan_ = 0;
  uint64_t documents_ = 0;
  PairCounts counts_;
  std::span<const DocumentPair> pairs_;
  std::span<const uint64_t> values_;  // two per word
};

// Collects pairs in memory. One thread at a time.
class DuplicatePairsBuilder {
 public:
  // REQUIRES: in increasing order.
  void Add(DocumentPair pair, uint32_t keys_shared);
  void Add(DocumentPair pair, float similarity);
  size_t size() const { return pairs_.size(); }
  PairCounts& counts() { return counts_; }

  Status WriteFile(const std::string& path, uint64_t plan, uint64_t documents,
                   FileSystem& fs = PosixFileSystem()) const;

 private:
  PairCounts counts_;
  std::vector<DocumentPair> pairs_;
  std::vector<uint32_t> values_;
};

// The cluster of each document, named by its lowest document number. A document that resembles no other is a
// cluster by itself. A view of its image, which must outlive it; immutable. Format:
// docs/formats/dup-clusters.md.
class DuplicateClusters {
 public:
  static constexpr FileKind kFileKind = {.name = "dup-clusters", .version = 1};

  static Result<DuplicateClusters> FromImage(Bytes image);

  uint64_t plan() const { return plan_; }
  uint32_t documents() const { return documents_; }
  // REQUIRES: document < documents().
  uint32_t ClusterOf(uint32_t document) const {
    return static_cast<uint32_t>(words_[document / 2] >> (document % 2 * 32));
  }
  // The clusters of at least two documents, in order of number, with sorted members. Takes 8 bytes for each
  // document in them.
  std::vector<std::vector<uint32_t>> Clusters() const;
  Description Describe() const;

  static Status WriteFile(const std::string& path, uint64_t plan, std::span<const uint32_t> clusters,
                          FileSystem& fs = PosixFileSystem());

 private:
  uint64_t plan_ = 0;
  uint32_t documents_ = 0;
  std::span<const uint64_t> words_;
};

}  // namespace crivello::dedup
