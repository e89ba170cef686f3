// SPDX-License-Identifier: Apache-2.0
// The keys of the schedule of a tablet (docs/formats/schedule.md).  Only for page_schedule*.cc.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "revisit/host_schedule.h"

namespace crivello::collection::schedule_keys {

// The record of the counts; no row key begins with a NUL.
inline constexpr std::string_view kCountsKey("\0", 1);
inline constexpr std::string_view kFirstBlock("\1", 1);
// Ends the key of the last block of a host; no row key contains it.
inline constexpr std::string_view kEndOfHost("\xff", 1);
inline constexpr size_t kHourBytes = 4;

// The key of the record of a host.  It sorts before all blocks, whose keys begin with the name of a host.
inline std::string HostRecordKey(std::string_view host_key) { return std::string(kCountsKey) += host_key; }

// "it,unimi)" of "it,unimi)https:443/path".
inline std::string_view HostPart(std::string_view row_key) {
  return row_key.substr(0, row_key.find(')') + 1);
}

inline std::string CalendarKey(uint32_t hour, std::string_view block) {
  std::string key;
  for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<char>(hour >> shift));
  key += block;
  return key;
}
inline std::optional<uint32_t> HourOfCalendarKey(std::string_view key) {
  if (key.size() <= kHourBytes) return std::nullopt;
  uint32_t hour = 0;
  for (size_t i = 0; i < kHourBytes; i++) hour = hour << 8 | static_cast<uint8_t>(key[i]);
  return hour;
}

inline Status BadBlock(std::string_view key) {
  return Status::Corruption(fmt::format("the schedule of the pages up to '{}' is damaged", key));
}

inline bool NameLess(const revisit::ScheduledPage& page, std::string_view name) { return page.name < name; }

}  // namespace crivello::collection::schedule_keys
