// SPDX-License-Identifier: Apache-2.0
#include "frontier/politeness.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace crivello::frontier {
namespace {

constexpr int kTooManyRequests = 429;
constexpr int kServiceUnavailable = 503;

// 429 and 503 ask a crawler to slow down; 500 and others concern one page.
bool AsksToSlowDown(const FetchOutcome& outcome) {
  return outcome.result == FetchResult::kAnswered &&
         (outcome.status == kTooManyRequests || outcome.status == kServiceUnavailable);
}

// Whether it concerns only the page.
bool IsPageFailure(const FetchOutcome& outcome) {
  return outcome.result == FetchResult::kBroken || outcome.status >= 500;
}

Duration Scaled(Duration time, double factor, Duration most) {
  const double scaled = static_cast<double>(time.count()) * factor;
  return scaled < static_cast<double>(most.count()) ? Duration(static_cast<int64_t>(scaled)) : most;
}

}  // namespace

Duration HostDelay(const PolitenessOptions& options, const Manners& manners) {
  return std::max(manners.own_delay.value_or(options.host_delay),
                  std::min(manners.crawl_delay, options.max_crawl_delay));
}

bool IsHostFailure(const FetchOutcome& outcome, Attempt attempt) {
  if (attempt.robots && IsPageFailure(outcome)) return true;
  return outcome.result == FetchResult::kConnectFailed || outcome.result == FetchResult::kTimedOut ||
         outcome.result == FetchResult::kForbidden || AsksToSlowDown(outcome);
}

Duration BackOff(const PolitenessOptions& options, uint32_t failures) {
  assert(failures > 0);
  Duration rest = options.first_back_off;
  for (uint32_t i = 1; i < failures && rest < options.max_back_off; i++) rest *= 2;
  return std::min(rest, options.max_back_off);
}

Rest AfterFetch(const PolitenessOptions& options, const FetchOutcome& outcome, Attempt attempt,
                Manners& manners) {
  const bool failed = IsHostFailure(outcome, attempt);
  const bool refused = outcome.result == FetchResult::kForbidden;
  manners.failures = failed ? manners.failures + 1 : 0;

  if (!manners.in_burst) {
    manners.burst_started = outcome.started;
    manners.requests = 0;
  }
  manners.requests++;
  const Duration busy = outcome.ended - manners.burst_started;
  Rest rest;
  const bool more = options.proportion > 0 ? busy < options.burst : manners.requests < options.burst_requests;
  rest.go_on =
      more && outcome.result == FetchResult::kAnswered && !failed && manners.crawl_delay == Duration::zero();
  manners.in_burst = rest.go_on;

  Duration pause = HostDelay(options, manners);
  // A proportional rest depends on the real duration, which for a slow host exceeds the burst.
  if (options.proportion > 0)
    pause = std::max(pause, Scaled(busy, 1 / options.proportion, options.max_back_off));
  if (failed) pause = std::max(pause, BackOff(options, manners.failures));
  if (AsksToSlowDown(outcome) && outcome.retry_after)
    pause = std::max(pause, std::min(*outcome.retry_after, options.max_retry_after));
  rest.host_next = outcome.ended + pause;
  rest.address_next = outcome.ended + options.address_delay;

  // Give up earlier on a host that has never served its rules than on one that has worked.
  const uint32_t patience =
      attempt.robots ? std::min(options.max_failures, options.max_attempts) : options.max_failures;
  if (refused || (failed && manners.failures >= patience)) {
    rest.verdict = Verdict::kGiveUpHost;
  } else if (failed || IsPageFailure(outcome)) {
    rest.verdict = attempt.number >= options.max_attempts ? Verdict::kGiveUpUrl : Verdict::kRetry;
  }
  return rest;
}

std::string_view FetchResultName(FetchResult result) {
  switch (result) {
    case FetchResult::kAnswered:
      return "answered";
    case FetchResult::kConnectFailed:
      return "no connection";
    case FetchResult::kTimedOut:
      return "timed out";
    case FetchResult::kBroken:
      return "broken answer";
    case FetchResult::kForbidden:
      return "forbidden address";
  }
  return "";
}

}  // namespace crivello::frontier
