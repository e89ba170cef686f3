// SPDX-License-Identifier: Apache-2.0
#include "frontier/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/hash.h"
#include "frontier/frontier_state.h"
#include "web/page/robots.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

// URLs to read at a time.
constexpr size_t kReadAhead = 8;

}  // namespace

FrontierState::FrontierState(const Tablets& tablets, Exchange& exchange, const Clock& clock,
                             const FrontierOptions& options)
    : tablets_(tablets),
      exchange_(exchange),
      clock_(clock),
      options_(options),
      opened_(clock.Now()),
      awake_limit_(std::max<uint64_t>(1, options.memory_bytes / kHostBytes)),
      budget_(options.budget, clock.Now()),
      failed_(tablets.size()),
      moving_(tablets.size()),
      last_flush_(tablets.size(), MonotonicTime(Duration::min() / 2)) {}

Result<std::unique_ptr<Frontier>> Frontier::Open(const Tablets& tablets, Exchange& exchange,
                                                 const Clock& clock, const FrontierOptions& options) {
  return std::unique_ptr<Frontier>(std::make_unique<FrontierState>(tablets, exchange, clock, options));
}

// URLs in.

Status FrontierState::Offer(std::span<const UrlRecord> urls, std::vector<OutgoingUrl>* elsewhere) {
  const BudgetOptions budget = budget_.options();
  if (budget.links_per_page != 0 && urls.size() > budget.links_per_page) {
    over_budget_ += urls.size() - budget.links_per_page;
    urls = urls.first(budget.links_per_page);
  }
  // The concatenated records, and where each ends; views are made once the string no longer moves.
  struct Place {
    uint32_t tablet;
    uint64_t signature;
    size_t end;
  };
  std::string bytes;
  std::vector<Place> places;
  for (const UrlRecord& record : urls) {
    const auto parts = SplitUrl(record.url);
    if (!parts) return Status::InvalidArgument(fmt::format("'{}' is not a canonical URL", record.url));
    if (budget.seeds_only ? record.depth > 0 : budget.depth != 0 && record.depth > budget.depth) {
      over_budget_++;
      continue;
    }
    const uint64_t host = web::HostHash(parts->host);
    AppendUrlRecord(record, &bytes);
    places.push_back({.tablet = tablets_.map().SlotOf(host),
                      .signature = web::UrlSignature(host, record.url),
                      .end = bytes.size()});
  }
  std::vector<std::vector<sieve::Key>> keys(tablets_.size());
  size_t begin = 0;
  for (const Place& place : places) {
    const std::string_view record = std::string_view(bytes).substr(begin, place.end - begin);
    begin = place.end;
    // What a tablet is offered after another process has taken it over is not seen there.
    const bool is_here = tablets_[place.tablet].queues != nullptr && !tablets_[place.tablet].lost();
    if (elsewhere != nullptr && !is_here) {
      elsewhere->push_back(
          {.tablet = place.tablet, .signature = place.signature, .record = std::string(record)});
    } else {
      keys[place.tablet].push_back({.signature = place.signature, .bytes = record});
    }
  }
  for (uint32_t tablet = 0; tablet < keys.size(); tablet++) {
    if (!keys[tablet].empty()) CRV_TRY(exchange_.Send(tablet, keys[tablet]));
  }
  return Status::Ok();
}

// Visits out.

AwakeHost* FrontierState::FindHost(uint64_t hash) {
  const auto it = hosts_.find(hash);
  return it == hosts_.end() ? nullptr : it->second.get();
}

AwakeHost* FrontierState::FindHost(std::string_view name) { return FindHost(web::HostHash(name)); }

OpenVisit* FrontierState::FindOpen(AwakeHost& host, uint64_t ticket) {
  for (OpenVisit& open : host.open) {
    if (open.ticket == ticket) return &open;
  }
  return nullptr;
}

void FrontierState::Settle(AwakeHost& host) {
  const bool alive = !host.state.given_up;
  if (!host.errands.empty()) host.drowsy = false;  // another host waits for them
  const bool has_urls = !host.ahead.empty() || host.unread > 0;
  const bool may_take = has_urls && !host.drowsy && host.open.size() < options_.max_uncommitted;
  const bool to_bench = alive && (may_take || !host.errands.empty());
  const bool has_address = !host.state.address.empty() && host.state.address_until > clock_.Wall();

  if (host.bench != Workbench::kNoHost) {
    if (to_bench && has_address) {
      bench_.Return(host.bench, host.next, host.address_next);
      host.phase = Phase::kBench;
      return;
    }
    TakeOffBench(host);
  }
  if (to_bench && !has_address) {
    host.phase = Phase::kResolving;
    unresolved_.push_back(host.hash);
  } else if (to_bench) {
    MonotonicTime floor = MonotonicTime::min();
    if (tablets_.existed()) floor = opened_ + options_.politeness.address_delay;
    if (const MonotonicTime rests = tablets_[host.tablet].rests_until; rests != MonotonicTime::min())
      floor = std::max(floor, rests + options_.politeness.address_delay);
    host.bench = bench_.Add(Hash64(host.state.address), host.next, floor);
    if (host.bench >= by_bench_.size()) by_bench_.resize(host.bench + 1);
    by_bench_[host.bench] = &host;
    host.phase = Phase::kBench;
  } else if (!host.open.empty()) {
    host.phase = Phase::kHeld;
  } else {
    host.phase = Phase::kChore;
    chores_.push_back(host.hash);
  }
}

void FrontierState::TakeOffBench(AwakeHost& host) {
  bench_.Remove(host.bench, host.address_next);
  by_bench_[host.bench] = nullptr;
  host.bench = Workbench::kNoHost;
}

Result<Frontier::Taken> FrontierState::Take() {
  const MonotonicTime now = clock_.Now();
  while (true) {
    if (held_) return Taken{};
    if (const auto spent = budget_.Spent(now)) return Taken{.spent = spent};
    AwakeHost* host = nullptr;
    // A burst continues only with URLs that were read ahead.
    size_t limit = std::max<size_t>(kReadAhead, options_.politeness.burst_requests);
    {
      MutexLock lock(mu_);
      const Workbench::HostId id = bench_.Take(now);
      if (id == Workbench::kNoHost) {
        starving_ = true;
        Taken taken = {.again = bench_.next()};
        if (next_wake_ && hosts_.size() < awake_limit_) {
          const MonotonicTime wake = MonotonicOf(*next_wake_);
          if (!taken.again || wake < *taken.again) taken.again = wake;
        }
        return taken;
      }
      host = by_bench_[id];
      host->phase = Phase::kTaken;
      if (host->overtaking > 0) {
        limit = std::min<uint64_t>(limit, host->overtaking);
      } else if (HasVisit(*host)) {
        return Taken{.visit = MakeVisit(*host)};
      }
    }
    // Only its holder reads ahead for a host, and only Pump() adds to its queue.
    Result<std::vector<QueueItem>> items =
        tablets_[host->tablet].queues->Read(host->hash, host->cursor, limit);
    MutexLock lock(mu_);
    if (!items.ok()) {
      Settle(*host);
      return items.status();
    }
    host->unread -= std::min<uint64_t>(host->unread, items->size());
    for (QueueItem& item : *items) host->ahead.push_back(std::move(item));
    if (items->empty()) host->unread = 0;
    if (host->overtaking > 0) {
      host->overtaking -=
          std::min<uint64_t>(host->overtaking, items->empty() ? host->overtaking : items->size());
      std::stable_sort(host->ahead.begin(), host->ahead.end(),
                       [](const QueueItem& a, const QueueItem& b) { return a.priority < b.priority; });
    }
    if (HasVisit(*host)) return Taken{.visit = MakeVisit(*host)};
    Settle(*host);
  }
}

HostState::Robots& FrontierState::RobotsOf(AwakeHost& host, std::string_view origin) {
  for (HostState::Robots& robots : host.state.robots) {
    if (robots.origin == origin) return robots;
  }
  // A host with too many origins forgets the oldest one, whose robots.txt is fetched again when needed.
  if (host.state.robots.size() == kMaxOrigins) host.state.robots.erase(host.state.robots.begin());
  return host.state.robots.emplace_back(HostState::Robots{.origin = std::string(origin)});
}

Visit FrontierState::MakeVisit(AwakeHost& host) {
  Visit visit = {.ticket = ++last_ticket_,
                 .tablet = host.tablet,
                 .host = host.state.name,
                 .address = host.state.address};
  if (!host.errands.empty()) {
    Errand& errand = host.errands.front();
    visit.kind = UrlKind::kRobots;
    visit.url = std::move(errand.url);
    visit.origin = std::move(errand.origin);
    visit.hops = errand.hops;
    host.errands.erase(host.errands.begin());
    return visit;
  }
  QueueItem& item = host.ahead.front();
  const std::string_view origin = SplitUrl(item.url)->origin;
  if (options_.robots && RobotsOf(host, origin).until <= clock_.Wall()) {
    visit.kind = UrlKind::kRobots;
    visit.origin = origin;
    visit.url = fmt::format("{}{}", origin, web::kRobotsPath);
    return visit;
  }
  visit.kind = item.kind;
  visit.priority = item.priority;
  visit.depth = item.depth;
  visit.attempt = item.attempts + 1;
  visit.url = item.url;
  visit.origin = origin;
  visit.queued = item.found;
  visit.via = item.via;
  host.open.push_back({.ticket = visit.ticket, .item = std::move(item)});
  host.ahead.pop_front();
  host.served++;
  open_visits_++;
  budget_.TakePage();
  return visit;
}

namespace {

std::string ErrorOf(const FetchOutcome& outcome) {
  if (!outcome.error.empty()) return outcome.error;
  return outcome.result == FetchResult::kAnswered ? fmt::format("answered {}", outcome.status)
                                                  : std::string(FetchResultName(outcome.result));
}

}  // namespace

void FrontierState::GiveUp(AwakeHost& host, std::string why) {
  host.state.given_up = true;
  host.state.last_error = std::move(why);
  host.ahead.clear();
  host.overtaking = 0;
  host.unread = 0;
  DropErrands(host);  // hosts that wait for a robots.txt from here learn of the failure
}

Result<Frontier::After> FrontierState::Fetched(const Visit& visit, const FetchOutcome& outcome) {
  budget_.AddBytes(outcome.bytes);
  MutexLock lock(mu_);
  AwakeHost* const host = FindHost(visit.host);
  assert(host != nullptr && host->phase == Phase::kTaken);
  const bool is_robots = visit.kind == UrlKind::kRobots;
  const Rest rest =
      AfterFetch(options_.politeness, outcome, {.number = visit.attempt, .robots = is_robots}, host->manners);
  After after = {.verdict = rest.verdict};
  host->next = rest.host_next;
  host->address_next = rest.address_next;
  if (const HostRankUse& by = options_.host_ranks; by.visits && by.ranks != nullptr) {
    // Another ready host has had to wait, so there are more hosts than connections.
    const std::optional<MonotonicTime> others = bench_.next();
    if (others && *others < outcome.ended)
      host->next += LongerRest(HostDelay(options_.politeness, host->manners), by.ranks->Of(visit.host));
  }
  host->ended = outcome.ended;
  host->state.bytes += outcome.bytes;
  const bool refused = outcome.result == FetchResult::kForbidden;
  if (!refused) (outcome.result == FetchResult::kAnswered ? host->state.fetched : host->state.failed)++;
  OpenVisit* const open = is_robots ? nullptr : FindOpen(*host, visit.ticket);
  if (open != nullptr) {
    open->ended = true;
    open->verdict = rest.verdict;
    if (rest.verdict == Verdict::kRetry) budget_.GiveBackPage();
  }
  host->state.last_error = host->manners.failures == 0 ? std::string() : ErrorOf(outcome);
  if (rest.verdict == Verdict::kGiveUpHost) {
    GiveUp(*host, refused ? ErrorOf(outcome)
                          : fmt::format("{} failures in a row, the last: {}", host->manners.failures,
                                        host->state.last_error));
  }
  if (others_sleep_ && (host->served >= options_.quantum || rest.host_next - outcome.ended > kLongRest))
    host->drowsy = true;

  if (is_robots && HostOfOrigin(visit.origin) == visit.host) {
    // It waits, off the bench, until the caller has evaluated the response.
    TakeOffBench(*host);
    host->phase = Phase::kRobots;
    return after;
  }
  const bool go_on = rest.go_on && !held_ && !host->ahead.empty() && host->errands.empty() && !host->drowsy &&
                     host->open.size() < options_.max_uncommitted && !budget_.Spent(outcome.ended);
  if (go_on) {
    after.next = MakeVisit(*host);
  } else {
    host->manners.in_burst = false;
    Settle(*host);
  }
  return after;
}

void FrontierState::Skipped(const Visit& visit) {
  MutexLock lock(mu_);
  AwakeHost* const host = FindHost(visit.host);
  assert(host != nullptr && host->phase == Phase::kTaken);
  OpenVisit* const open = FindOpen(*host, visit.ticket);
  assert(open != nullptr);
  open->ended = true;
  open->verdict = Verdict::kFinish;
  host->state.refused++;
  host->manners.in_burst = false;
  budget_.GiveBackPage();
  Settle(*host);
}

// Robots.

void FrontierState::NeedsRobots(const Visit& visit) {
  MutexLock lock(mu_);
  AwakeHost* const host = FindHost(visit.host);
  assert(host != nullptr && host->phase == Phase::kTaken);
  Undo(*host, visit);
  RobotsOf(*host, visit.origin).until = {};
  Settle(*host);
}

void FrontierState::PutBack(const Visit& visit, const NotBefore& not_before) {
  MutexLock lock(mu_);
  AwakeHost* const host = FindHost(visit.host);
  assert(host != nullptr && host->phase == Phase::kTaken);
  if (visit.kind != UrlKind::kRobots) {
    Undo(*host, visit);
  } else {
    host->manners.in_burst = false;
    // The robots.txt of the host's own origin is requested before its next page anyway.
    if (visit.hops > 0 || HostOfOrigin(visit.origin) != visit.host) {
      host->errands.insert(host->errands.begin(),
                           {.origin = visit.origin, .url = visit.url, .hops = visit.hops});
    }
  }
  host->next = std::max(host->next, not_before.host);
  host->address_next = std::max(host->address_next, not_before.address);
  if (not_before.cancelled) {
    const MonotonicTime now = clock_.Now();
    host->next = std::max(host->next, now + HostDelay(options_.politeness, host->manners));
    host->address_next = std::max(host->address_next, now + options_.politeness.address_delay);
  }
  Settle(*host);
}

void FrontierState::Undo(AwakeHost& host, const Visit& visit) {
  assert(!host.open.empty() && host.open.back().ticket == visit.ticket);
  (void)visit;  // used only in assertions
  host.ahead.push_front(std::move(host.open.back().item));
  host.open.pop_back();
  host.served--;
  open_visits_--;
  budget_.GiveBackPage();
  host.manners.in_burst = false;
}

void FrontierState::RobotsDone(const Visit& visit, const RobotsNews& news) {
  MutexLock lock(mu_);
  AwakeHost* const host = FindHost(HostOfOrigin(visit.origin));
  if (host == nullptr || host->phase != Phase::kRobots) return;  // given up meanwhile
  RobotsOf(*host, visit.origin).until = news.until;
  if (news.until > clock_.Wall()) {
    // If a host has several origins, the longest delay counts.
    const Duration others = host->state.robots.size() > 1 ? host->manners.crawl_delay : Duration::zero();
    host->manners.crawl_delay = std::max(news.crawl_delay, others);
    // The rest after the last request was computed without this delay.
    host->next = std::max(host->next, host->ended + HostDelay(options_.politeness, host->manners));
  }
  Settle(*host);
}

Status FrontierState::RobotsMoved(const Visit& visit, std::string_view url) {
  const auto parts = SplitUrl(url);
  if (!parts) return Status::InvalidArgument(fmt::format("'{}' is not a canonical URL", url));
  const uint64_t hash = web::HostHash(parts->host);
  uint32_t tablet = tablets_.map().SlotOf(hash);
  const bool is_here = tablets_[tablet].queues != nullptr;
  // A host of another process is visited only for this, on behalf of the tablet of the origin.
  if (!is_here) tablet = tablets_.map().SlotOf(web::HostHash(HostOfOrigin(visit.origin)));
  {
    MutexLock lock(mu_);
    if (FindHost(hash) != nullptr) return RunErrand(*FindHost(hash), visit, url);
  }
  std::optional<HostQueues::Woken> woken;
  if (is_here) {
    CRV_ASSIGN(woken, tablets_[tablet].queues->Wake(hash));
  }
  const bool known = woken.has_value();
  if (!known) woken = HostQueues::Woken{.host = hash, .state = {.name = std::string(parts->host)}};
  std::unique_ptr<AwakeHost> host = Awaken(tablet, *std::move(woken));
  host->known = known;
  MutexLock lock(mu_);
  Join(std::move(host));
  return RunErrand(*FindHost(hash), visit, url);
}

Status FrontierState::RunErrand(AwakeHost& host, const Visit& visit, std::string_view url) {
  if (host.state.given_up)
    return Status::Unavailable(fmt::format("{} was given up: {}", host.state.name, host.state.last_error));
  // A host of another process is visited on behalf of the tablet that asked last.
  if (!host.known && tablets_[tablets_.map().SlotOf(host.hash)].queues == nullptr)
    host.tablet = tablets_.map().SlotOf(web::HostHash(HostOfOrigin(visit.origin)));
  host.errands.push_back({.origin = visit.origin, .url = std::string(url), .hops = visit.hops + 1});
  if (host.phase == Phase::kHeld || host.phase == Phase::kRobots) Settle(host);
  return Status::Ok();
}

// Addresses.

std::vector<std::string> FrontierState::NeedsAddress(size_t limit) {
  MutexLock lock(mu_);
  std::vector<std::string> names;
  while (names.size() < limit && !unresolved_.empty()) {
    const AwakeHost* host = FindHost(unresolved_.front());
    if (host != nullptr && host->phase == Phase::kResolving) names.push_back(host->state.name);
    unresolved_.pop_front();
  }
  return names;
}

void FrontierState::Resolved(std::string_view name, std::string_view address, WallTime until) {
  MutexLock lock(mu_);
  AwakeHost* const host = FindHost(name);
  if (host == nullptr || host->phase != Phase::kResolving) return;
  host->state.address = address;
  // An address that has already expired still serves for one visit.
  host->state.address_until = std::max(until, clock_.Wall() + std::chrono::seconds(1));
  Settle(*host);
}

void FrontierState::ResolveFailed(std::string_view name, const ResolveFailure& failure) {
  MutexLock lock(mu_);
  AwakeHost* const host = FindHost(name);
  if (host == nullptr || host->phase != Phase::kResolving) return;
  host->manners.failures++;
  if (failure.permanent || host->manners.failures >= options_.politeness.max_failures) {
    GiveUp(*host, fmt::format("no address: {}", failure.why));
  } else {
    host->next = clock_.Now() + BackOff(options_.politeness, host->manners.failures);
    host->drowsy = true;  // nothing else can be done with it until then
  }
  Settle(*host);
}

}  // namespace crivello::frontier
