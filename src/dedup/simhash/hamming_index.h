// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "dedup/simhash/hamming_plan.h"
#include "succinct/elias_fano.h"

namespace crivello::dedup {

// A 64-bit fingerprint and its document.
struct Fingerprinted {
  uint64_t fingerprint = 0;
  uint32_t document = 0;
  friend auto operator<=>(const Fingerprinted&, const Fingerprinted&) = default;
};

// A document within the distance of a query.
struct NearDocument {
  uint32_t document = 0;
  int distance = 0;
  friend auto operator<=>(const NearDocument&, const NearDocument&) = default;
};

// Finds the fingerprints within Hamming distance k of a given one, with permuted, compressed tables in a
// mapped file (hamming_plan.h). A table is the sorted sequence of the distinct permuted fingerprints in Elias
// and Fano's form, about log2(2^64 / n) + 2 bits each, close to the minimum; Manku's own coding takes half of
// 64. The documents are stored once, beside the first table.
//
// A search decodes the fingerprints that share a prefix with the query, in each table: plan().ExpectedMet(n)
// of them if they are random, at about 2 ns each. Fingerprints that all agree in a few bits make it slower,
// but never wrong. A batch is processed table by table, in order of prefixes, so that its queries share
// reads.
//
// A view of its image, which must outlive it; immutable, any number of threads. Format:
// docs/formats/hamming-tables.md.
class HammingIndex {
 public:
  static constexpr FileKind kFileKind = {.name = "hamming-tables", .version = 1};

  static Result<HammingIndex> FromImage(Bytes image);

  const HammingPlan& plan() const { return plan_; }
  uint64_t distinct() const { return tables_.front().size(); }
  uint64_t documents() const { return documents_; }

  // The documents within plan().distance, sorted by number.
  std::vector<NearDocument> Search(uint64_t fingerprint) const;
  // Like Search() for each.
  std::vector<std::vector<NearDocument>> SearchBatch(std::span<const uint64_t> fingerprints) const;

  Description Describe() const;

 private:
  // A fingerprint that was found, and its distance.
  struct Found {
    uint64_t fingerprint;
    int distance;
  };
  void SearchTable(size_t table, uint64_t query, std::vector<Found>* found) const;
  std::vector<NearDocument> DocumentsOf(const std::vector<Found>& found) const;

  HammingPlan plan_;
  std::vector<succinct::EliasFano> tables_;
  succinct::EliasFano ends_;                  // end of the documents of each distinct fingerprint
  std::span<const uint64_t> document_words_;  // two documents per word
  uint64_t documents_ = 0;
};

// Builds an index in memory. One thread at a time.
class HammingIndexBuilder {
 public:
  explicit HammingIndexBuilder(HammingPlan plan) : plan_(std::move(plan)) {}

  void Add(uint64_t fingerprint, uint32_t document) { entries_.push_back({fingerprint, document}); }
  // Consumes what was added.
  Result<ImageWriter> Build();
  Status WriteFile(const std::string& path, FileSystem& fs = PosixFileSystem());

 private:
  HammingPlan plan_;
  std::vector<Fingerprinted> entries_;
};

}  // namespace crivello::dedup
