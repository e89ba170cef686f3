// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash/near_copy_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace crivello::dedup {

Result<NearCopyTable> NearCopyTable::Create(uint64_t memory_bytes) {
  // The counters of all buckets are a MiB more.
  const uint64_t slots = memory_bytes / (kBuckets * kBytesPerPage);
  if (slots == 0) {
    return Status::InvalidArgument(
        fmt::format("near-copies cannot be found in {} bytes: expected at least {}", memory_bytes,
                    kBuckets * kBytesPerPage));
  }
  return NearCopyTable(slots);
}

NearCopyTable::NearCopyTable(uint64_t slots)
    : slots_(slots), entries_(slots * kBuckets * kTables), added_(kBuckets * kTables) {}

std::optional<NearCopyTable::Copy> NearCopyTable::Find(uint64_t fingerprint) const {
  std::optional<Copy> best;
  for (unsigned table = 0; table < kTables; table++) {
    const uint64_t bucket = BucketOf(fingerprint, table);
    const Entry* const ring = entries_.data() + bucket * slots_;
    const uint64_t held = std::min<uint64_t>(added_[bucket], slots_);
    for (uint64_t age = 1; age <= held; age++) {  // the newest first
      const Entry& entry = ring[(added_[bucket] - age) % slots_];
      const int distance = __builtin_popcountll(entry.fingerprint ^ fingerprint);
      if (distance <= kDistance && (!best || distance < best->distance)) {
        best = {.reference = entry.reference, .distance = distance};
      }
    }
  }
  return best;
}

void NearCopyTable::Add(uint64_t fingerprint, uint64_t reference) {
  for (unsigned table = 0; table < kTables; table++) {
    const uint64_t bucket = BucketOf(fingerprint, table);
    entries_[bucket * slots_ + added_[bucket] % slots_] = {fingerprint, reference};
    // Before the counter would overflow, it goes back to a number with the same place, of a full ring.
    if (++added_[bucket] == UINT32_MAX) {
      added_[bucket] = static_cast<uint32_t>(slots_ + UINT32_MAX % slots_);
    }
  }
}

uint64_t NearCopyTable::MemoryBytes() const {
  return entries_.size() * sizeof(Entry) + added_.size() * sizeof added_[0];
}

}  // namespace crivello::dedup
