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

// Names become addresses.  The interface between those who need addresses and those who ask for them:
// cares_resolver.h is the one that asks DNS, a test may have one that answers from a table.
//
// Thread-safe.  The destructor answers kFailed to all that still wait.
class Resolver {
 public:
  virtual ~Resolver() = default;

  // Called once for each Resolve(): inside it, if the answer is known, else on a thread of the resolver.  It
  // must not block; it may call the resolver.  The answer is never null.
  using Callback = std::function<void(const ResolutionPtr&)>;
  // `host` as Url::hostname() gives it.  Never blocks.
  virtual void Resolve(std::string_view host, Callback callback) = 0;

  struct Stats {
    uint64_t lookups = 0;  // calls of Resolve
    uint64_t asked = 0;    // names asked of the servers
    uint64_t failed = 0;   // of those, kFailed
    uint64_t waiting = 0;  // names that are being asked for, or wait for their turn
    uint64_t entries = 0;  // in the cache
  };
  virtual Stats stats() const = 0;
};

}  // namespace crivello::fetch
