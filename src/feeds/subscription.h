// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/status.h"

namespace crivello::feeds {

// A subscription to a feed at one of its hubs (WebSub, a W3C Recommendation of 2018).  Times are in seconds
// since 1970; 0: never.
struct Subscription {
  // What the hub was asked for and has not verified yet.  The numbers are stored: never renumber or reuse
  // one.
  enum class Pending : uint8_t { kNothing = 0, kSubscribe = 1, kUnsubscribe = 2 };

  std::string hub = {};
  std::string topic = {};   // the feed's URL, as it gives it to its hubs
  std::string base = {};    // the public URL that the hub calls: the callback is BASE/websub/ID
  std::string id = {};      // kIdBytes of letters, digits, '-' and '_', which nobody can guess
  std::string secret = {};  // kSecretBytes: the key of the signatures of deliveries
  bool leaving = false;     // it must end, because the feed was removed or names another hub
  Pending pending = Pending::kNothing;
  int64_t asked = 0;      // when the hub was asked for what is pending
  int64_t next = 0;       // when to ask the hub next
  int64_t lease_end = 0;  // until when the hub delivers
  int64_t last_delivery = 0;
  uint32_t failures = 0;     // in a row, of requests to the hub
  std::string trouble = {};  // why the last one failed; empty: it did not
  uint64_t deliveries = 0;   // that were accepted
  uint64_t repeated = 0;     // that had come before
  uint64_t refused = 0;      // without a good signature, or after the lease
  // The first eight bytes of the codes of recent deliveries, the newest first.  A repeated delivery is
  // recognised by them and costs nothing.
  std::vector<uint64_t> recent = {};

  static constexpr size_t kIdBytes = 32;      // 192 random bits in base 64
  static constexpr size_t kSecretBytes = 43;  // 256 of them
  static constexpr size_t kMostRecent = 16;

  // Creates one with its own id and secret.  `random` must be unpredictable.
  static Subscription New(Random& random);
  std::string Callback() const;
  bool active(int64_t now) const { return lease_end > now; }

  friend bool operator==(const Subscription&, const Subscription&) = default;
};

// The subscriptions of one feed, at most kMostSubscriptions: three hubs, and earlier ones that must end.
inline constexpr size_t kMostSubscriptions = 8;
// Format: docs/formats/subscriptions.md.
std::string EncodeSubscriptions(const std::vector<Subscription>& subscriptions);
Result<std::vector<Subscription>> DecodeSubscriptions(std::string_view bytes);

}  // namespace crivello::feeds
