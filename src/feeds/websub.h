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

// What a lease may be, in seconds.  A hub that promises less is asked again after the least all the same, so
// it cannot have itself called all the time; polls go on meanwhile.
inline constexpr int64_t kLeastLease = 300;
inline constexpr int64_t kMostLease = 30 * 86400;
inline constexpr int64_t kAskedLease = 10 * 86400;
int64_t ClampLease(std::optional<int64_t> seconds);

// The form of a request to the hub of a subscription.
std::string HubForm(const Subscription& subscription, bool subscribe);

// What a hub asks when it verifies, or says when it denies.
struct HubQuestion {
  enum class Mode : uint8_t { kSubscribe, kUnsubscribe, kDenied };
  Mode mode = Mode::kSubscribe;
  std::string topic = {};
  std::string challenge = {};  // of the first two
  std::optional<int64_t> lease_s = {};
  std::string reason = {};  // of a denial
};
inline constexpr size_t kMostChallengeBytes = 4096;

// An X-Hub-Signature that may count.
struct HubSignature {
  MacHash hash = MacHash::kSha256;
  std::string code = {};  // the bytes
};
// "sha256=0123...": nothing if it is not of this form, or its hash is SHA-1 or not known.
std::optional<HubSignature> ParseHubSignature(std::string_view value);

}  // namespace crivello::feeds
