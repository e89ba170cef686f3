// SPDX-License-Identifier: Apache-2.0
#include "revisit/revisit_simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "revisit/hints.h"
#include "revisit/optimum.h"
#include "revisit/policy.h"
#include "revisit/price.h"

namespace crivello::revisit {
namespace {

constexpr double kHour = 1.0 / 24;
constexpr uint32_t kMostWaiting = 8;

struct Event {
  double time;
  uint32_t page;
  uint32_t version;  // an entry of the calendar counts if it is the page's last
  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : page > other.page;
  }
};
using EventQueue = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

struct Visited {
  double last = -1;                                               // before the first visit
  double first_change = std::numeric_limits<double>::infinity();  // since the last visit, as far as generated
  double last_change = 0;
  double interval = 0;  // planned; 0: not planned
  uint32_t version = 0;
  bool probing = false;  // due earlier than planned
  uint32_t probes = 0;
  uint32_t waiting = 0;
  uint64_t hints = 0;
};

struct Host {
  HintTrust trust;
  RateBelief prior = RateBelief::Wide();
  PriceFeedback price{1};
  double planned = 0;
  double allowance = 0;
  uint64_t visits = 0;
  uint64_t next_fit = 4;
  uint64_t visits_today = 0;
};

class RevisitSimulation {
 public:
  RevisitSimulation(const RevisitSimulationOptions& options, const RevisitPolicy& policy)
      : options_(options),
        policy_(policy),
        web_(options.web),
        budget_(options.budget * web_.pages()),
        cycle_(1 / options.budget),
        end_(cycle_ * (options.learning + options.measured)),
        pages_(web_.pages()),
        histories_(web_.pages()),
        all_changes_(Heeds() ? web_.pages() : 0),
        hosts_(web_.hosts()),
        price_(policy.name() == "optimal" ? cycle_ / 4
               : policy.name() == "fixed" ? cycle_
                                          : 1),
        fresh_(static_cast<size_t>(std::ceil(options.learning + options.measured))),
        age_(fresh_.size()) {}

  RevisitReport Run();

 private:
  double Limit() const { return options_.host_limit; }
  bool HasHostPrices() const { return Limit() > 0 && !options_.one_price; }
  bool Hinted() const { return HasHints(options_.web.law); }
  bool Heeds() const { return Hinted() && !options_.ignore_hints; }
  PageBelief BeliefOf(uint32_t page) const;
  void Plan(uint32_t page);
  void Schedule(uint32_t page, double due);
  void PassEventsOfWeb(double until);
  void GenerateChanges(uint32_t page, double until);
  void Visit(uint32_t page, double now);
  void Learn(uint32_t page, double now);
  void FitPriors(uint32_t host);
  // Counts [from, to), fresh up to `change`.
  void Account(double from, double change, double to);
  void RunHour(double now);

  const RevisitSimulationOptions options_;
  const RevisitPolicy& policy_;
  ChangingWeb web_;
  const double budget_;  // visits a day
  const double cycle_;   // days per visit of all pages
  const double end_;
  std::vector<Visited> pages_;
  std::vector<History> histories_;    // what the policy knows: of changes without hints, where it heeds hints
  std::vector<History> all_changes_;  // what hints are judged by, where it heeds them
  std::vector<Host> hosts_;
  RateBelief web_belief_ = RateBelief::Wide();
  uint64_t next_centre_ = 1000;
  PriceFeedback price_;
  double planned_ = 0;
  double allowance_ = 0;
  double now_ = 0;
  double probes_ = 0;
  EventQueue calendar_;
  EventQueue changes_;  // of webs with hints: version 0 is a change, 1 a false hint
  uint64_t visits_ = 0;
  std::vector<double> fresh_;  // days of fresh pages, by cycle
  std::vector<double> age_;
};

PageBelief RevisitSimulation::BeliefOf(uint32_t page) const {
  const Host& host = hosts_[web_.host(page)];
  PageBelief belief;
  belief.changes = options_.known_rates ? RateBelief::Known(web_.changes_per_day(page))
                                        : host.prior.After(histories_[page]);
  if (Heeds()) {
    const Visited& visited = pages_[page];
    belief.hints.precision = host.trust.precision();
    belief.hints.per_day = (static_cast<double>(visited.hints) + 0.5) / (std::max(visited.last, 0.0) + 30);
    belief.hints.waiting = visited.waiting;
  }
  return belief;
}

void RevisitSimulation::Schedule(uint32_t page, double due) {
  calendar_.push({.time = due, .page = page, .version = ++pages_[page].version});
}

void RevisitSimulation::Plan(uint32_t page) {
  Visited& visited = pages_[page];
  Host& host = hosts_[web_.host(page)];
  const double price = HasHostPrices() ? host.price.price() : price_.price();
  const double before = visited.interval > 0 ? 1 / visited.interval : 0;
  visited.interval = policy_.Interval(BeliefOf(page), price);
  // A page with waiting hints is visited once, early; that is not its rate of visits.
  if (visited.waiting == 0) {
    planned_ += 1 / visited.interval - before;
    host.planned += 1 / visited.interval - before;
  } else if (before > 0) {
    const double interval = visited.interval;
    visited.interval = 1 / before;
    Schedule(page, visited.last + interval);
    return;
  }
  if (!options_.known_rates && visited.waiting == 0 && visited.probes < kMostProbes && probes_ >= 1) {
    if (const auto probe = policy_.Probe(BeliefOf(page), price)) {
      probes_ -= 1;
      visited.probes++;
      visited.probing = true;
      Schedule(page, visited.last + *probe);
      return;
    }
  }
  // A page that is due only after a long time is planned again earlier, because the price may fall.
  const double due = visited.last + visited.interval;
  Schedule(page, std::min(due, std::max(now_, visited.last) + 2 * cycle_));
}

void RevisitSimulation::Account(double from, double change, double to) {
  to = std::min(to, end_);
  while (from < to) {
    const auto bin = std::min(static_cast<size_t>(from / cycle_ + 1e-9), fresh_.size() - 1);
    const double until = bin + 1 == fresh_.size() ? to : std::min(to, cycle_ * static_cast<double>(bin + 1));
    if (until <= from) break;
    fresh_[bin] += std::clamp(change, from, until) - from;
    const double stale = std::max(from, change);
    if (stale < until) {
      const double old = stale - change;
      const double older = until - change;
      age_[bin] += (older * older - old * old) / 2;
    }
    from = until;
  }
}

void RevisitSimulation::GenerateChanges(uint32_t page, double until) {
  Visited& visited = pages_[page];
  while (web_.next_change(page) <= until) {
    visited.first_change = std::min(visited.first_change, web_.next_change(page));
    visited.last_change = web_.next_change(page);
    web_.Advance(page);
  }
}

void RevisitSimulation::PassEventsOfWeb(double until) {
  while (!changes_.empty() && changes_.top().time <= until) {
    const Event event = changes_.top();
    changes_.pop();
    const uint32_t page = event.page;
    Visited& visited = pages_[page];
    bool hint = event.version == 1;
    if (event.version == 0) {
      visited.first_change = std::min(visited.first_change, event.time);
      visited.last_change = event.time;
      hint = web_.Announced(page);
      web_.Advance(page);
      changes_.push({.time = web_.next_change(page), .page = page, .version = 0});
    } else {
      changes_.push({.time = web_.NextFalseHint(page, event.time), .page = page, .version = 1});
    }
    if (!hint || visited.last < 0) continue;
    visited.hints++;
    if (visited.waiting >= kMostWaiting) continue;
    visited.waiting++;
    if (Heeds()) Plan(page);
  }
}

void RevisitSimulation::FitPriors(uint32_t host) {
  const uint32_t first = web_.first_page(host);
  const uint32_t end = web_.first_page(host + 1);
  hosts_[host].prior = FitSite(std::span(histories_).subspan(first, end - first),
                               {.start = hosts_[host].prior, .web = web_belief_});
  hosts_[host].next_fit = hosts_[host].visits + hosts_[host].visits / 2 + 1;
  if (visits_ < next_centre_) return;
  next_centre_ = visits_ * 2;
  RateBelief::Mixture mixture;
  for (const Host& one : hosts_) mixture.Add(one.prior, 1);
  web_belief_ = mixture.Finish();
}

void RevisitSimulation::Learn(uint32_t page, double now) {
  const Visited& visited = pages_[page];
  Host& host = hosts_[web_.host(page)];
  History& history = histories_[page];
  const double days = now - visited.last;
  const bool changed = visited.first_change <= now;
  if (Heeds()) {
    const double share =
        host.trust.OnVisit(days, visited.waiting, changed, RateBelief::Wide().After(all_changes_[page]));
    changed ? all_changes_[page].AddChanged(days) : all_changes_[page].AddUnchanged(days);
    changed ? history.AddPartlyChanged(days, share) : history.AddUnchanged(days);
  } else if (!changed) {
    history.AddUnchanged(days);
  } else if (static_cast<double>(page % 1000) < 1000 * options_.dated) {
    history.AddDated(days, now - visited.last_change);
  } else {
    history.AddChanged(days);
  }
}

void RevisitSimulation::Visit(uint32_t page, double now) {
  Visited& visited = pages_[page];
  const uint32_t host_number = web_.host(page);
  Host& host = hosts_[host_number];
  if (!Hinted()) GenerateChanges(page, now);
  if (visited.last < 0) {
    Account(0, 0, now);  // stale so far
  } else {
    Account(visited.last, std::min(visited.first_change, now), now);
    Learn(page, now);
  }
  visits_++;
  host.visits++;
  host.visits_today++;
  visited.last = now;
  visited.first_change = std::numeric_limits<double>::infinity();
  visited.waiting = 0;
  visited.probing = false;
  if (now > cycle_) probes_ = std::min(probes_ + kProbeShare, 1000.0);
  if (host.visits >= host.next_fit) FitPriors(host_number);
  Plan(page);
}

void RevisitSimulation::RunHour(double now) {
  now_ = now;
  // Unused visits are lost, except for a fraction of one.
  allowance_ = std::min(allowance_, 1.0) + budget_ * kHour;
  if (Limit() > 0) {
    for (Host& host : hosts_) host.allowance = std::min(host.allowance, 1.0) + Limit() * kHour;
  }
  std::vector<Event> postponed;
  while (allowance_ >= 1 && !calendar_.empty()) {
    const Event event = calendar_.top();
    calendar_.pop();
    Visited& visited = pages_[event.page];
    if (event.version != visited.version) continue;
    Host& host = hosts_[web_.host(event.page)];
    if (Limit() > 0 && host.allowance < 1) {
      postponed.push_back(event);
      continue;
    }
    // No page is visited twice in an hour, even if budget is left.
    if (now - visited.last < kHour * 0.999) {
      postponed.push_back(event);
      if (event.time > now) break;
      continue;
    }
    // Prices may have risen since the page was scheduled.
    if (visited.last >= 0 && !visited.probing) {
      const double price = HasHostPrices() ? host.price.price() : price_.price();
      const double due = visited.last + policy_.Interval(BeliefOf(event.page), price);
      if (due > std::max(now, event.time) + kHour) {
        Plan(event.page);
        continue;
      }
    }
    allowance_ -= 1;
    host.allowance -= 1;
    Visit(event.page, now);
    // The first visits of all pages say nothing about the price.
    if (now < cycle_) continue;
    price_.OnVisit({.budget = budget_,
                    .planned = planned_,
                    .pages = static_cast<double>(pages_.size()),
                    .late_days = now - event.time});
    if (HasHostPrices()) {
      const uint32_t number = web_.host(event.page);
      host.price.OnVisit(
          {.budget = Limit(),
           .planned = host.planned,
           .pages = static_cast<double>(web_.first_page(number + 1) - web_.first_page(number))},
          price_.price());
    }
  }
  for (const Event& event : postponed) calendar_.push(event);
}

RevisitReport RevisitSimulation::Run() {
  RevisitReport report;
  SeededRandom random(options_.web.seed + 1);
  for (Host& host : hosts_) host.price = price_;
  for (uint32_t page = 0; page < pages_.size(); page++) {
    Schedule(page, cycle_ * random.Unit());
    if (!Hinted()) continue;
    changes_.push({.time = web_.next_change(page), .page = page, .version = 0});
    const double lie = web_.NextFalseHint(page, 0);
    if (std::isfinite(lie)) changes_.push({.time = lie, .page = page, .version = 1});
  }
  uint64_t before = 0;
  const auto hours = static_cast<uint64_t>(end_ / kHour);
  for (uint64_t hour = 0; hour < hours; hour++) {
    const double now = static_cast<double>(hour + 1) * kHour;
    if (Hinted()) PassEventsOfWeb(now);
    RunHour(now);
    if ((hour + 1) % 24 != 0) continue;
    report.most_per_day = std::max(report.most_per_day, static_cast<double>(visits_ - before) / budget_);
    before = visits_;
    for (Host& host : hosts_) {
      report.most_host_day = std::max(report.most_host_day, static_cast<double>(host.visits_today));
      host.visits_today = 0;
    }
  }
  for (uint32_t page = 0; page < pages_.size(); page++) {
    Visited& visited = pages_[page];
    if (!Hinted()) GenerateChanges(page, end_);
    if (visited.last < 0) {
      Account(0, 0, end_);
    } else {
      Account(visited.last, std::min(visited.first_change, end_), end_);
    }
  }
  report.visits = visits_;
  const double page_days = cycle_ * static_cast<double>(pages_.size());
  double bins = 0;
  for (size_t bin = 0; bin < fresh_.size(); bin++) {
    report.curve.push_back(fresh_[bin] / page_days);
    if (static_cast<double>(bin) < options_.learning) continue;
    report.freshness += fresh_[bin] / page_days;
    report.age += age_[bin] / page_days;
    bins += 1;
  }
  report.freshness /= bins;
  report.age /= bins;
  double senders = 0;
  for (const Host& host : hosts_) {
    if (host.trust.hints() < 1) continue;
    senders += 1;
    report.precision += host.trust.precision();
    report.recall += host.trust.recall();
  }
  if (senders > 0) {
    report.precision /= senders;
    report.recall /= senders;
  }
  return report;
}

Status CheckOptions(const RevisitSimulationOptions& options) {
  const ChangingWebOptions& web = options.web;
  if (web.hosts == 0 || web.hosts > web.pages)
    return Status::InvalidArgument("a changing web needs at least one host, and a page for each host");
  if (!(web.median_days > 0 && web.sigma >= 0 && web.sigma <= 5 && web.host_share >= 0 &&
        web.host_share <= 1))
    return Status::InvalidArgument(
        "rates of changes need a positive median, a sigma between 0 and 5 and a share of the host between 0 "
        "and 1");
  if (!(options.budget > 0 && options.budget <= 1))
    return Status::InvalidArgument("a budget of visits per day must be between 0 and 100% of the pages");
  if (!(options.learning >= 1 && options.measured >= 1 && options.learning + options.measured <= 1000))
    return Status::InvalidArgument("a simulation needs 1 to 1000 visits per page to learn and to measure");
  if (!(options.host_limit >= 0)) return Status::InvalidArgument("a host's limit of visits must be positive");
  return Status::Ok();
}

}  // namespace

Result<RevisitReport> SimulateRevisits(const RevisitSimulationOptions& options) {
  CRV_TRY(CheckOptions(options));
  const double cycle = 1 / options.budget;
  CRV_ASSIGN(const auto policy,
             MakeRevisitPolicy(options.policy, {.shortest = kHour, .longest = 50 * cycle}));
  RevisitReport report = RevisitSimulation(options, *policy).Run();
  const ChangingWeb web(options.web);
  std::vector<RatedPage> rated;
  rated.reserve(web.pages());
  for (uint32_t page = 0; page < web.pages(); page++) {
    rated.push_back({.changes = web.changes_per_day(page), .weight = 1, .host = web.host(page)});
  }
  std::vector<double> limits;
  if (options.host_limit > 0) limits.assign(web.hosts(), options.host_limit);
  CRV_ASSIGN(const Optimum optimum, SolveOptimum(rated, options.budget * web.pages(), limits));
  report.optimum = optimum.freshness;
  report.optimum_age = optimum.age;
  return report;
}

}  // namespace crivello::revisit
