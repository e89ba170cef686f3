// SPDX-License-Identifier: Apache-2.0
#include "collection/page_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "collection/page_schedule_keys.h"

namespace crivello::collection {

using namespace schedule_keys;
using revisit::HostSchedule;
using revisit::ScheduledPage;

PageSchedule::Families PageSchedule::Families::AddTo(std::vector<kv::FamilyOptions>* families) {
  const auto add = [families](kv::FamilyOptions options) {
    families->push_back(std::move(options));
    return static_cast<kv::Family>(families->size() - 1);
  };
  return {.blocks = add({.name = "schedule", .rewritten = true}),
          .calendar = add({.name = "due", .rewritten = true})};
}

Result<std::unique_ptr<PageSchedule>> PageSchedule::Open(kv::Database& db, const Families& families) {
  std::unique_ptr<PageSchedule> schedule(new PageSchedule(db, families));
  CRV_ASSIGN(const std::optional<std::string> bytes, db.Get(families.blocks, kCountsKey));
  if (!bytes) return schedule;
  const std::optional<ScheduleRecord> record = DecodeScheduleRecord(*bytes);
  if (!record) return Status::Corruption("the counts of the schedule of revisits are damaged");
  MutexLock lock(schedule->mu_);
  schedule->stats_ = record->stats;
  schedule->complete_ = record->complete;
  schedule->memory_ = record->memory;
  return schedule;
}

ScheduleStats PageSchedule::stats() const {
  MutexLock lock(mu_);
  return stats_;
}

bool PageSchedule::complete() const {
  MutexLock lock(mu_);
  return complete_;
}

revisit::Planner::Memory PageSchedule::memory() const {
  MutexLock lock(mu_);
  return memory_;
}

Result<std::optional<PageSchedule::Page>> PageSchedule::Find(std::string_view row_key) const {
  const std::string_view host = HostPart(row_key);
  const kv::Cursor cursor = db_.Scan(families_.blocks, row_key);
  CRV_TRY(cursor.status());
  if (!cursor.valid() || HostPart(cursor.key()) != host) return std::optional<Page>();
  const std::optional<HostSchedule> schedule = revisit::DecodeHostSchedule(cursor.value());
  if (!schedule) return BadBlock(cursor.key());
  const std::string_view name = row_key.substr(host.size());
  const auto page = std::lower_bound(schedule->pages.begin(), schedule->pages.end(), name, NameLess);
  if (page == schedule->pages.end() || page->name != name) return std::optional<Page>();
  const revisit::RateBelief prior = schedule->prior.value_or(memory().web);
  return std::optional(Page{.page = *page, .belief = {.changes = prior.After(page->history)}});
}

Status PageSchedule::ForEachBlock(const std::function<bool(const BlockView& block)>& visit,
                                  std::string_view from) const {
  kv::Cursor cursor = db_.Scan(families_.blocks, std::max(from, kFirstBlock));
  for (; cursor.valid(); cursor.Next()) {
    const std::optional<HostSchedule> schedule = revisit::DecodeHostSchedule(cursor.value());
    if (!schedule) return BadBlock(cursor.key());
    if (!visit({.host_key = HostPart(cursor.key()), .schedule = *schedule})) break;
  }
  return cursor.status();
}

Result<std::optional<uint32_t>> PageSchedule::FirstDueHour() const {
  std::string from;
  {
    MutexLock lock(mu_);
    from = calendar_from_;
  }
  const kv::Cursor cursor = db_.Scan(families_.calendar, from);
  CRV_TRY(cursor.status());
  if (!cursor.valid()) return std::optional<uint32_t>();
  const std::optional<uint32_t> hour = HourOfCalendarKey(cursor.key());
  if (!hour) return Status::Corruption("the calendar of revisits has an entry without an hour");
  return hour;
}

Status PageSchedule::Check(const std::function<void(std::string sentence)>& note) const {
  // A state of one moment, also during a crawl.
  std::unique_lock<Mutex> lock(change_mu_);
  kv::Cursor blocks = db_.Scan(families_.blocks, kFirstBlock);
  kv::Cursor calendar = db_.Scan(families_.calendar);
  kv::Cursor records = db_.Scan(families_.blocks, HostRecordKey("\1"), kFirstBlock);
  const ScheduleStats known = stats();
  lock.unlock();
  ScheduleStats found;
  uint64_t expected = 0;  // the sum of hashes of the entries that the calendar must have
  std::string host;
  revisit::HostLoad sums;
  // Records are in the order of their hosts, as blocks are.
  const auto check_host = [&](bool last) {
    for (; records.valid() && (last || records.key().substr(kCountsKey.size()) <= host); records.Next()) {
      const std::string_view name = records.key().substr(kCountsKey.size());
      const std::optional<revisit::HostLoad> load = DecodeHostLoad(records.value());
      if (!load) {
        note(fmt::format("the record of the host '{}' in the schedule is damaged", name));
      } else if (name != host || load->pages != sums.pages ||
                 std::abs(load->planned - sums.planned) > 0.01 * sums.planned + 1e-6) {
        note(fmt::format("the schedule counts {} pages of the host '{}', but has {}", load->pages, name,
                         name == host ? sums.pages : 0));
      }
    }
  };
  std::string before;
  for (; blocks.valid(); blocks.Next()) {
    const std::string key(blocks.key());
    const std::optional<HostSchedule> schedule = revisit::DecodeHostSchedule(blocks.value());
    if (!schedule) {
      note(BadBlock(key).message());
      continue;
    }
    if (HostPart(key) != host) {
      check_host(/*last=*/false);
      before.clear();
      sums = {};
    }
    host = HostPart(key);
    found.blocks++;
    for (const ScheduledPage& page : schedule->pages) {
      const std::string row_key = host + page.name;
      if (row_key > key || row_key <= before) note("the schedule has a page in the wrong block: " + row_key);
      found.pages++;
      found.queued += page.queued ? 1 : 0;
      found.failing += page.failures > 0 ? 1 : 0;
      found.planned += revisit::PlannedOf(page);
      sums.pages += 1;
      sums.planned += revisit::PlannedOf(page);
    }
    before = key;
    if (const std::optional<uint32_t> due = revisit::FirstDueHour(*schedule)) {
      expected += Hash64(CalendarKey(*due, key));
    } else {
      note(fmt::format("the schedule has an empty block: '{}'", key));
    }
  }
  CRV_TRY(blocks.status());
  check_host(/*last=*/true);
  CRV_TRY(records.status());
  uint64_t entries = 0;
  for (; calendar.valid(); calendar.Next()) {
    entries++;
    expected -= Hash64(calendar.key());
  }
  CRV_TRY(calendar.status());
  if (entries != found.blocks || expected != 0) {
    note(fmt::format("the calendar of revisits does not match the schedule: {} entries for {} blocks",
                     entries, found.blocks));
  }
  const bool agree = known.pages == found.pages && known.blocks == found.blocks &&
                     known.queued == found.queued && known.failing == found.failing &&
                     std::abs(known.planned - found.planned) <= 0.01 * found.planned + 1e-6;
  if (!agree) {
    note(
        fmt::format("the schedule counts {} pages in {} blocks ({} queued, {} failing), but has {} in {} "
                    "({} queued, {} failing)",
                    known.pages, known.blocks, known.queued, known.failing, found.pages, found.blocks,
                    found.queued, found.failing));
  }
  return Status::Ok();
}

Result<std::optional<revisit::HostLoad>> PageSchedule::FindHost(std::string_view host_key) const {
  CRV_ASSIGN(const std::optional<std::string> bytes, db_.Get(families_.blocks, HostRecordKey(host_key)));
  if (!bytes) return std::optional<revisit::HostLoad>();
  const std::optional<revisit::HostLoad> load = DecodeHostLoad(*bytes);
  if (!load)
    return Status::Corruption(
        fmt::format("the record of the host '{}' in the schedule is damaged", host_key));
  return load;
}

}  // namespace crivello::collection
