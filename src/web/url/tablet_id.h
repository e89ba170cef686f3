// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "web/url/signature.h"

namespace crivello::web {

// The name of a tablet: a prefix of the hashes of hosts, as bits. The tablet "t-0101" holds the hosts whose
// hash begins with 0101; "t-", the empty prefix, holds all hosts. Adding a bit splits a tablet in two. Names
// are written to disk: they never change.
class TabletId {
 public:
  static constexpr int kMaxBits = kHostSignatureBits;

  TabletId() = default;  // all hosts
  // REQUIRES: 0 <= bits <= kMaxBits and prefix < 2^bits.
  TabletId(int bits, uint32_t prefix) : bits_(static_cast<uint8_t>(bits)), prefix_(prefix) {}
  // nullopt if it is not the name of a tablet.
  static std::optional<TabletId> Parse(std::string_view name);

  std::string Name() const;
  int bits() const { return bits_; }
  bool Contains(uint64_t host_hash) const { return TabletOf(host_hash, bits_) == prefix_; }
  // The hashes of kMaxBits bits that it contains: First() <= hash < End().
  uint32_t First() const { return prefix_ << (kMaxBits - bits_); }
  uint32_t End() const { return (prefix_ + 1) << (kMaxBits - bits_); }

  // In order of hashes. The order is meaningful only for ids that do not overlap.
  friend auto operator<=>(const TabletId& a, const TabletId& b) {
    return a.First() == b.First() ? a.bits_ <=> b.bits_ : a.First() <=> b.First();
  }
  friend bool operator==(const TabletId&, const TabletId&) = default;

 private:
  uint8_t bits_ = 0;
  uint32_t prefix_ = 0;
};

// All tablets of a collection. Their prefixes form a complete code, so each host belongs to exactly one. The
// *slot* of a tablet is its position in the order of hashes; slots are dense, and change when a tablet is
// split. Immutable, 8 KiB.
class TabletMap {
 public:
  TabletMap() : TabletMap(std::vector<TabletId>{TabletId()}) {}
  // 2^n tablets of n bits.  InvalidArgument if the count is not a power of two or is too large.
  static Result<TabletMap> Uniform(uint32_t count);
  // InvalidArgument, naming a tablet, if two overlap or some hosts belong to none.
  static Result<TabletMap> Of(std::vector<TabletId> ids);
  // The tablets named by folders; names that are not tablet names are ignored.
  static Result<TabletMap> OfNames(std::span<const std::string> names);

  uint32_t size() const { return static_cast<uint32_t>(ids_.size()); }
  const TabletId& id(uint32_t slot) const { return ids_[slot]; }
  uint32_t SlotOf(uint64_t host_hash) const { return slots_[TabletOf(host_hash, TabletId::kMaxBits)]; }
  std::optional<uint32_t> Find(const TabletId& id) const;

 private:
  explicit TabletMap(std::vector<TabletId> ids);

  std::vector<TabletId> ids_;    // in order
  std::vector<uint16_t> slots_;  // by the first kMaxBits bits of a hash
};

}  // namespace crivello::web
