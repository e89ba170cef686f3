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
#include "fetch/address.h"

namespace crivello::fetch {

// The result of resolving a name.  Immutable.
struct Resolution {
  enum class Outcome : uint8_t {
    kFound,      // there are addresses
    kNoName,     // the name does not exist (NXDOMAIN), or is not a valid DNS name
    kNoAddress,  // the name exists but has no address
    kFailed,     // no server gave a usable answer in time: retry later
  };
  Outcome outcome = Outcome::kFailed;
  std::vector<IpAddress> addresses;  // in the order to try them; no AddressGuard has checked them
  MonotonicTime expires{};           // looked up again after this
  bool from_hosts_file = false;
  std::string message;  // for people, unless found: what failed, in the words of DNS

  bool found() const { return outcome == Outcome::kFound; }
};
using ResolutionPtr = std::shared_ptr<const Resolution>;

// Resolves names to addresses.  The interface between code that needs addresses and code that finds them:
// cares_resolver.h queries DNS; a test may implement it with a table.
//
// Thread-safe.  The destructor answers kFailed to all waiting requests.
class Resolver {
 public:
  virtual ~Resolver() = default;

  // Called once per Resolve(): inside it if the answer is known, otherwise on a thread of the resolver.  It
  // must not block; it may call the resolver.  The answer is never null.
  using Callback = std::function<void(const ResolutionPtr&)>;
  // `host` in the form of Url::hostname().  Never blocks.
  virtual void Resolve(std::string_view host, Callback callback) = 0;

  struct Stats {
    uint64_t lookups = 0;  // calls of Resolve
    uint64_t asked = 0;    // names that were looked up on the servers
    uint64_t failed = 0;   // of those, kFailed
    uint64_t waiting = 0;  // names in progress, or waiting for their turn
    uint64_t entries = 0;  // in the cache
  };
  virtual Stats stats() const = 0;
};

}  // namespace crivello::fetch
