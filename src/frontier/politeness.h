// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace crivello::frontier {

// How often a site may be fetched from, and what to do when it objects.  Pure functions of past events; the
// caller has the clock.  (Lecture notes, §2.3.)
struct PolitenessOptions {
  // Between the end of a request and the start of the next, per host and per address.
  Duration host_delay = std::chrono::seconds(4);
  std::map<std::string, Duration, std::less<>> host_delays =
      {};  // of hosts with a delay of their own, by name
  Duration address_delay = std::chrono::seconds(1);
  // A host's Crawl-delay can increase its delay, up to this.
  Duration max_crawl_delay = std::chrono::minutes(2);

  // If p > 0, a host is fetched from without pause for up to `burst` over one connection, which takes s' in
  // the end, and then rests for s'/p, or for its delay if that is longer.  0: a rest after each request.
  double proportion = 0;
  Duration burst = std::chrono::seconds(1);
  // If n > 1, a host is fetched from n times without pause over one connection, and then rests for its delay.
  // Cannot be combined with a proportion.
  uint32_t burst_requests = 1;

  // After k failures in a row a host rests for first_back_off * 2^(k-1), at most max_back_off.  After
  // max_failures it is given up, or after max_attempts if robots.txt fails.  A host at an address that we
  // refuse is given up at once, because retrying would not help.  A Retry-After is obeyed up to
  // max_retry_after, and cannot shorten a rest.
  Duration first_back_off = std::chrono::seconds(30);
  Duration max_back_off = std::chrono::hours(4);
  Duration max_retry_after = std::chrono::hours(24);
  uint32_t max_failures = 10;
  // How often one URL is tried if its fetches fail.
  uint32_t max_attempts = 4;
};

// The result of a request, as far as politeness is concerned.
enum class FetchResult : uint8_t {
  kAnswered,       // there was a response with a status
  kConnectFailed,  // refused, unreachable, TLS failed
  kTimedOut,       // connecting, or too slow
  kBroken,         // the response broke off or was not HTTP
  kForbidden,      // we refuse to connect to the address (private range): nothing was sent
};

struct FetchOutcome {
  FetchResult result = FetchResult::kAnswered;
  int status = 0;  // of HTTP, if answered
  MonotonicTime started{};
  MonotonicTime ended{};
  uint64_t bytes = 0;                        // received
  std::optional<Duration> retry_after = {};  // as requested by the response
  std::string error = {};                    // for people, if it failed
};

// A host's state for politeness, kept between requests.
struct Manners {
  Duration crawl_delay{};                  // requested by robots.txt; 0: none
  uint32_t failures = 0;                   // in a row
  std::optional<Duration> own_delay = {};  // from PolitenessOptions::host_delays
  MonotonicTime burst_started{};           // in a burst: when its first request began ...
  uint32_t requests = 0;                   // in the burst so far
  bool in_burst = false;                   // ... if there is one
};

enum class Verdict : uint8_t {
  kFinish,      // the URL got its response, whatever it was
  kRetry,       // try again later
  kGiveUpUrl,   // it failed for the last time
  kGiveUpHost,  // and the whole host with it
};

struct Rest {
  Verdict verdict = Verdict::kFinish;
  // Do not contact the host, or its address, before these times.
  MonotonicTime host_next{};
  MonotonicTime address_next{};
  // In a burst: the next request may follow at once, on the same connection.
  bool go_on = false;
};

// The delay of a host between requests.
Duration HostDelay(const PolitenessOptions& options, const Manners& manners);

// What was tried.
struct Attempt {
  uint32_t number = 1;
  // An attempt at robots.txt, without which no page may be fetched: any failure counts against the host.
  bool robots = false;
};

// Whether the outcome counts against the whole host: it does not respond, or asks us to slow down.
bool IsHostFailure(const FetchOutcome& outcome, Attempt attempt = {});

// The consequences of an attempt's outcome; updates the host's state.
Rest AfterFetch(const PolitenessOptions& options, const FetchOutcome& outcome, Attempt attempt,
                Manners& manners);

// The rest after the k-th failure in a row.  REQUIRES: failures > 0.
Duration BackOff(const PolitenessOptions& options, uint32_t failures);

// "timed out", "answered 503", ...: why a host was given up.
std::string_view FetchResultName(FetchResult result);

}  // namespace crivello::frontier
