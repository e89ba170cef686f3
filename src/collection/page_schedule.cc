// SPDX-License-Identifier: Apache-2.0
#include "collection/page_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"

namespace crivello::collection {
namespace {

using revisit::HostSchedule;
using revisit::ScheduledPage;

// The record of the counts; no row key begins with a NUL.
constexpr std::string_view kCountsKey("\0", 1);
constexpr std::string_view kFirstBlock("\1", 1);
// The last block of a host; no row key holds it.
constexpr std::string_view kEndOfHost("\xff", 1);
constexpr size_t kHourBytes = 4;

// "it,unimi)" of "it,unimi)https:443/path".
std::string_view HostPart(std::string_view row_key) { return row_key.substr(0, row_key.find(')') + 1); }

std::string CalendarKey(uint32_t hour, std::string_view block) {
  std::string key;
  for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<char>(hour >> shift));
  key += block;
  return key;
}
std::optional<uint32_t> HourOfCalendarKey(std::string_view key) {
  if (key.size() <= kHourBytes) return std::nullopt;
  uint32_t hour = 0;
  for (size_t i = 0; i < kHourBytes; i++) hour = hour << 8 | static_cast<uint8_t>(key[i]);
  return hour;
}

Status BadBlock(std::string_view key) {
  return Status::Corruption(fmt::format("the schedule of the pages up to '{}' is damaged", key));
}

bool NameLess(const ScheduledPage& page, std::string_view name) { return page.name < name; }

}  // namespace

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
  // Of one moment, also while a crawl goes on.
  std::unique_lock<Mutex> lock(change_mu_);
  kv::Cursor blocks = db_.Scan(families_.blocks, kFirstBlock);
  kv::Cursor calendar = db_.Scan(families_.calendar);
  const ScheduleStats known = stats();
  lock.unlock();
  ScheduleStats found;
  uint64_t expected = 0;  // the sum of hashes of the entries that the calendar must have
  std::string host;
  std::string before;
  for (; blocks.valid(); blocks.Next()) {
    const std::string key(blocks.key());
    const std::optional<HostSchedule> schedule = revisit::DecodeHostSchedule(blocks.value());
    if (!schedule) {
      note(BadBlock(key).message());
      continue;
    }
    if (HostPart(key) != host) before.clear();
    host = HostPart(key);
    found.blocks++;
    for (const ScheduledPage& page : schedule->pages) {
      const std::string row_key = host + page.name;
      if (row_key > key || row_key <= before) note("the schedule has a page in the wrong block: " + row_key);
      found.pages++;
      found.queued += page.queued ? 1 : 0;
      found.failing += page.failures > 0 ? 1 : 0;
      found.planned += revisit::PlannedOf(page);
    }
    before = key;
    if (const std::optional<uint32_t> due = revisit::FirstDueHour(*schedule)) {
      expected += Hash64(CalendarKey(*due, key));
    } else {
      note(fmt::format("the schedule has an empty block: '{}'", key));
    }
  }
  CRV_TRY(blocks.status());
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

// Changes.

PageSchedule::Change::Change(PageSchedule& schedule)
    : schedule_(&schedule),
      lock_(schedule.change_mu_),
      before_(schedule.stats()),
      stats_(before_),
      complete_(schedule.complete()) {}

void PageSchedule::Change::Count(const ScheduledPage& page, int sign) {
  const auto count = [sign](uint64_t* sum, bool counts) {
    if (counts) *sum += static_cast<uint64_t>(static_cast<int64_t>(sign));
  };
  count(&stats_.pages, true);
  count(&stats_.queued, page.queued);
  count(&stats_.failing, page.failures > 0);
  stats_.planned = std::max(0.0, stats_.planned + sign * revisit::PlannedOf(page));
}

Result<PageSchedule::Change::Blocks::iterator> PageSchedule::Change::Load(std::string key,
                                                                          std::string_view bytes) {
  std::optional<HostSchedule> schedule = revisit::DecodeHostSchedule(bytes);
  if (!schedule) return BadBlock(key);
  Block block = {.schedule = *std::move(schedule)};
  block.calendar = revisit::FirstDueHour(block.schedule);
  return blocks_.emplace(std::move(key), std::move(block)).first;
}

Result<PageSchedule::Change::Blocks::iterator> PageSchedule::Change::Find(std::string_view row_key) {
  const std::string_view host = HostPart(row_key);
  // The one that is nearest behind it, of those here and those on the disk.
  const auto here = blocks_.lower_bound(row_key);
  const bool is_here = here != blocks_.end() && HostPart(here->first) == host;
  const kv::Cursor cursor = schedule_->db_.Scan(schedule_->families_.blocks, row_key);
  CRV_TRY(cursor.status());
  const bool is_stored = cursor.valid() && HostPart(cursor.key()) == host;
  if (is_here && (!is_stored || here->first <= cursor.key())) return here;
  if (is_stored) return Load(std::string(cursor.key()), cursor.value());
  stats_.blocks++;
  return blocks_.emplace(std::string(host) + std::string(kEndOfHost), Block()).first;
}

Status PageSchedule::Change::Visit(std::string_view row_key, const revisit::VisitNews& news,
                                   revisit::Planner& planner) {
  using Outcome = revisit::VisitNews::Outcome;
  const std::string_view name = row_key.substr(HostPart(row_key).size());
  if (name.size() > revisit::kMaxNameBytes) return Status::Ok();
  CRV_ASSIGN(const auto found, Find(row_key));
  std::vector<ScheduledPage>& pages = found->second.schedule.pages;
  auto page = std::lower_bound(pages.begin(), pages.end(), name, NameLess);
  const bool known = page != pages.end() && page->name == name;
  if (!known) {
    if (news.outcome == Outcome::kFailed || news.outcome == Outcome::kPassedOver) {
      if (pages.empty()) {
        blocks_.erase(found);
        stats_.blocks--;
      }
      return Status::Ok();
    }
    page = pages.insert(page, {.name = std::string(name)});
    stats_.firsts++;
  } else {
    Count(*page, -1);
    if (news.outcome != Outcome::kPassedOver) stats_.revisits++;
    if (news.outcome == Outcome::kChanged) stats_.changes++;
  }
  planner.OnVisit(news, &found->second.schedule, &*page);
  Count(*page, +1);
  found->second.changed = true;
  if (pages.size() > kMostPages) Divide(found);
  return Status::Ok();
}

Status PageSchedule::Change::Enter(std::string_view row_key, int64_t time, revisit::Planner& planner) {
  if (row_key.size() > revisit::kMaxNameBytes) return Status::Ok();
  CRV_ASSIGN(const auto found, Find(row_key));
  const std::vector<ScheduledPage>& pages = found->second.schedule.pages;
  const std::string_view name = row_key.substr(HostPart(row_key).size());
  const auto page = std::lower_bound(pages.begin(), pages.end(), name, NameLess);
  if (page != pages.end() && page->name == name) return Status::Ok();
  return Visit(row_key, {.time = time, .depth = 1}, planner);
}

// The lower half gets a key of its own; the upper one keeps the key.
void PageSchedule::Change::Divide(Blocks::iterator whole) {
  HostSchedule& upper = whole->second.schedule;
  HostSchedule lower = {.pages = {},
                        .review_hour = upper.review_hour,
                        .prior = upper.prior,
                        .fitted_at = upper.fitted_at / 2,
                        .trust = upper.trust,
                        .hinted_since = upper.hinted_since};
  upper.fitted_at /= 2;
  const auto middle = upper.pages.begin() + static_cast<std::ptrdiff_t>(upper.pages.size() / 2);
  lower.pages.assign(std::make_move_iterator(upper.pages.begin()), std::make_move_iterator(middle));
  upper.pages.erase(upper.pages.begin(), middle);
  std::string key(HostPart(whole->first));
  key += lower.pages.back().name;
  blocks_.emplace(std::move(key), Block{.schedule = std::move(lower), .calendar = {}, .changed = true});
  stats_.blocks++;
}

Result<std::vector<PageSchedule::Change::Due>> PageSchedule::Change::TakeDue(
    uint32_t hour, size_t limit, revisit::Planner& planner,
    const std::function<Result<bool>(std::string_view row_key)>& silent) {
  std::vector<Due> due;
  std::string from;
  {
    MutexLock lock(schedule_->mu_);
    from = schedule_->calendar_from_;
  }
  kv::Cursor calendar = schedule_->db_.Scan(schedule_->families_.calendar, from);
  if (calendar.valid()) first_seen_ = calendar.key();
  for (size_t walked = 0; calendar.valid() && due.size() < limit && walked < limit;
       calendar.Next(), walked++) {
    const std::optional<uint32_t> entry = HourOfCalendarKey(calendar.key());
    if (!entry) return Status::Corruption("the calendar of revisits has an entry without an hour");
    if (*entry > hour) break;
    const std::string key(calendar.key().substr(kHourBytes));
    CRV_ASSIGN(const std::optional<std::string> bytes, schedule_->db_.Get(schedule_->families_.blocks, key));
    if (!bytes) {
      gone_.emplace_back(calendar.key());  // what a repair of the database left behind
      continue;
    }
    CRV_ASSIGN(const auto block, Load(key, *bytes));
    HostSchedule& schedule = block->second.schedule;
    const std::string host(HostPart(key));
    std::optional<bool> is_silent;
    bool asked = false;
    block->second.changed = true;
    if (*entry != revisit::FirstDueHour(schedule)) gone_.emplace_back(calendar.key());
    for (ScheduledPage& page : schedule.pages) Count(page, -1);
    for (ScheduledPage& page : schedule.pages) {
      if (page.due_hour > hour || due.size() >= limit) continue;
      if (!is_silent) {
        CRV_ASSIGN(is_silent, silent(host + page.name));
      }
      // A page that was queued, and whose host was given up since, has failed, too.
      if (*is_silent && (asked || page.queued)) {
        planner.OnHostSilent(hour, &page);
        if (page.failures == revisit::Planner::kGoneAfter)
          due.push_back({.row_key = host + page.name, .gone = true});
        continue;
      }
      if (!planner.OnDue(hour, &schedule, &page)) continue;
      asked = true;
      due.push_back({.row_key = host + page.name, .depth = page.depth});
    }
    if (schedule.review_hour <= hour) planner.Review(hour, &schedule);
    for (const ScheduledPage& page : schedule.pages) Count(page, +1);
  }
  CRV_TRY(calendar.status());
  return due;
}

Result<bool> PageSchedule::Change::Hint(std::string_view row_key, revisit::HintSource source, uint32_t hour,
                                        revisit::Planner& planner) {
  const std::string_view name = row_key.substr(HostPart(row_key).size());
  CRV_ASSIGN(const auto found, Find(row_key));
  std::vector<ScheduledPage>& pages = found->second.schedule.pages;
  const auto page = std::lower_bound(pages.begin(), pages.end(), name, NameLess);
  if (page == pages.end() || page->name != name) {
    if (pages.empty()) {
      blocks_.erase(found);
      stats_.blocks--;
    }
    return false;
  }
  Count(*page, -1);
  planner.OnHint(source, hour, &found->second.schedule, &*page);
  Count(*page, +1);
  found->second.changed = true;
  return true;
}

Status PageSchedule::Change::Forget(const web::RowKeyRange& range) {
  kv::Cursor cursor =
      schedule_->db_.Scan(schedule_->families_.blocks, std::max<std::string_view>(range.begin, kFirstBlock));
  for (; cursor.valid(); cursor.Next()) {
    const std::string key(cursor.key());
    auto found = blocks_.find(key);
    if (found == blocks_.end()) {
      CRV_ASSIGN(found, Load(key, cursor.value()));
    }
    const std::string host(HostPart(key));
    std::vector<ScheduledPage>& pages = found->second.schedule.pages;
    const size_t before = pages.size();
    std::erase_if(pages, [&](const ScheduledPage& page) {
      const bool goes = range.Contains(host + page.name);
      if (goes) Count(page, -1);
      return goes;
    });
    if (pages.size() < before) found->second.changed = true;
    // Its key is the name of a page, which must not stay either: the rest gets the name of another.
    if (!key.ends_with(kEndOfHost) && range.Contains(key)) {
      Block rest = {.schedule = std::move(found->second.schedule), .calendar = {}, .changed = true};
      pages.clear();
      found->second.changed = true;
      found->second.schedule = {};
      if (!rest.schedule.pages.empty()) {
        std::string name = host + rest.schedule.pages.back().name;
        blocks_.emplace(std::move(name), std::move(rest));
        stats_.blocks++;
      }
    }
    if (!range.end.empty() && key >= range.end) break;
  }
  return cursor.status();
}

Status PageSchedule::Change::Fill(kv::Batch* batch, const revisit::Planner* planner) {
  const Families& families = schedule_->families_;
  for (const std::string& key : gone_) batch->Delete(families.calendar, key);
  for (auto& [key, block] : blocks_) {
    if (!block.changed) continue;
    const std::optional<uint32_t> due = revisit::FirstDueHour(block.schedule);
    if (block.calendar && block.calendar != due)
      batch->Delete(families.calendar, CalendarKey(*block.calendar, key));
    if (!due) {
      batch->Delete(families.blocks, key);
      stats_.blocks--;
      continue;
    }
    batch->Put(families.blocks, key, revisit::EncodeHostSchedule(block.schedule));
    if (block.calendar == due) continue;
    std::string entry = CalendarKey(*due, key);
    batch->Put(families.calendar, entry, {});
    if (first_written_.empty() || entry < first_written_) first_written_ = std::move(entry);
  }
  ScheduleRecord record = {.stats = stats_, .complete = complete_, .memory = schedule_->memory()};
  if (planner != nullptr) record.memory = planner->memory();
  batch->Put(families.blocks, kCountsKey, EncodeScheduleRecord(record));
  return Status::Ok();
}

void PageSchedule::Change::Done(revisit::Planner* planner) {
  if (planner != nullptr) {
    planner->Add({.pages = static_cast<double>(stats_.pages) - static_cast<double>(before_.pages),
                  .planned = stats_.planned - before_.planned});
  }
  MutexLock lock(schedule_->mu_);
  schedule_->stats_ = stats_;
  schedule_->complete_ = complete_;
  if (planner != nullptr) schedule_->memory_ = planner->memory();
  std::string& from = schedule_->calendar_from_;
  if (!first_seen_.empty()) from = first_seen_;
  if (!first_written_.empty() && first_written_ < from) from = first_written_;
}

}  // namespace crivello::collection
