// SPDX-License-Identifier: Apache-2.0
// Changes of the schedule of a tablet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "collection/page_schedule.h"
#include "collection/page_schedule_keys.h"

namespace crivello::collection {

using namespace schedule_keys;
using revisit::HostSchedule;
using revisit::ScheduledPage;

namespace {

constexpr size_t kLeastWalked = 64;   // blocks of the calendar, if their hosts have no time
constexpr double kLongestWait = 336;  // hours until a page whose host has no time is tried again

}  // namespace

PageSchedule::Change::Change(PageSchedule& schedule)
    : schedule_(&schedule),
      lock_(schedule.change_mu_),
      before_(schedule.stats()),
      stats_(before_),
      complete_(schedule.complete()) {}

PageSchedule::Change::Counted PageSchedule::Change::CountedOf(const ScheduledPage& page) {
  return {.queued = page.queued, .failing = page.failures > 0, .planned = revisit::PlannedOf(page)};
}

void PageSchedule::Change::Count(const Counted& page, int sign, Host* host) {
  const auto count = [sign](uint64_t* sum, bool counts) {
    if (counts) *sum += static_cast<uint64_t>(static_cast<int64_t>(sign));
  };
  count(&stats_.pages, true);
  count(&stats_.queued, page.queued);
  count(&stats_.failing, page.failing);
  stats_.planned = std::max(0.0, stats_.planned + sign * page.planned);
  host->load.pages = std::max(0.0, host->load.pages + sign);
  host->load.planned = std::max(0.0, host->load.planned + sign * page.planned);
  host->changed = true;
}

void PageSchedule::Change::Recount(const Counted& before, const ScheduledPage& now, Host* host) {
  Count(before, -1, host);
  Count(CountedOf(now), +1, host);
}

// Blocks that are older than the trust of their host have each learnt it separately.  The one with the most
// hints knows best.
void PageSchedule::Change::TakeHints(Host* host, HostSchedule* schedule) {
  const auto hints = [](const std::optional<revisit::HintTrust>& trust) {
    return trust ? trust->hints() : -1;
  };
  revisit::HostLoad& load = host->load;
  for (size_t i = 0; i < revisit::kHintSources; i++) {
    if (!schedule->trust[i]) continue;
    if (hints(schedule->trust[i]) > hints(load.trust[i])) load.trust[i] = schedule->trust[i];
    schedule->trust[i].reset();
    host->changed = true;
  }
  const uint32_t since = std::exchange(schedule->hinted_since, 0);
  if (since > 0 && (load.hinted_since == 0 || since < load.hinted_since)) load.hinted_since = since;
}

PageSchedule::Change::HintLoan::HintLoan(Host* host, HostSchedule* schedule)
    : host_(host), schedule_(schedule) {
  if (!host->stored) return;
  TakeHints(host, schedule);
  schedule->trust = host->load.trust;
  schedule->hinted_since = host->load.hinted_since;
}
PageSchedule::Change::HintLoan::~HintLoan() {
  if (!host_->stored) return;
  host_->load.trust = schedule_->trust;
  host_->load.hinted_since = schedule_->hinted_since;
  schedule_->trust = {};
  schedule_->hinted_since = 0;
}

Result<PageSchedule::Change::Host*> PageSchedule::Change::HostOf(std::string_view row_key) {
  const std::string_view host_key = HostPart(row_key);
  const auto here = hosts_.find(host_key);
  if (here != hosts_.end()) return &here->second;
  CRV_ASSIGN(const std::optional<revisit::HostLoad> load, schedule_->FindHost(host_key));
  Host host;
  if (load) host = {.load = *load, .stored = true, .measured = true};
  return &hosts_.emplace(std::string(host_key), std::move(host)).first->second;
}

Status PageSchedule::Change::Measure(std::string_view host_key, Host* host) {
  if (host->measured) return Status::Ok();
  host->load.pages = 0;
  host->load.planned = 0;
  const auto add = [host](const HostSchedule& schedule) {
    for (const ScheduledPage& page : schedule.pages) {
      host->load.pages += 1;
      host->load.planned += revisit::PlannedOf(page);
    }
  };
  for (auto block = blocks_.lower_bound(host_key);
       block != blocks_.end() && HostPart(block->first) == host_key; ++block) {
    add(block->second.schedule);
  }
  uint64_t blocks = 0;
  kv::Cursor cursor = schedule_->db_.Scan(schedule_->families_.blocks, host_key);
  for (; cursor.valid() && HostPart(cursor.key()) == host_key; cursor.Next(), ++blocks) {
    if (blocks_.contains(cursor.key())) continue;
    const std::optional<HostSchedule> schedule = revisit::DecodeHostSchedule(cursor.value());
    if (!schedule) return BadBlock(cursor.key());
    add(*schedule);
  }
  host->measured = true;
  host->stored = blocks > 1;  // so that it is not measured again
  return cursor.status();
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
  // The first block at or after it, of those in memory and those on the disk.
  const auto here = blocks_.lower_bound(row_key);
  const bool is_here = here != blocks_.end() && HostPart(here->first) == host;
  if (is_here && here->second.from && row_key >= *here->second.from) return here;
  const kv::Cursor cursor = schedule_->db_.Scan(schedule_->families_.blocks, row_key);
  CRV_TRY(cursor.status());
  const bool is_stored = cursor.valid() && HostPart(cursor.key()) == host;
  Blocks::iterator found = here;
  if (!is_here || (is_stored && cursor.key() < here->first)) {
    if (is_stored) {
      CRV_ASSIGN(found, Load(std::string(cursor.key()), cursor.value()));
    } else {
      stats_.blocks++;
      found = blocks_.emplace(std::string(host) + std::string(kEndOfHost), Block()).first;
    }
  }
  found->second.from = row_key;
  return found;
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
  if (!known && (news.outcome == Outcome::kFailed || news.outcome == Outcome::kPassedOver)) {
    if (pages.empty()) {
      blocks_.erase(found);
      stats_.blocks--;
    }
    return Status::Ok();
  }
  CRV_ASSIGN(Host* const host, HostOf(row_key));
  {
    const HintLoan loan(host, &found->second.schedule);
    if (!known) {
      page = pages.insert(page, {.name = std::string(name)});
      stats_.firsts++;
      planner.OnVisit(news, &found->second.schedule, &*page, host->load);
      Count(CountedOf(*page), +1, host);
    } else {
      if (news.outcome != Outcome::kPassedOver) stats_.revisits++;
      if (news.outcome == Outcome::kChanged) stats_.changes++;
      const Counted before = CountedOf(*page);
      planner.OnVisit(news, &found->second.schedule, &*page, host->load);
      Recount(before, *page, host);
    }
  }
  found->second.changed = true;
  return pages.size() > kMostPages ? Divide(found, host) : Status::Ok();
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
Status PageSchedule::Change::Divide(Blocks::iterator whole, Host* host) {
  CRV_TRY(Measure(HostPart(whole->first), host));
  host->stored = true;
  host->changed = true;
  HostSchedule& upper = whole->second.schedule;
  TakeHints(host, &upper);
  HostSchedule lower = {
      .pages = {}, .review_hour = upper.review_hour, .prior = upper.prior, .fitted_at = upper.fitted_at / 2};
  upper.fitted_at /= 2;
  const auto middle = upper.pages.begin() + static_cast<std::ptrdiff_t>(upper.pages.size() / 2);
  lower.pages.assign(std::make_move_iterator(upper.pages.begin()), std::make_move_iterator(middle));
  upper.pages.erase(upper.pages.begin(), middle);
  std::string key(HostPart(whole->first));
  key += lower.pages.back().name;
  blocks_.emplace(
      std::move(key),
      Block{.schedule = std::move(lower), .calendar = {}, .changed = true, .from = whole->second.from});
  stats_.blocks++;
  return Status::Ok();
}

Status PageSchedule::Change::TakePage(uint32_t hour, revisit::Planner& planner, const std::string& host_key,
                                      Host* host, HostSchedule* schedule, ScheduledPage* page, bool* asked,
                                      std::vector<Due>* due) {
  HostView& view = *host->view;
  // A queued page whose host was given up since then has failed, too.
  if (view.silent && (*asked || page->queued)) {
    planner.OnHostSilent(hour, page);
    if (page->failures == revisit::Planner::kGoneAfter)
      due->push_back({.row_key = host_key + page->name, .gone = true});
    return Status::Ok();
  }
  if (view.room == 0) {
    const double wait = view.wait_hours + view.each_hours * host->waiting++;
    revisit::Planner::OnHostBusy(std::max(hour, page->last_hour) +
                                     static_cast<uint32_t>(std::clamp(std::ceil(wait), 1.0, kLongestWait)),
                                 page);
    return Status::Ok();
  }
  if (!planner.OnDue(hour, schedule, page, &host->load)) return Status::Ok();
  *asked = true;
  --view.room;
  due->push_back({.row_key = host_key + page->name, .depth = page->depth, .sitemap = page->sitemap});
  return Status::Ok();
}

Result<std::vector<PageSchedule::Change::Due>> PageSchedule::Change::TakeDue(uint32_t hour, size_t limit,
                                                                             revisit::Planner& planner,
                                                                             const LookAtHost& look) {
  std::vector<Due> due;
  std::string from;
  {
    MutexLock lock(schedule_->mu_);
    from = schedule_->calendar_from_;
  }
  kv::Cursor calendar = schedule_->db_.Scan(schedule_->families_.calendar, from);
  if (calendar.valid()) first_seen_ = calendar.key();
  const size_t most_blocks = std::max(limit, kLeastWalked);
  for (size_t walked = 0; calendar.valid() && due.size() < limit && walked < most_blocks;
       calendar.Next(), walked++) {
    const std::optional<uint32_t> entry = HourOfCalendarKey(calendar.key());
    if (!entry) return Status::Corruption("the calendar of revisits has an entry without an hour");
    if (*entry > hour) break;
    const std::string key(calendar.key().substr(kHourBytes));
    CRV_ASSIGN(const std::optional<std::string> bytes, schedule_->db_.Get(schedule_->families_.blocks, key));
    if (!bytes) {
      gone_.emplace_back(calendar.key());  // left behind by a repair of the database
      continue;
    }
    CRV_ASSIGN(const auto block, Load(key, *bytes));
    HostSchedule& schedule = block->second.schedule;
    const std::string host_key(HostPart(key));
    CRV_ASSIGN(Host* const host, HostOf(host_key));
    bool asked = false;
    block->second.changed = true;
    const HintLoan loan(host, &schedule);
    if (*entry != revisit::FirstDueHour(schedule)) gone_.emplace_back(calendar.key());
    for (ScheduledPage& page : schedule.pages) {
      if (page.due_hour > hour || due.size() >= limit) continue;
      if (!host->view) {
        CRV_ASSIGN(host->view, look(host_key + page.name));
        host->load.limit = host->view->most_per_day;
        if (host->load.limit > 0) CRV_TRY(Measure(host_key, host));
      }
      const Counted before = CountedOf(page);
      CRV_TRY(TakePage(hour, planner, host_key, host, &schedule, &page, &asked, &due));
      Recount(before, page, host);
    }
    if (host->load.price > 0) host->stored = true;
    if (schedule.review_hour > hour) continue;
    for (const ScheduledPage& page : schedule.pages) Count(CountedOf(page), -1, host);
    planner.Review(hour, &schedule, host->load);
    for (const ScheduledPage& page : schedule.pages) Count(CountedOf(page), +1, host);
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
  CRV_ASSIGN(Host* const host, HostOf(row_key));
  const HintLoan loan(host, &found->second.schedule);
  const Counted before = CountedOf(*page);
  planner.OnHint(source, hour, &found->second.schedule, &*page, host->load);
  Recount(before, *page, host);
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
    CRV_ASSIGN(Host* const sums, HostOf(key));
    std::vector<ScheduledPage>& pages = found->second.schedule.pages;
    const size_t before = pages.size();
    std::erase_if(pages, [&](const ScheduledPage& page) {
      const bool goes = range.Contains(host + page.name);
      if (goes) Count(CountedOf(page), -1, sums);
      return goes;
    });
    if (pages.size() < before) found->second.changed = true;
    // The key is the name of a forgotten page, so it must go, too: the rest of the block gets the name of
    // another.
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

void PageSchedule::Change::FillHosts(kv::Batch* batch) {
  for (const auto& [host_key, host] : hosts_) {
    if (!host.stored || !host.changed) continue;
    const std::string key = HostRecordKey(host_key);
    if (host.load.pages < 0.5) {
      batch->Delete(schedule_->families_.blocks, key);
    } else {
      batch->Put(schedule_->families_.blocks, key, EncodeHostLoad(host.load));
    }
  }
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
  FillHosts(batch);
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
