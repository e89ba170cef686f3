// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "fetch/hosts_file.h"
#include "fetch/resolver.h"

namespace crivello::fetch {

struct CaresResolverOptions {
  std::vector<HostsEntry> hosts = {};
  // "192.0.2.1" or "192.0.2.1:5353", "[2001:db8::1]:53"; empty: those of /etc/resolv.conf.
  std::vector<std::string> servers = {};
  bool ipv4 = true;
  bool ipv6 = true;  // tried after the IPv4 ones: fewer hosts answer there
  Duration min_ttl = std::chrono::seconds(30);
  Duration max_ttl = std::chrono::hours(24);
  Duration negative_ttl = std::chrono::minutes(10);
  Duration failure_ttl = std::chrono::seconds(30);
  Duration timeout = std::chrono::seconds(3);  // of the first try; c-ares uses longer ones for retries
  int tries = 3;
  uint32_t cache_entries = 100'000;  // some 200 bytes each
  uint32_t max_queries = 500;        // names in progress at the same time; others wait
  const Clock* clock = &SystemClock();
};

// A Resolver that queries DNS without blocking: c-ares on its own thread (its sockets in an epoll), A and
// AAAA in parallel, UDP first and TCP for what does not fit.
//
// Caches answers for their TTL (within min_ttl and max_ttl), and failures for a time of their own, in a
// bounded LRU cache.  Concurrent requests for a name share one query.  Names in the hosts file are never
// looked up in DNS.  IP literals resolve to themselves. The system's /etc/hosts is not read: a crawl must not
// see names that only this machine knows.
//
// A name costs one query of each kind per TTL; a cached name costs a lock and a hash, about 100 ns.
// Limits: 16-bit query ids and one source port per server are the only protection against forged answers
// (c-ares 1.18); where that matters, run a validating resolver on this machine.  The TTL of a negative
// answer is not read (c-ares does not expose the SOA); negative_ttl is used instead. The destructor joins
// the thread.
Result<std::unique_ptr<Resolver>> OpenCaresResolver(CaresResolverOptions options);

}  // namespace crivello::fetch
