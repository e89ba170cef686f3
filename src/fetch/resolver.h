// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "fetch/address.h"

namespace crivello::fetch {

// What is known of a name.  Immutable.
struct Resolution {
  enum class Outcome : uint8_t {
    kFound,      // there are addresses
    kNoName,     // the name does not exist (NXDOMAIN), or is none that DNS could hold
    kNoAddress,  // the name exists and has no address
    kFailed,     // no server gave a usable answer in time: try again later
  };
  Outcome outcome = Outcome::kFailed;
  std::vector<IpAddress> addresses;  // in the order to try them; not yet checked by any AddressGuard
  MonotonicTime expires{};           // asked again from then on
  bool from_hosts_file = false;
  std::string message;  // for people, unless found: what failed, by DNS's own words

  bool found() const { return outcome == Outcome::kFound; }
};
using ResolutionPtr = std::shared_ptr<const Resolution>;

// The names and addresses of a hosts file: "address name..." lines, "#" starts a comment.  A name may stand
// in several lines and then has several addresses.  InvalidArgument names the line that is neither.
struct HostsEntry {
  IpAddress address;
  std::string name;
};
Result<std::vector<HostsEntry>> ParseHostsFile(std::string_view text);

// Names become addresses, without blocking: c-ares on a thread of its own (its sockets in an epoll), A and
// AAAA asked at once, UDP first and TCP for what does not fit.
//
// Answers are kept for their TTL (within min_ttl and max_ttl), failures for a time of their own, in a cache
// of bounded size that drops the least recently used.  Those who ask for a name that is being asked for wait
// for the same answer.  Names of the hosts file are never asked of DNS.  IP literals answer themselves.
// The system's /etc/hosts is not read: a crawl must not see names that only this machine knows.
//
// A name costs one query of each kind per TTL; a cached one a lock and a hash, about 100 ns.
// Limits: 16-bit query ids and one source port per server are all that stands against forged answers (c-ares
// 1.18): where that matters, run a validating resolver on this machine.  The TTL of a "no" is not read
// (c-ares does not show the SOA): negative_ttl stands for it.
// Thread-safe.  The destructor answers kFailed to all that still wait, and joins the thread.
class Resolver {
 public:
  struct Options {
    std::vector<HostsEntry> hosts = {};
    // "192.0.2.1" or "192.0.2.1:5353", "[2001:db8::1]:53"; empty: those of /etc/resolv.conf.
    std::vector<std::string> servers = {};
    bool ipv4 = true;
    bool ipv6 = true;  // after the IPv4 ones: fewer hosts answer there
    Duration min_ttl = std::chrono::seconds(30);
    Duration max_ttl = std::chrono::hours(24);
    Duration negative_ttl = std::chrono::minutes(10);
    Duration failure_ttl = std::chrono::seconds(30);
    Duration timeout = std::chrono::seconds(3);  // of the first try; c-ares lengthens the later ones
    int tries = 3;
    uint32_t cache_entries = 100'000;  // some 200 bytes each
    uint32_t max_queries = 500;        // names asked of the servers at one time; the others wait
    const Clock* clock = &SystemClock();
  };
  static Result<std::unique_ptr<Resolver>> Open(Options options);
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  ~Resolver();

  // Called once for each Resolve(): inside it, if the answer is known, else on the resolver's thread.  It
  // must not block; it may call the resolver.  The answer is never null.
  using Callback = std::function<void(const ResolutionPtr&)>;
  // `host` as Url::hostname() gives it.
  void Resolve(std::string_view host, Callback callback);

  // What is known now, or null.
  ResolutionPtr Cached(std::string_view host);

  struct Stats {
    uint64_t lookups = 0;  // calls of Resolve
    uint64_t asked = 0;    // names asked of the servers
    uint64_t failed = 0;   // of those, kFailed
    uint64_t waiting = 0;  // names that are being asked for, or stand in line
    uint64_t entries = 0;  // in the cache
  };
  Stats stats() const;

 private:
  class Impl;
  explicit Resolver(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crivello::fetch
