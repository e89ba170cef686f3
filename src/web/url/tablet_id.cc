// SPDX-License-Identifier: Apache-2.0
#include "web/url/tablet_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace crivello::web {
namespace {

constexpr std::string_view kNamePrefix = "t-";
constexpr uint32_t kHashes = 1u << TabletId::kMaxBits;

}  // namespace

std::optional<TabletId> TabletId::Parse(std::string_view name) {
  if (!name.starts_with(kNamePrefix)) return std::nullopt;
  name.remove_prefix(kNamePrefix.size());
  if (name.size() > static_cast<size_t>(kMaxBits)) return std::nullopt;
  uint32_t prefix = 0;
  for (const char c : name) {
    if (c != '0' && c != '1') return std::nullopt;
    prefix = prefix << 1 | static_cast<uint32_t>(c == '1');
  }
  return TabletId(static_cast<int>(name.size()), prefix);
}

std::string TabletId::Name() const {
  std::string name(kNamePrefix);
  for (int i = bits_ - 1; i >= 0; --i) name += (prefix_ >> i & 1) != 0 ? '1' : '0';
  return name;
}

TabletMap::TabletMap(std::vector<TabletId> ids) : ids_(std::move(ids)) {
  slots_.reserve(kHashes);
  for (size_t slot = 0; slot < ids_.size(); ++slot) {
    slots_.insert(slots_.end(), ids_[slot].End() - ids_[slot].First(), static_cast<uint16_t>(slot));
  }
}

Result<TabletMap> TabletMap::Uniform(uint32_t count) {
  if (!std::has_single_bit(count) || count > kHashes) {
    return Status::InvalidArgument(
        fmt::format("invalid number of tablets {}: expected a power of two, at most {}", count, kHashes));
  }
  std::vector<TabletId> ids;
  for (uint32_t i = 0; i < count; ++i) ids.emplace_back(std::countr_zero(count), i);
  return TabletMap(std::move(ids));
}

Result<TabletMap> TabletMap::Of(std::vector<TabletId> ids) {
  std::sort(ids.begin(), ids.end());
  uint32_t next = 0;           // the first hash not covered by the previous ones
  uint32_t gap_end = kHashes;  // end of the uncovered range, if there is one
  for (const TabletId& id : ids) {
    if (id.First() < next) {
      return Status::InvalidArgument(
          fmt::format("tablet {} overlaps another tablet: some hosts belong to both", id.Name()));
    }
    if (id.First() > next) {
      gap_end = id.First();
      break;
    }
    next = id.End();
  }
  if (next != kHashes) {
    // The largest tablet that begins at the gap and fits into it.
    int zeros = next == 0 ? TabletId::kMaxBits : std::countr_zero(next);
    while (next + (1u << zeros) > gap_end) --zeros;
    const TabletId missing(TabletId::kMaxBits - zeros, next >> zeros);
    return Status::InvalidArgument(fmt::format("a tablet is missing: {} or a part of it", missing.Name()));
  }
  return TabletMap(std::move(ids));
}

Result<TabletMap> TabletMap::OfNames(std::span<const std::string> names) {
  std::vector<TabletId> ids;
  for (const std::string& name : names) {
    if (const auto id = TabletId::Parse(name)) ids.push_back(*id);
  }
  return Of(std::move(ids));
}

std::optional<uint32_t> TabletMap::Find(const TabletId& id) const {
  const auto it = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (it == ids_.end() || *it != id) return std::nullopt;
  return static_cast<uint32_t>(it - ids_.begin());
}

}  // namespace crivello::web
