// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "revisit/belief.h"
#include "revisit/hints.h"

namespace crivello::revisit {

// The schedule of pages of one host, as one record: when each page is visited, and what its visits have
// shown. A host with many pages has several records, each for a range of names.  So a calendar needs only one
// entry for each record: the hour in which its first page is due.  Pure values. Format:
// docs/formats/host-schedule.md.
struct ScheduledPage {
  std::string name = {};        // the end of its row key, after that of the host; at most kMaxNameBytes
  uint32_t last_hour = 0;       // of the last visit, in hours since 1970
  uint32_t interval_hours = 0;  // as the policy wants it
  uint32_t due_hour = 0;        // of the next visit; not before last_hour
  uint32_t depth = 0;           // links from a seed
  bool probing = false;         // the next visit is a probe: earlier than the interval says
  bool queued = false;          // it is in the queue of its host; due_hour is when to put it there again
  bool sitemap = false;         // it is a sitemap, which is visited about once per change
  uint8_t probes = 0;           // since the history was last halved
  uint8_t failures = 0;         // visits in a row that brought no page
  // Hints since the last visit, and where the last of them came from.
  uint32_t hints = 0;
  HintSource hinted_by = HintSource::kFeed;
  History history = {};
};

// How often hints were right, for each source that has sent some.
using HintTrusts = std::array<std::optional<HintTrust>, kHintSources>;

struct HostSchedule {
  std::vector<ScheduledPage> pages = {};
  uint32_t review_hour = 0;  // when all pages are planned again
  // The belief about any of these pages, from the histories of all of them, and the number of visits when it
  // was fitted.
  std::optional<RateBelief> prior = {};
  uint32_t fitted_at = 0;
  // If the host has several schedules, its HostLoad (planner.h) has these two instead.
  HintTrusts trust = {};
  uint32_t hinted_since = 0;  // the hour of the first hint; 0: there was none
};
inline constexpr size_t kMaxNameBytes = 1 << 16;
inline constexpr size_t kMaxScheduledPages = 1 << 20;

// REQUIRES: names strictly increase; at most kMaxScheduledPages.  Numbers are rounded: counts to quarters of
// a visit, days to hours, probabilities to 9%.  Encoding a decoded schedule again gives the same bytes.
std::string EncodeHostSchedule(const HostSchedule& schedule);

// Nothing if the bytes are not a schedule.  A checksum covers all of them.
std::optional<HostSchedule> DecodeHostSchedule(std::string_view bytes);

// Writes and reads the sources as bits, the trust in each, and the hour of the first hint, as all records
// have them.  WriteTrusts() REQUIRES a source.  ReadTrusts() sets `good` to false if the bytes are wrong.
void WriteTrusts(const HintTrusts& trust, uint32_t hinted_since, RecordWriter& out);
void ReadTrusts(RecordReader& in, HintTrusts* trust, uint32_t* hinted_since, bool* good);

// The hour in which the first page is due, or the schedule is to be reviewed; nothing if there is no page.
std::optional<uint32_t> FirstDueHour(const HostSchedule& schedule);

}  // namespace crivello::revisit
