// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"

namespace crivello::dedup {

// The SimHashes of the pages that a crawl has read most recently, in fixed memory, to recognise a near-copy
// when it is fetched (Manku, Jain, Das Sarma, 2007, with k = 3).
//
// Two 64-bit fingerprints at distance 3 or less agree in one of their four blocks of 16 bits. So there are
// four tables, one per block, with 65,536 buckets, one per value of the block. A page has an entry in one
// bucket of each table: four entries of 16 bytes. A bucket is a ring: when it is full, the oldest entry is
// overwritten. So the newest pages are remembered, and losing one only reduces recall. Pages that share a
// block's value with very many others displace each other in that bucket, but stay in the other three.
//
// Find() compares the query with the entries of four buckets: memory / 2^18 bytes. One thread at a time.
class NearCopyTable {
 public:
  static constexpr int kDistance = 3;
  static constexpr uint64_t kBytesPerPage = 64;
  // Fewer signals say little about a page: one changed word changes many bits, and any two short pages of a
  // site are similar. The caller must not add or look up such pages (PageDigester::signals()).
  static constexpr uint64_t kLeastSignals = 64;

  // InvalidArgument unless the memory suffices for one page per bucket, 4 MiB.
  static Result<NearCopyTable> Create(uint64_t memory_bytes);

  struct Copy {
    uint64_t reference = 0;
    int distance = 0;
    friend bool operator==(const Copy&, const Copy&) = default;
  };
  // One of the closest pages within kDistance.
  std::optional<Copy> Find(uint64_t fingerprint) const;
  // `reference` identifies the page for the caller, such as the hash of its row.
  void Add(uint64_t fingerprint, uint64_t reference);

  // How many pages fit if their fingerprints are spread evenly.
  uint64_t capacity() const { return kBuckets * slots_; }
  uint64_t MemoryBytes() const;

 private:
  static constexpr uint64_t kBuckets = 1 << 16;
  static constexpr unsigned kTables = 4;

  struct Entry {
    uint64_t fingerprint;
    uint64_t reference;
  };
  explicit NearCopyTable(uint64_t slots);
  static uint64_t BucketOf(uint64_t fingerprint, unsigned table) {
    return table * kBuckets + (fingerprint >> (16 * table) & 0xffff);
  }

  uint64_t slots_;               // of each bucket
  std::vector<Entry> entries_;   // bucket by bucket
  std::vector<uint32_t> added_;  // to each bucket; the next entry goes to slot (this % slots_)
};

}  // namespace crivello::dedup
