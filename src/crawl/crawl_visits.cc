// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/civil_time.h"
#include "crawl/crawl_loop.h"
#include "feeds/feed_list.h"
#include "feeds/poll.h"
#include "web/http/http_date.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::crawl {
namespace {

using frontier::FetchOutcome;
using frontier::FetchResult;
using frontier::UrlKind;
using frontier::Visit;

constexpr size_t kNamesAtOnce = 256;

FetchResult ResultOf(const fetch::Response& response) {
  switch (response.outcome) {
    case fetch::Outcome::kOk:
    case fetch::Outcome::kBodyTooLarge:
    case fetch::Outcome::kHeadTooLarge:
    case fetch::Outcome::kCancelled:
      return FetchResult::kAnswered;
    case fetch::Outcome::kTimeout:
    case fetch::Outcome::kTooSlow:
    case fetch::Outcome::kConnectTimeout:
      return FetchResult::kTimedOut;
    case fetch::Outcome::kClosedEarly:
    case fetch::Outcome::kMalformed:
    case fetch::Outcome::kNoAnswer:
      return FetchResult::kBroken;
    case fetch::Outcome::kAddressRefused:
      return FetchResult::kForbidden;
    case fetch::Outcome::kConnectionRefused:
    case fetch::Outcome::kUnreachable:
    case fetch::Outcome::kTls:
    case fetch::Outcome::kCertificate:
    case fetch::Outcome::kNoAddress:
    case fetch::Outcome::kProxy:
    case fetch::Outcome::kBadRequest:
    case fetch::Outcome::kInternal:
      return FetchResult::kConnectFailed;
  }
  return FetchResult::kBroken;
}

// The time that a Retry-After asks for, if the answer may have one.
std::optional<Duration> RetryAfter(const fetch::Response& response, WallTime now) {
  if (response.status != 429 && response.status != 503) return std::nullopt;
  const web::HttpResponse http = web::ParseHttpResponse(response.head);
  const auto value = http.fields.Find("retry-after");
  if (!value) return std::nullopt;
  const auto seconds = web::ParseRetryAfter(*value, ToSeconds(now));
  // A year is as good as never, and does not overflow.
  constexpr int64_t kYear = 366 * 24 * 3600;
  return seconds ? std::optional<Duration>(std::chrono::seconds(std::min(*seconds, kYear))) : std::nullopt;
}

// Whether the items of a feed were read from that answer.  Otherwise an answer "not modified" would hide
// some.
bool IsOf(const store::FetchCell& before, const feeds::FeedRecord& feed) {
  return feed.format && feed.etag == before.etag && feed.last_modified == before.last_modified;
}

// Only for a page that was archived completely, because the archive must have what has not changed.
void AskWhetherModified(const store::FetchCell& before, std::vector<fetch::RequestField>* fields) {
  if (before.status != 200 || before.truncated) return;
  if (!before.etag.empty()) fields->push_back({"If-None-Match", before.etag});
  if (before.last_modified) {
    fields->push_back({"If-Modified-Since", web::FormatHttpDate(*before.last_modified)});
  }
}

}  // namespace

bool CrawlLoop::HasRoom() const {
  return fetcher_->in_flight() < options_.connections && under_way() < 2 * uint64_t{options_.connections} &&
         counters_.body_bytes.value() < store_.memory().bodies;
}

Result<bool> CrawlLoop::TakeVisits() {
  bool took = false;
  hosts_wait_ = false;
  needs_pump_ = false;
  nap_ = options_.longest_nap;
  spent_ = std::nullopt;
  std::vector<Visit> next;
  {
    MutexLock lock(mu_);
    next.swap(next_);
  }
  for (Visit& visit : next) {
    CRV_TRY(Start(std::move(visit)));
    took = true;
  }
  const bool held = (options_.backlog != nullptr && options_.backlog->Full()) ||
                    (options_.others != nullptr && options_.others->Full());
  if (held) nap_ = kHeldNap;
  while (!held && !full_ && HasRoom()) {
    const MonotonicTime asked = clock_.Now();
    CRV_ASSIGN(frontier::Frontier::Taken taken, frontier_->Take());
    if (taken.visit) {
      CRV_TRY(Start(*std::move(taken.visit)));
      took = true;
      continue;
    }
    if (taken.spent) spent_ = std::string(*taken.spent);
    hosts_wait_ = taken.again.has_value();
    needs_pump_ = taken.again && *taken.again <= asked;
    if (taken.again)
      nap_ = std::clamp<Duration>(*taken.again - clock_.Now(), Duration(0), options_.longest_nap);
    break;
  }
  return took;
}

bool CrawlLoop::MayVisit(const Visit& visit) {
  if (options_.others == nullptr) return true;
  const VisitSlots slots = SlotsOf(visit);
  if (!leaving_[slots.host] && !leaving_[slots.origin] && options_.others->MayFetch(visit.tablet))
    return true;
  frontier_->PutBack(visit, {.host = clock_.Now() + kForbiddenNap});
  return false;
}

Status CrawlLoop::Start(Visit visit) {
  if (!MayVisit(visit)) return Status::Ok();
  const VisitSlots slots = SlotsOf(visit);
  under_way_.Add();
  CountSlots(slots, 1);
  Status status = TryStart(std::move(visit));
  if (status.ok()) return status;
  MutexLock lock(mu_);
  under_way_.Subtract(1);  // or Drain() would wait for it
  CountSlots(slots, -1);
  return status;
}

Status CrawlLoop::TryStart(Visit visit) {
  const bool is_robots = visit.kind == UrlKind::kRobots;
  CRV_ASSIGN(web::Url url, web::CanonicalUrl(visit.url));
  const std::shared_ptr<const CrawlPolicy> policy = policy_.current();
  const std::shared_ptr<const collection::ForgottenSet> forgotten = store_.forgotten().current();
  const Grounds grounds = {
      .policy = *policy, .forgotten = *forgotten, .traps = traps_, .visited = trap_memory_.get()};
  auto payload = std::make_unique<VisitPayload>();
  if (is_robots) {
    CRV_ASSIGN(const web::Url origin, web::CanonicalUrl(visit.origin));
    const Decision decision = Decide({.kind = visit.kind, .url = origin}, grounds);
    if (!decision.yes()) return PassOverRobots(visit);
  } else {
    collection::Tablet& tablet = *store_.tablet(visit.tablet);
    CRV_ASSIGN(const auto rules, tablet.robots().Find(url.origin()));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    CRV_ASSIGN(const std::optional<store::VersionTime> newest, tablet.table().Newest(key));
    const store::VersionTime queued = ToMicroseconds(visit.queued);
    if (newest && *newest < queued) {
      CRV_ASSIGN(std::vector<store::Row> rows, tablet.table().Get(key));
      if (!rows.empty()) payload->before = std::make_unique<store::Row>(std::move(rows.front()));
    }
    const Decision decision =
        Decide({.kind = visit.kind,
                .url = url,
                .depth = visit.depth,
                .in_scope = policy->scope.Contains(url),
                .queued = queued,
                .newest = newest,
                .unavailable = payload->before != nullptr &&
                               payload->before->fetch.IsUnavailable(ToSeconds(clock_.Wall())),
                .rules = rules.get()},
               grounds);
    if (!decision.yes()) {
      return PassOver(std::move(visit), key, decision, forgotten);
    }
    CRV_ASSIGN(auto feed, tablet.feeds().Get(key));
    if (feed && feed->next_poll > ToSeconds(clock_.Wall())) {
      PassOverFeed(std::move(visit), key, forgotten);
      return Status::Ok();
    }
    if (feed) payload->feed = std::make_unique<feeds::FeedRecord>(*std::move(feed));
  }
  payload->visit = std::move(visit);
  return Submit(std::move(payload), std::move(url));
}

Status CrawlLoop::PassOver(Visit visit, const std::string& key, const Decision& decision,
                           const std::shared_ptr<const collection::ForgottenSet>& forgotten) {
  if (decision.what == Decision::What::kAskRobots) {
    frontier_->NeedsRobots(visit);
    Leave(visit);
    return Status::Ok();
  }
  frontier_->Skipped(visit);
  Settled settled;
  if (decision.what == Decision::What::kNever) {
    visit.via.clear();  // no line in the ledger: `why` asks the list
  } else {
    if (decision.kind == store::EventKind::kRefusedByRobots) counters_.refused.Add();
    if (decision.kind == store::EventKind::kFiltered || decision.kind == store::EventKind::kTrap)
      counters_.filtered.Add();
    settled.row_key = key;
    settled.allowed_by = forgotten;
    settled.events.push_back(decision.ToEvent(ToMicroseconds(clock_.Wall())));
    // What was fetched by another way has told its schedule.
    if (visit.kind == UrlKind::kPage && decision.kind != store::EventKind::kAlreadyFetched) {
      settled.news = {.outcome = revisit::VisitNews::Outcome::kPassedOver, .time = ToSeconds(clock_.Wall())};
    }
    if (visit.depth == 0 && decision.kind != store::EventKind::kAlreadyFetched)
      seeds_.Failed(visit.url, store::Explain(settled.events.back()));
    CRV_ASSIGN(auto feed, store_.tablet(visit.tablet)->feeds().Get(key));
    const int64_t now = ToSeconds(clock_.Wall());
    if (feed && feed->next_poll <= now && decision.kind != store::EventKind::kAlreadyFetched) {
      const std::string why = store::Explain(settled.events.back());
      feeds::PollOutcome outcome = feeds::TakeAnswer(*std::move(feed), {.now = now, .trouble = why});
      settled.feed = {.record = std::move(outcome.record), .remove = outcome.remove};
    }
  }
  settled.visit = std::move(visit);
  to_commit_.Push(std::move(settled));
  return Status::Ok();
}

// Its poll is not due, because another visit has polled it meanwhile.
void CrawlLoop::PassOverFeed(Visit visit, const std::string& key,
                             const std::shared_ptr<const collection::ForgottenSet>& forgotten) {
  frontier_->Skipped(visit);
  Settled settled;
  settled.row_key = key;
  settled.allowed_by = forgotten;
  // The schedule of revisits may have asked for the feed as for any page.
  settled.news = {.outcome = revisit::VisitNews::Outcome::kPassedOver, .time = ToSeconds(clock_.Wall())};
  visit.via.clear();
  settled.visit = std::move(visit);
  to_commit_.Push(std::move(settled));
}

// Not even the rules of a host that must be forgotten are fetched, because none of its pages will be.
Status CrawlLoop::PassOverRobots(const Visit& visit) {
  CRV_ASSIGN(frontier::Frontier::After after,
             frontier_->Fetched(
                 visit, {.result = FetchResult::kAnswered, .started = clock_.Now(), .ended = clock_.Now()}));
  frontier_->RobotsDone(visit, {.until = clock_.Wall() + std::chrono::hours(24)});
  if (after.next) {
    MutexLock lock(mu_);
    next_.push_back(*std::move(after.next));
  }
  Leave(visit);
  return Status::Ok();
}

Status CrawlLoop::Submit(std::unique_ptr<VisitPayload> payload, web::Url url) {
  const Visit& visit = payload->visit;
  if (options_.others != nullptr && !options_.others->BeginRequest(visit.address)) {
    frontier_->PutBack(visit, {.address = clock_.Now() + kTurnNap});
    Leave(visit);
    return Status::Ok();
  }
  auto fetch = std::make_unique<fetch::Fetch>();
  fetch->id = visit.ticket;
  fetch::Request& request = fetch->request;
  if (const auto address = fetch::IpAddress::Parse(visit.address)) request.addresses = {*address};
  request.limits = options_.limits;
  // Robots.txt is the same for everybody, so it is requested without cookies.
  if (options_.cookies && visit.kind != UrlKind::kRobots) {
    std::string cookies = cookies_.Header(url, ToSeconds(clock_.Wall()));
    if (!cookies.empty()) request.fields.push_back({"Cookie", std::move(cookies)});
  }
  if (payload->before != nullptr &&
      (payload->feed == nullptr || IsOf(payload->before->fetch, *payload->feed))) {
    AskWhetherModified(payload->before->fetch, &request.fields);
  }
  if (const auto host = options_.host_settings.find(url.hostname()); host != options_.host_settings.end()) {
    request.fields.insert(request.fields.end(), host->second.fields.begin(), host->second.fields.end());
  }
  if (options_.identity != nullptr) {
    CRV_ASSIGN(std::vector<web::SignedField> fields,
               options_.identity->Sign({.url = url}, ToSeconds(clock_.Wall()), nonces_));
    for (web::SignedField& field : fields) {
      request.fields.push_back({std::move(field.name), std::move(field.value)});
    }
  }
  request.url = std::move(url);
  if (options_.others != nullptr) {
    const VisitSlots slots = SlotsOf(visit);
    MutexLock lock(mu_);
    requests_[visit.ticket] = slots;
  }
  fetch->payload = std::move(payload);
  fetcher_->Submit(std::move(fetch));
  return Status::Ok();
}

void CrawlLoop::OnFetched(std::unique_ptr<fetch::Fetch> fetch) {
  if (!costs_.on()) return PassOn(std::move(fetch));
  const Duration before = page::ThreadCpu();
  PassOn(std::move(fetch));
  const Duration cpu = page::ThreadCpu() - before;
  costs_.Add(page::Stage::kFrontier, cpu);
  sink_cpu_.Add(static_cast<uint64_t>(cpu.count()));
}

// Reports the end of a request to the frontier here, on the network's thread, and not from the scheduler: the
// delay of the host begins now, and with --proportion the next request follows over the same connection.
void CrawlLoop::PassOn(std::unique_ptr<fetch::Fetch> fetch) {
  const fetch::Response& response = fetch->response;
  auto& payload = static_cast<VisitPayload&>(*fetch->payload);
  Fetched fetched = {.visit = std::move(payload.visit),
                     .before = std::move(payload.before),
                     .feed = std::move(payload.feed)};
  if (options_.others != nullptr) {
    options_.others->EndRequest(fetched.visit.address);
    MutexLock lock(mu_);
    requests_.erase(fetched.visit.ticket);
  }
  counters_.outcomes[static_cast<size_t>(response.outcome)].Add();
  // It is as if it had never been taken.
  if (response.outcome == fetch::Outcome::kCancelled) {
    frontier_->PutBack(fetched.visit, {.cancelled = true});
    return Leave(fetched.visit);
  }
  counters_.bytes.Add(response.received_bytes);
  counters_.body_bytes.Add(response.body.size());

  FetchOutcome outcome;
  outcome.result = ResultOf(response);
  outcome.status = response.status;
  outcome.started = response.timings.start_monotonic;
  outcome.ended = response.timings.start_monotonic + response.timings.end;
  outcome.bytes = response.received_bytes;
  outcome.retry_after = RetryAfter(response, clock_.Wall());
  if (outcome.result != FetchResult::kAnswered) {
    if (outcome.result != FetchResult::kForbidden) counters_.failures.Add();
    outcome.error = fmt::format("{} ({})", fetch::OutcomeName(response.outcome), response.message);
  }
  Result<frontier::Frontier::After> after = frontier_->Fetched(fetched.visit, outcome);
  if (!after.ok()) {
    counters_.body_bytes.Subtract(response.body.size());
    Fail(after.status());
    return Leave(fetched.visit);
  }
  if (after->verdict == frontier::Verdict::kRetry) counters_.retries.Add();
  fetched.verdict = after->verdict;
  TellSeeds(fetched.visit, response, after->verdict);
  fetched.fetch = std::move(fetch);
  if (after->next) {
    MutexLock lock(mu_);
    next_.push_back(*std::move(after->next));
  }
  to_read_.Push(std::move(fetched));
  wakeup_.Notify();
}

// What it means for the seeds, if anything.  Most pages are not as near as a seed.
void CrawlLoop::TellSeeds(const Visit& visit, const fetch::Response& response, frontier::Verdict verdict) {
  if (visit.depth > 0) return;
  const bool is_robots = visit.kind == UrlKind::kRobots;
  const bool answered = ResultOf(response) == FetchResult::kAnswered;
  if (answered && response.status < (is_robots ? 500 : 400)) {
    if (!is_robots) seeds_.Fetched(visit.url);
    return;
  }
  std::string reason = answered
                           ? fmt::format("the server answered {}", response.status)
                           : fmt::format("{}: {}", fetch::OutcomeName(response.outcome), response.message);
  if (is_robots && answered)
    reason = fmt::format("its robots.txt answered {}, and nothing is fetched without it", response.status);
  const bool host_gone = verdict == frontier::Verdict::kGiveUpHost;
  if (verdict == frontier::Verdict::kRetry || (is_robots && !host_gone)) reason += "; it will be tried again";
  if (is_robots) {
    // That of another host, to which robots.txt was moved, is told by the robots.txt that is asked for again.
    const auto origin = web::CanonicalUrl(visit.origin);
    if (origin.ok()) seeds_.HostFailed(origin->hostname(), reason);
  } else if (host_gone) {
    seeds_.HostFailed(visit.host, reason);
  } else {
    seeds_.Failed(visit.url, reason);
  }
}

void CrawlLoop::Resolve() {
  for (const std::string& host : frontier_->NeedsAddress(kNamesAtOnce)) {
    resolver_->Resolve(host, [this, host](const fetch::ResolutionPtr& resolution) {
      if (resolution->found()) {
        // Names of the hosts file never expire; a day is as good, and does not overflow.
        const MonotonicTime now = clock_.Now();
        const MonotonicTime expires = std::clamp(resolution->expires, now, now + std::chrono::hours(24));
        const Duration left = expires - now;
        frontier_->Resolved(host, resolution->addresses.front().ToString(), clock_.Wall() + left);
      } else {
        const bool permanent = resolution->outcome == fetch::Resolution::Outcome::kNoName;
        frontier_->ResolveFailed(host, {.why = resolution->message, .permanent = permanent});
        seeds_.HostFailed(host, fmt::format("cannot resolve {}{}", resolution->message,
                                            permanent ? "" : "; it will be tried again"));
      }
      wakeup_.Notify();
    });
  }
}

}  // namespace crivello::crawl
