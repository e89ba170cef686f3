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

// How hard a site may be worked, and what to do when it does not like it.  Pure functions of what happened;
// the clock is the caller's.  (Lecture notes, §2.3.)
struct PolitenessOptions {
  // Between the end of a request and the start of the next, at one host and at one address.
  Duration host_delay = std::chrono::seconds(4);
  std::map<std::string, Duration, std::less<>> host_delays =
      {};  // of hosts that have one of their own, by name
  Duration address_delay = std::chrono::seconds(1);
  // A host's own Crawl-delay makes its delay longer, up to this.
  Duration max_crawl_delay = std::chrono::minutes(2);

  // With a proportion p > 0, a host is fetched from without pause for up to `burst` over one connection, s'
  // in the end, and then rests for s'/p, or for its delay if that is longer.  0: a rest after each request.
  double proportion = 0;
  Duration burst = std::chrono::seconds(1);
  // With n > 1, a host is fetched from n times without pause over one connection, and then rests for its
  // delay. Not together with a proportion.
  uint32_t burst_requests = 1;

  // After k failures in a row a host rests for first_back_off * 2^(k-1), at most max_back_off; after
  // max_failures it is given up, or after max_attempts if it is robots.txt that fails.  A host at an address
  // that we refuse is given up at once: to ask again would change nothing.  A Retry-After is obeyed up to
  // max_retry_after, and cannot shorten a rest.
  Duration first_back_off = std::chrono::seconds(30);
  Duration max_back_off = std::chrono::hours(4);
  Duration max_retry_after = std::chrono::hours(24);
  uint32_t max_failures = 10;
  // How often one URL is tried while its fetches fail.
  uint32_t max_attempts = 4;
};

// What came of a request, as far as manners are concerned.
enum class FetchResult : uint8_t {
  kAnswered,       // some status came
  kConnectFailed,  // refused, unreachable, TLS failed
  kTimedOut,       // connecting, or too slow
  kBroken,         // the answer broke off or was no HTTP
  kForbidden,      // we refuse to connect to the address (private range): nothing was asked
};

struct FetchOutcome {
  FetchResult result = FetchResult::kAnswered;
  int status = 0;  // of HTTP, if answered
  MonotonicTime started{};
  MonotonicTime ended{};
  uint64_t bytes = 0;                        // received
  std::optional<Duration> retry_after = {};  // as the answer asked
  std::string error = {};                    // for people, if it failed
};

// What a host remembers from one request to the next.
struct Manners {
  Duration crawl_delay{};                  // as robots.txt asks; 0: it does not
  uint32_t failures = 0;                   // in a row
  std::optional<Duration> own_delay = {};  // of PolitenessOptions::host_delays
  MonotonicTime burst_started{};           // by proportion: when the first request of the burst began ...
  uint32_t requests = 0;                   // of the burst, so far
  bool in_burst = false;                   // ... if one is going on
};

enum class Verdict : uint8_t {
  kFinish,      // the URL has had its answer, whatever it was
  kRetry,       // it is to be tried again later
  kGiveUpUrl,   // it failed for the last time
  kGiveUpHost,  // and with it the whole host
};

struct Rest {
  Verdict verdict = Verdict::kFinish;
  // The host, or its address, is not to be asked before this.
  MonotonicTime host_next{};
  MonotonicTime address_next{};
  // By proportion: the next request may follow at once, on the same connection.
  bool go_on = false;
};

// The delay of a host between requests.
Duration HostDelay(const PolitenessOptions& options, const Manners& manners);

// What was tried.
struct Attempt {
  uint32_t number = 1;
  // Of robots.txt, without which no page may be fetched: any failure of it is one of the host.
  bool robots = false;
};

// Whether the outcome speaks against the host as a whole: it does not answer, or asks us to slow down.
bool IsHostFailure(const FetchOutcome& outcome, Attempt attempt = {});

// What follows from the outcome of an attempt; updates the host's manners.
Rest AfterFetch(const PolitenessOptions& options, const FetchOutcome& outcome, Attempt attempt,
                Manners& manners);

// The rest after the k-th failure in a row.  REQUIRES: failures > 0.
Duration BackOff(const PolitenessOptions& options, uint32_t failures);

// "timed out", "answered 503", ...: why a host was given up.
std::string_view FetchResultName(FetchResult result);

}  // namespace crivello::frontier
