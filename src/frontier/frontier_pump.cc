// SPDX-License-Identifier: Apache-2.0
// The frontier's background work: moving URLs from the sieves to the queues, and hosts to sleep and awake.
#include <algorithm>
#include <utility>

#include "frontier/frontier_state.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

// How often to look for hosts that could wake if nobody needs them.
constexpr Duration kLookEvery = std::chrono::seconds(1);
// Hosts woken at a time, at least.
constexpr uint64_t kWakeAtLeast = 64;
// Flushing a sieve of n keys early reads all of them, some ten nanoseconds each; at this interval that is a
// tenth of the time.
constexpr Duration kFlushEvery = std::chrono::seconds(1);
constexpr Duration kFlushEveryPerKey = std::chrono::nanoseconds(100);
// A flush also costs a few files, whatever they contain.  If there are many tablets, those with few waiting
// URLs take turns, this many in kFlushEvery, so the cost of flushing does not grow with their number.
constexpr int64_t kFlushesAtOnce = 4;
constexpr uint64_t kManyWaiting = 512;

// A stored time has millisecond precision: round up, so that no visit is early.
WallTime NextMillisecond(WallTime time) {
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(time.time_since_epoch());
  return WallTime(rounded);
}

}  // namespace

MonotonicTime FrontierState::MonotonicOf(WallTime time) const {
  if (time == WallTime()) return {};  // long ago
  return clock_.Now() + (time - clock_.Wall());
}

Result<Frontier::Pumped> FrontierState::Pump() {
  if (pumping_.exchange(true)) return Pumped{};
  const EndOfPump end(pumping_);

  Pumped pumped;
  CRV_TRY(DoChores());
  for (const uint32_t tablet : tablets_.owned()) {
    // One that another process has now is about to be closed; the others continue.
    if (tablets_[tablet].lost()) continue;
    const Result<uint64_t> sifted = Distribute(tablet);
    const Result<uint64_t> due = sifted.ok() ? KeepAppointments(tablet) : sifted.status();
    if (!due.ok() && tablets_[tablet].lost()) continue;
    CRV_TRY(due);
    pumped.queued += *sifted + *due;
    pumped.more |= *sifted >= kUrlsPerBatch || *due >= kUrlsPerBatch;
  }
  CRV_ASSIGN(pumped.woken, Wake());
  if (pumped.queued == 0 && pumped.woken == 0) {
    CRV_TRY(FlushSieves(&pumped));
  }
  MutexLock lock(mu_);
  starving_ = false;
  const auto earlier = [&pumped](MonotonicTime time) {
    if (!pumped.again || time < *pumped.again) pumped.again = time;
  };
  if (const auto next = bench_.next()) earlier(*next);  // chores put hosts on the bench, too
  if (next_wake_ && hosts_.size() < awake_limit_) earlier(MonotonicOf(*next_wake_));
  for (const uint32_t tablet : tablets_.owned()) {
    if (const auto due = tablets_[tablet].agenda->next()) earlier(MonotonicOf(*due));
  }
  return pumped;
}

Result<uint64_t> FrontierState::Distribute(uint32_t number) {
  const TabletParts& tablet = tablets_[number];
  Moving& moving = moving_[number];
  if (!moving.under_way) {
    if (tablet.sieve->pending().untaken == 0) return 0;
    moving.under_way = true;
    in_transit_++;
  }
  // What a failure left half done is moved again, unless it turned out to be written.
  if (moving.ends.empty()) {
    CRV_TRY(tablet.sieve->Take(kUrlsPerBatch, [&](std::string_view record) {
      moving.bytes.append(record);
      moving.ends.push_back(moving.bytes.size());
    }));
  }
  if (!moving.written) CRV_TRY(Enqueue(number));
  CRV_TRY(tablet.Acknowledge());
  CRV_TRY(tablet.sieve->Release());
  const uint64_t moved = moving.ends.size();
  in_transit_--;
  moving = {};
  return moved;
}

Status FrontierState::Enqueue(uint32_t tablet) {
  Moving& moving = moving_[tablet];
  std::vector<UrlRecord> records;
  size_t begin = 0;
  for (const size_t end : moving.ends) {
    const std::string_view bytes = std::string_view(moving.bytes).substr(begin, end - begin);
    begin = end;
    if (bytes.empty()) continue;  // the sieve was told about a URL that came to its queue from the agenda
    const auto record = ParseUrlRecord(bytes);
    if (record) {
      records.push_back(*record);
    } else {
      unfit_++;
    }
  }
  HostQueues::Change change = tablets_[tablet].queues->Begin();
  CRV_ASSIGN(const auto result, change.Enqueue(records, clock_.Wall(), Admission()));
  if (const Status status = change.Write({.sync = options_.sync}); !status.ok()) {
    Failed(tablet, [&moving](bool written) { moving.written = written; });
    return status;
  }
  moving.written = true;
  Refill(result);
  return Status::Ok();
}

void FrontierState::Refill(const HostQueues::Change::EnqueueResult& result) {
  unfit_ += result.unfit;
  MutexLock lock(mu_);
  uint64_t for_awake = 0;
  for (const HostQueues::Refill& refill : result.refills) {
    for_awake += refill.items;
    AwakeHost* const host = FindHost(refill.host);
    if (host == nullptr) continue;
    host->unread += refill.items;
    if (host->phase == Phase::kHeld) Settle(*host);
  }
  if (result.enqueued > for_awake) others_sleep_ = true;
}

HostQueues::Admit FrontierState::Admission() {
  return [this, budget = budget_.options(), by = options_.host_ranks](HostState& state,
                                                                      const UrlRecord& record) {
    if (state.given_up) {
      of_given_up_++;
      return HostQueues::Entry::kRefused;
    }
    const uint64_t per_host = by.limits && by.ranks != nullptr && budget.per_host > 0
                                  ? LimitByRank(budget.per_host, by.ranks->Of(state.name))
                                  : budget.per_host;
    const bool fits = (per_host == 0 || state.enqueued < per_host) &&
                      (budget.per_directory == 0 || CountInDirectory(SplitUrl(record.url)->directory(),
                                                                     budget.per_directory, &state.extra));
    if (!fits) over_budget_++;
    return fits ? HostQueues::Entry::kCounted : HostQueues::Entry::kRefused;
  };
}

Status FrontierState::DoChores() {
  std::vector<std::vector<AwakeHost*>> hosts(tablets_.size());
  {
    MutexLock lock(mu_);
    std::vector<uint64_t> chores = std::exchange(chores_, {});
    std::sort(chores.begin(), chores.end());
    chores.erase(std::unique(chores.begin(), chores.end()), chores.end());
    for (const uint64_t hash : chores) {
      AwakeHost* const host = FindHost(hash);
      if (host == nullptr || host->phase != Phase::kChore) continue;
      const bool has_more = host->unread > 0 && !host->drowsy && !host->state.given_up;
      if (has_more || (!host->known && !host->errands.empty())) {
        Settle(*host);  // it has new URLs, or an errand
      } else if (host->known) {
        hosts[host->tablet].push_back(host);
      } else if (host->next > clock_.Now()) {
        chores_.push_back(hash);  // nothing else remembers when it may be visited again
      } else {
        hosts_.erase(hash);
      }
    }
  }
  for (uint32_t tablet = 0; tablet < hosts.size(); tablet++) {
    if (hosts[tablet].empty()) continue;
    const Status status = PutToBed(tablet, hosts[tablet]);
    if (status.ok()) continue;
    MutexLock lock(mu_);
    for (; tablet < hosts.size(); tablet++) {
      for (const AwakeHost* host : hosts[tablet]) chores_.push_back(host->hash);
    }
    return status;
  }
  return Status::Ok();
}

// Only Pump() ends the phase kChore, so the hosts are ours.  Only errands could arrive meanwhile, or URLs,
// which are on disk already.
FrontierState::~FrontierState() {
  std::vector<std::vector<AwakeHost*>> hosts(tablets_.size());
  {
    MutexLock lock(mu_);
    for (const auto& [hash, host] : hosts_) {
      host->errands.clear();  // nobody does them any more; a host with one would be put on the bench again
      if (host->known) hosts[host->tablet].push_back(host.get());
    }
  }
  for (const uint32_t i : tablets_.owned()) {
    // If nothing can be written any more, the next process finds them asleep anyway.
    if (!hosts[i].empty()) (void)PutToBed(i, hosts[i]).ok();
  }
}

Status FrontierState::PutToBed(uint32_t tablet, const std::vector<AwakeHost*>& hosts) {
  HostQueues::Change change = tablets_[tablet].queues->Begin();
  for (AwakeHost* const host : hosts) {
    HostState state;
    {
      MutexLock lock(mu_);
      state = StateOf(*host);
    }
    if (state.given_up) CRV_TRY(change.Drop(host->hash));
    CRV_TRY(change.Store(host->hash, state));
    // Later than it ever woke, because the list of sleepers is not searched at old positions again.
    const WallTime until = NextMillisecond(WallOf(std::max(host->next, clock_.Now())));
    CRV_TRY(change.Sleep(host->hash, until + std::chrono::milliseconds(1)));
  }
  // Without a sync: after a crash all hosts sleep anyway.
  if (const Status status = change.Write({.sync = false}); !status.ok()) {
    Failed(tablet, [](bool) {});  // putting hosts to sleep twice does no harm
    return status;
  }
  MutexLock lock(mu_);
  for (AwakeHost* const host : hosts) {
    // An errand that arrived meanwhile is done by a host that is in memory only for it.
    const bool has_errand = !host->errands.empty() && !host->state.given_up;
    if (!has_errand) {
      hosts_.erase(host->hash);
      continue;
    }
    host->known = false;
    host->ahead.clear();
    host->overtaking = 0;
    host->unread = 0;
    Settle(*host);
  }
  return Status::Ok();
}

HostState FrontierState::StateOf(const AwakeHost& host) const {
  HostState state = host.state;
  state.next_fetch = NextMillisecond(WallOf(host.next));
  state.failures = host.manners.failures;
  state.crawl_delay = host.manners.crawl_delay;
  return state;
}

std::unique_ptr<AwakeHost> FrontierState::Awaken(uint32_t tablet, HostQueues::Woken woken) const {
  auto host = std::make_unique<AwakeHost>();
  woken.state.ForgetImpossibleTimes(clock_.Wall());
  host->hash = woken.host;
  host->tablet = tablet;
  host->unread = woken.state.queued();
  host->cursor = HostQueues::Start(woken.state);
  host->manners = {.crawl_delay = woken.state.crawl_delay, .failures = woken.state.failures};
  const auto own = options_.politeness.host_delays.find(woken.state.name);
  if (own != options_.politeness.host_delays.end()) host->manners.own_delay = own->second;
  host->next = MonotonicOf(woken.state.next_fetch);
  // What another process was doing when it ended is unknown: it may have contacted this host a moment ago.
  if (tablets_.existed())
    host->next = std::max(host->next, opened_ + HostDelay(options_.politeness, host->manners));
  if (const MonotonicTime rests = tablets_[tablet].rests_until; rests != MonotonicTime::min())
    host->next = std::max(host->next, rests + HostDelay(options_.politeness, host->manners));
  host->state = std::move(woken.state);
  return host;
}

void FrontierState::Join(std::unique_ptr<AwakeHost> host) {
  AwakeHost* const there = FindHost(host->hash);
  if (there == nullptr) {
    AwakeHost& joined = *host;
    hosts_[host->hash] = std::move(host);
    Settle(joined);
    return;
  }
  if (there->known || !host->known) return;
  // It was in memory only for an errand: now it has URLs too.
  there->known = true;
  there->unread = host->unread;
  there->cursor = host->cursor;
  there->manners.crawl_delay = std::max(there->manners.crawl_delay, host->manners.crawl_delay);
  host->state.address = there->state.address;
  host->state.address_until = there->state.address_until;
  there->state = std::move(host->state);
  if (there->phase == Phase::kHeld || there->phase == Phase::kChore) Settle(*there);
}

Result<uint64_t> FrontierState::Wake() {
  uint64_t room = 0;
  {
    MutexLock lock(mu_);
    if (!starving_ && clock_.Now() - last_look_ < kLookEvery) return 0;
    if (starving_ && !held_ && hosts_.size() < awake_limit_)
      room = std::min(awake_limit_ - hosts_.size(), std::max<uint64_t>(kWakeAtLeast, hosts_.size() / 4));
  }
  last_look_ = clock_.Now();
  uint64_t count = 0;
  bool others_sleep = false;
  std::optional<WallTime> next;
  const WallTime now = clock_.Wall();
  uint64_t left = tablets_.owned().size();
  for (const uint32_t i : tablets_.owned()) {
    // Each tablet gets its share of the room, and what earlier tablets did not use.
    HostQueues& queues = *tablets_[i].queues;
    CRV_ASSIGN(std::optional<WallTime> wake, queues.NextWake());
    if (count < room && wake && *wake <= now) {
      const uint64_t part = std::max<uint64_t>(1, (room - count) / left);
      CRV_ASSIGN(auto woken, queues.TakeSleeping(part, now));
      {
        MutexLock lock(mu_);
        for (HostQueues::Woken& one : woken) Join(Awaken(i, std::move(one)));
        count += woken.size();
      }
      CRV_ASSIGN(wake, queues.NextWake());
    }
    left--;
    if (wake && (!next || *wake < *next)) next = wake;
    others_sleep |= wake && *wake <= now;
  }
  MutexLock lock(mu_);
  others_sleep_ = others_sleep;
  next_wake_ = next;
  if (starving_ && others_sleep && hosts_.size() >= awake_limit_) MakeRoom();
  return count;
}

// Hosts that must wait long make room for others.
void FrontierState::MakeRoom() {
  const MonotonicTime soon = clock_.Now() + kLongRest;
  for (const auto& [hash, host] : hosts_) {
    if (host->phase != Phase::kBench || host->next <= soon || !host->open.empty() || !host->errands.empty())
      continue;
    TakeOffBench(*host);
    host->drowsy = true;
    host->phase = Phase::kChore;
    chores_.push_back(hash);
  }
}

Status FrontierState::FlushSieves(Pumped* pumped) {
  bool idle = false;
  {
    MutexLock lock(mu_);
    if (!starving_) return Status::Ok();
    idle = hosts_.empty();
  }
  const MonotonicTime now = clock_.Now();
  const int64_t turns = std::max<int64_t>(1, static_cast<int64_t>(tablets_.owned().size()) / kFlushesAtOnce);
  for (const uint32_t i : tablets_.owned()) {
    sieve::Sieve& sieve = *tablets_[i].sieve;
    const sieve::SievePending stats = sieve.pending();
    if (stats.waiting == 0) continue;
    const Duration least = stats.waiting < kManyWaiting ? kFlushEvery * turns : kFlushEvery;
    const Duration every = std::max<Duration>(least, kFlushEveryPerKey * static_cast<int64_t>(stats.known));
    if (!idle && now < last_flush_[i] + every) {
      if (!pumped->again || last_flush_[i] + every < *pumped->again) pumped->again = last_flush_[i] + every;
      continue;
    }
    CRV_TRY(sieve.Flush({.wait = options_.wait_for_sieve}));
    last_flush_[i] = now;
    pumped->more |= options_.wait_for_sieve;
  }
  return Status::Ok();
}

}  // namespace crivello::frontier
