// SPDX-License-Identifier: Apache-2.0
// What hubs and subscribers say to each other in WebSub (https://www.w3.org/TR/websub/), as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/signing/hmac.h"
#include "feeds/subscription.h"

namespace crivello::feeds {

// The limits of a lease, in seconds.  A hub that grants less is not asked again before the shortest lease has
// passed, so it cannot make us call it all the time.  Polling continues meanwhile.
inline constexpr int64_t kLeastLease = 300;
inline constexpr int64_t kMostLease = 30 * 86400;
inline constexpr int64_t kAskedLease = 10 * 86400;
int64_t ClampLease(std::optional<int64_t> seconds);

// The form of a request to the hub of a subscription.
std::string HubForm(const Subscription& subscription, bool subscribe);

// The request of a hub that verifies or denies a subscription.
struct HubQuestion {
  enum class Mode : uint8_t { kSubscribe, kUnsubscribe, kDenied };
  Mode mode = Mode::kSubscribe;
  std::string topic = {};
  std::string challenge = {};  // of the first two
  std::optional<int64_t> lease_s = {};
  std::string reason = {};  // of a denial
};
inline constexpr size_t kMostChallengeBytes = 4096;

// An X-Hub-Signature with a hash that is strong enough.
struct HubSignature {
  MacHash hash = MacHash::kSha256;
  std::string code = {};  // the bytes
};
// "sha256=0123...": nothing if it is not of this form, or its hash is SHA-1 or not known.
std::optional<HubSignature> ParseHubSignature(std::string_view value);

}  // namespace crivello::feeds
