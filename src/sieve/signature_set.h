// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace crivello::sieve {

// A set of 64-bit signatures that only grows: open addressing with linear probing, in a table of words that
// is doubled when it is three quarters full. So 11 to 22 bytes per signature, and about one cache miss per
// call. One thread at a time.
class SignatureSet {
 public:
  SignatureSet() : slots_(1 << 10) {}

  bool Contains(uint64_t signature) const {
    return signature == kFree ? has_free_ : slots_[Find(signature)] == signature;
  }
  // True if it was new.
  bool Insert(uint64_t signature) {
    if (signature == kFree) {
      size_ += !has_free_;
      return !std::exchange(has_free_, true);
    }
    const uint64_t slot = Find(signature);
    if (slots_[slot] == signature) return false;
    slots_[slot] = signature;
    if (++size_ > slots_.size() / 4 * 3) Grow();
    return true;
  }

  uint64_t size() const { return size_; }
  uint64_t memory_bytes() const { return slots_.size() * sizeof(uint64_t); }

 private:
  static constexpr uint64_t kFree = 0;  // an empty slot; the signature 0 is stored separately

  // The slot of a signature, or the free slot where it would be inserted.
  uint64_t Find(uint64_t signature) const {
    // Mixed, because the top bits of signatures come from the host and may all be equal.
    uint64_t slot = ScaleTo(Mix64(signature), slots_.size());
    while (slots_[slot] != kFree && slots_[slot] != signature)
      slot = slot + 1 == slots_.size() ? 0 : slot + 1;
    return slot;
  }
  void Grow() {
    std::vector<uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (const uint64_t signature : old) {
      if (signature != kFree) slots_[Find(signature)] = signature;
    }
  }

  std::vector<uint64_t> slots_;
  uint64_t size_ = 0;
  bool has_free_ = false;
};

}  // namespace crivello::sieve
