// SPDX-License-Identifier: Apache-2.0
#include "frontier/simulation.h"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontier/exchange.h"
#include "web/page/robots.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

// A future event: a response arrives, or an address.
struct Event {
  MonotonicTime time{};
  uint64_t order = 0;  // among events at the same time
  bool is_answer = true;
  Visit visit = {};
  SimulatedWeb::Answer answer = {};
  MonotonicTime started{};
  std::string host = {};
  SimulatedWeb::Resolution resolution = {};
};

// A page that is to be visited again.
struct Revisit {
  std::string url = {};
  uint32_t tablet = 0;
  uint32_t depth = 0;
};

struct Later {
  bool operator()(const std::unique_ptr<Event>& a, const std::unique_ptr<Event>& b) const {
    return std::pair(a->time, a->order) > std::pair(b->time, b->order);
  }
};

}  // namespace

struct Simulation::State {
  const Tablets& tablets;
  const SimulatedWeb& web;
  ManualClock& clock;
  SimulationJudge& judge;
  SimulationOptions options;
  LocalExchange exchange;
  MonotonicTime end;
  std::unique_ptr<Frontier> frontier = {};

  std::priority_queue<std::unique_ptr<Event>, std::vector<std::unique_ptr<Event>>, Later> events = {};
  uint64_t order = 0;
  uint32_t connections = 0;
  std::unordered_map<std::string, web::Robots> rules = {};     // by origin
  std::unordered_map<std::string, Duration> host_delays = {};  // of hosts with a Crawl-delay
  std::vector<std::vector<Visit>> results = {};                // to commit, by tablet
  uint64_t uncommitted = 0;
  MonotonicTime commit_at = {};
  std::string record_bytes = {};
  std::multimap<MonotonicTime, Revisit> due = {};

  SimulationReport& report() { return judge.report(); }

  void Schedule(std::unique_ptr<Event> event, Duration after) {
    event->time = clock.Now() + after;
    event->order = order++;
    events.push(std::move(event));
  }

  Duration HostDelayOf(const std::string& host) const {
    const auto it = host_delays.find(host);
    return it == host_delays.end() ? options.frontier.politeness.host_delay : it->second;
  }

  Status Start(Visit visit, bool goes_on);
  Status Finish(Event& event);
  void FinishRobots(Event& event);
  Status OfferLinks(const Visit& visit, const SimulatedWeb::Answer& answer);
  void Resolve();
  void DoneWith(Visit visit);
  void Order(const Visit& visit);
  Status Release();
  Status Commit();
  Status RunUntil(uint64_t requests);
};

// A visit begins: makes a request, unless robots.txt forbids it.
Status Simulation::State::Start(Visit visit, bool goes_on) {
  if (visit.kind == UrlKind::kPage && options.frontier.robots) {
    const auto parts = SplitUrl(visit.url);
    const auto it = rules.find(std::string(parts->origin));
    if (it == rules.end()) {
      frontier->NeedsRobots(visit);
      return Status::Ok();
    }
    if (!it->second.Check(parts->path).allowed) {
      frontier->Skipped(visit);
      report().refused++;
      DoneWith(std::move(visit));
      return Status::Ok();
    }
  }
  judge.Started(visit, clock.Now(), HostDelayOf(visit.host), goes_on);
  connections++;
  auto event = std::make_unique<Event>();
  const uint32_t attempt = visit.kind == UrlKind::kRobots ? judge.AskedFor(visit.origin) : visit.attempt;
  event->answer = web.Fetch(visit.url, attempt);
  event->started = clock.Now();
  event->visit = std::move(visit);
  const Duration took = event->answer.took;
  Schedule(std::move(event), took);
  return Status::Ok();
}

Status Simulation::State::Finish(Event& event) {
  connections--;
  const Visit& visit = event.visit;
  const FetchOutcome outcome = {.result = event.answer.result,
                                .status = event.answer.status,
                                .started = event.started,
                                .ended = clock.Now(),
                                .bytes = event.answer.bytes,
                                .retry_after = event.answer.retry_after};
  judge.Ended(visit, outcome);
  CRV_ASSIGN(Frontier::After after, frontier->Fetched(visit, outcome));
  if (visit.kind == UrlKind::kRobots) {
    FinishRobots(event);
  } else {
    if (after.verdict == Verdict::kFinish) CRV_TRY(OfferLinks(visit, event.answer));
    if (after.verdict == Verdict::kRetry) {
      results[visit.tablet].push_back(visit);
      if (uncommitted++ == 0) commit_at = clock.Now() + options.commit_after;
    } else {
      DoneWith(visit);
    }
  }
  if (after.next) CRV_TRY(Start(*std::move(after.next), true));
  return Status::Ok();
}

void Simulation::State::FinishRobots(Event& event) {
  const Visit& visit = event.visit;
  const SimulatedWeb::Answer& answer = event.answer;
  const auto access =
      web::RobotsAccessFor({.status = answer.result == FetchResult::kAnswered ? answer.status : 0,
                            .redirects = static_cast<int>(visit.hops) + 1});
  if (access == web::RobotsAccess::kFollowRedirect) {
    if (frontier->RobotsMoved(visit, answer.location).ok()) return;
  }
  RobotsNews news = {.until = clock.Wall() + options.robots_age};
  if (access == web::RobotsAccess::kParse) {
    web::Robots robots = web::Robots::Parse(answer.robots, "crivello");
    if (const auto delay = robots.crawl_delay_seconds())
      news.crawl_delay = Duration(static_cast<int64_t>(*delay * 1e9));
    rules.insert_or_assign(visit.origin, std::move(robots));
  } else if (access == web::RobotsAccess::kDisallowAll) {
    news.until = {};  // a temporary error: fetched again after the host's rest
  } else {
    rules.insert_or_assign(visit.origin, web::Robots::AllowAll());
  }
  if (news.crawl_delay > Duration::zero()) {
    host_delays[std::string(HostOfOrigin(visit.origin))] =
        HostDelay(options.frontier.politeness, {.crawl_delay = news.crawl_delay});
  }
  frontier->RobotsDone(visit, news);
}

Status Simulation::State::OfferLinks(const Visit& visit, const SimulatedWeb::Answer& answer) {
  std::vector<UrlRecord> records;
  const auto add = [&](const std::string& url) {
    const LinkContext link = {.url = url, .from_host = visit.host, .depth = visit.depth + 1};
    records.push_back({.url = url,
                       .priority = PriorityOf(options.priority, link),
                       .depth = visit.depth + 1,
                       .found = clock.Wall()});
    judge.Offered(url);
  };
  if (!answer.location.empty()) add(answer.location);
  for (const auto& url : answer.links) add(url);
  return frontier->Offer(records);
}

void Simulation::State::Resolve() {
  for (std::string& host : frontier->NeedsAddress(1000)) {
    auto event = std::make_unique<Event>();
    event->is_answer = false;
    event->resolution = web.Resolve(host, judge.AskedFor(host));
    event->host = std::move(host);
    const Duration took = event->resolution.took;
    Schedule(std::move(event), took);
  }
}

void Simulation::State::DoneWith(Visit visit) {
  judge.Done(visit, clock.Now());
  results[visit.tablet].push_back(std::move(visit));
  if (uncommitted++ == 0) commit_at = clock.Now() + options.commit_after;
}

Status Simulation::State::Commit() {
  if (options.frontier.sync) CRV_TRY(frontier->SyncOffers());
  for (uint32_t tablet = 0; tablet < results.size(); tablet++) {
    if (results[tablet].empty()) continue;
    const auto commit = frontier->Begin(tablet);
    for (const Visit& visit : results[tablet]) commit->Done(visit);
    CRV_TRY(commit->Write({.sync = options.frontier.sync}));
    for (const Visit& visit : results[tablet]) {
      const uint32_t before = judge.Visits(visit.url);
      judge.Committed(visit);
      if (judge.Visits(visit.url) > before) Order(visit);
    }
    results[tablet].clear();
  }
  uncommitted = 0;
  return Status::Ok();
}

void Simulation::State::Order(const Visit& visit) {
  if (judge.Visits(visit.url) > options.revisits) return;
  due.emplace(clock.Now() + options.revisit_after,
              Revisit{.url = visit.url, .tablet = visit.tablet, .depth = visit.depth});
}

// What is due, in one commit for each tablet.
Status Simulation::State::Release() {
  std::map<uint32_t, std::vector<Revisit>> queued;
  while (!due.empty() && due.begin()->first <= clock.Now()) {
    Revisit revisit = std::move(due.extract(due.begin()).mapped());
    if (judge.Visits(revisit.url) % 2 == 1) {
      judge.Ordered(revisit.url, clock.Now());
      queued[revisit.tablet].push_back(std::move(revisit));
      continue;
    }
    const Duration later = options.revisit_after;
    judge.Ordered(revisit.url, clock.Now() + later);
    const Appointment appointment = {.record = {.url = revisit.url, .depth = revisit.depth},
                                     .not_before = clock.Wall() + later,
                                     .known = true};
    CRV_TRY(frontier->Schedule({&appointment, 1}));
  }
  for (const auto& [tablet, revisits] : queued) {
    std::vector<UrlRecord> records;  // which refer to `revisits`
    for (const Revisit& one : revisits)
      records.push_back({.url = one.url, .priority = 0, .depth = one.depth, .found = clock.Wall()});
    const auto commit = frontier->Begin(tablet);
    CRV_TRY(commit->Requeue(records).status());
    CRV_TRY(commit->Write({.sync = options.frontier.sync}));
  }
  return Status::Ok();
}

Status Simulation::State::RunUntil(uint64_t requests) {
  const uint64_t last = requests == 0 ? ~uint64_t{0} : report().requests + requests;
  while (clock.Now() < end && report().requests < last) {
    while (!events.empty() && events.top()->time <= clock.Now()) {
      const std::unique_ptr<Event> event =
          std::move(const_cast<std::unique_ptr<Event>&>(events.top()));  // popped right after this
      events.pop();
      if (event->is_answer) {
        CRV_TRY(Finish(*event));
      } else if (event->resolution.address.empty()) {
        frontier->ResolveFailed(event->host,
                                {.why = "no such name", .permanent = event->resolution.permanent});
      } else {
        frontier->Resolved(event->host, event->resolution.address, clock.Wall() + options.address_age);
      }
    }
    if (uncommitted >= options.commit_visits || (uncommitted > 0 && commit_at <= clock.Now()))
      CRV_TRY(Commit());
    CRV_TRY(Release());

    std::optional<MonotonicTime> again;
    while (connections < options.connections && report().requests < last) {
      CRV_ASSIGN(Frontier::Taken taken, frontier->Take());
      if (!taken.visit) {
        again = taken.again;
        if (taken.spent) return Commit();
        break;
      }
      CRV_TRY(Start(*std::move(taken.visit), false));
    }
    CRV_ASSIGN(const Frontier::Pumped pumped, frontier->Pump());
    Resolve();
    report().most_memory_bytes = std::max(report().most_memory_bytes, frontier->memory_bytes());
    if (pumped.queued > 0 || pumped.woken > 0 || pumped.more) continue;

    std::optional<MonotonicTime> next = again;
    const auto earlier = [&next](MonotonicTime time) {
      if (!next || time < *next) next = time;
    };
    // If all connections are busy, the next event is the end of one.
    if (pumped.again && connections < options.connections) earlier(*pumped.again);
    if (!events.empty()) earlier(events.top()->time);
    if (uncommitted > 0) earlier(commit_at);
    if (!due.empty()) earlier(due.begin()->first);
    if (!next) {
      report().finished = frontier->Finished();
      return Status::Ok();
    }
    if (*next > clock.Now()) clock.Advance(std::min(*next, end) - clock.Now());
  }
  return Status::Ok();
}

Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::~Simulation() = default;

Result<std::unique_ptr<Simulation>> Simulation::Open(const Tablets& tablets, const SimulatedWeb& web,
                                                     ManualClock& clock, SimulationJudge& judge,
                                                     const SimulationOptions& options) {
  auto state = std::unique_ptr<State>(new State{.tablets = tablets,
                                                .web = web,
                                                .clock = clock,
                                                .judge = judge,
                                                .options = options,
                                                .exchange = LocalExchange(tablets),
                                                .end = clock.Now() + options.time});
  state->options.frontier.wait_for_sieve = true;
  state->results.resize(tablets.size());
  CRV_ASSIGN(state->frontier, Frontier::Open(tablets, state->exchange, clock, state->options.frontier));
  return std::unique_ptr<Simulation>(new Simulation(std::move(state)));
}

Status Simulation::Begin() {
  const std::string seed = state_->web.Seed();
  const UrlRecord record = {.url = seed, .found = state_->clock.Wall()};
  state_->judge.Offered(seed);
  CRV_TRY(state_->frontier->Offer({&record, 1}));
  return state_->frontier->SyncOffers();
}

void Simulation::OrderAgain() {
  State& state = *state_;
  for (const std::string& url : state.judge.done()) {
    const auto parts = SplitUrl(url);
    state.Order({.tablet = state.tablets.map().SlotOf(web::HostHash(parts->host)), .url = url});
  }
}

Status Simulation::Run(uint64_t requests) {
  const MonotonicTime before = state_->clock.Now();
  const Status status = state_->RunUntil(requests);
  state_->report().time += state_->clock.Now() - before;
  return status;
}

Frontier& Simulation::frontier() { return *state_->frontier; }

}  // namespace crivello::frontier
