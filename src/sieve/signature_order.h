// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/external_sorter.h"

namespace crivello::sieve {

// What sieves sort outside memory: two numbers, usually a signature and a position, with bytes
// attached.
struct SortRecord {
  uint64_t major = 0;
  uint64_t minor = 0;
  std::string_view bytes = {};
};

// Orders by (major, minor), for BasicExternalSorter.
struct SignatureOrder {
  using Record = SortRecord;
  struct Key {
    uint64_t major = 0;
    uint64_t minor = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  static constexpr bool kByBytes = false;
  static Key KeyOf(const SortRecord& record) { return {record.major, record.minor}; }
  static std::string_view BytesOf(const SortRecord& record) { return record.bytes; }
  static SortRecord Join(const Key& key, std::string_view bytes) { return {key.major, key.minor, bytes}; }
  static bool Repeats(const Key&, const Key&) { return false; }
};

// The same, but returns only the first of the records with equal major.
struct FirstOfSignature : SignatureOrder {
  static bool Repeats(const Key& last, const Key& next) { return last.major == next.major; }
};

// With less memory than this there would be too many runs for efficient disk access.
constexpr uint64_t kMinSortMemoryBytes = 1 << 16;

using SignatureSorter = BasicExternalSorter<SignatureOrder>;
using FirstOfSignatureSorter = BasicExternalSorter<FirstOfSignature>;

}  // namespace crivello::sieve
