// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revisit/belief.h"

namespace crivello::revisit {

// The schedule of the pages of one host, as one record: who is visited when, and what its visits have shown.
// A calendar then needs one entry for each host, the hour in which its first page is due.  Pure values.
// Format: docs/formats/host-schedule.md.
struct ScheduledPage {
  std::string name = {};   // the end of its row key, after that of the host; at most kMaxNameBytes
  uint32_t last_hour = 0;  // of the last visit, in hours since 1970
  uint32_t due_hour = 0;   // of the next; not before last_hour
  uint8_t probes = 0;      // since the history was last halved
  uint8_t failures = 0;    // visits in a row that brought no page
  History history = {};
};
inline constexpr size_t kMaxNameBytes = 1 << 16;
inline constexpr size_t kMaxScheduledPages = 1 << 20;

// REQUIRES: names strictly increase; at most kMaxScheduledPages.  Histories are rounded: counts to quarters
// of a visit, days to hours; what is encoded again after being decoded gives the same bytes.
std::string EncodeHostSchedule(const std::vector<ScheduledPage>& pages);

// Nothing if the bytes are not a schedule: a checksum covers them all.
std::optional<std::vector<ScheduledPage>> DecodeHostSchedule(std::string_view bytes);

// The hour in which the first page is due; nothing if there is none.
std::optional<uint32_t> FirstDueHour(const std::vector<ScheduledPage>& pages);

}  // namespace crivello::revisit
