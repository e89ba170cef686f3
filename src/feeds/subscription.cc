// SPDX-License-Identifier: Apache-2.0
#include "feeds/subscription.h"

#include <fmt/format.h>

#include "base/record.h"
#include "base/signing/ed25519.h"
#include "base/signing/secure_random.h"

namespace crivello::feeds {
namespace {

constexpr uint64_t kSubscriptionsVersion = 1;
// Some 35,000 years: sums of times do not overflow.
constexpr uint64_t kLatest = uint64_t{1} << 40;

}  // namespace

Subscription Subscription::New(Random& random) {
  Subscription subscription;
  subscription.id = Base64Url(RandomBytes(random, 24));
  subscription.secret = Base64Url(RandomBytes(random, 32));
  return subscription;
}

std::string Subscription::Callback() const {
  return fmt::format("{}{}websub/{}", base, base.ends_with('/') ? "" : "/", id);
}

std::string EncodeSubscriptions(const std::vector<Subscription>& subscriptions) {
  RecordWriter out;
  out.Number(kSubscriptionsVersion);
  out.Number(subscriptions.size());
  for (const Subscription& one : subscriptions) {
    out.Text(one.hub);
    out.Text(one.topic);
    out.Text(one.base);
    out.Text(one.id);
    out.Text(one.secret);
    out.Number(one.leaving ? 1 : 0);
    out.Number(static_cast<uint64_t>(one.pending));
    for (const int64_t time : {one.asked, one.next, one.lease_end, one.last_delivery}) {
      out.Number(static_cast<uint64_t>(time));
    }
    out.Number(one.failures);
    out.Text(one.trouble);
    out.Number(one.deliveries);
    out.Number(one.repeated);
    out.Number(one.refused);
    out.Number(one.recent.size());
    for (const uint64_t code : one.recent) out.Word(code);
  }
  return std::move(out).bytes();
}

Result<std::vector<Subscription>> DecodeSubscriptions(std::string_view bytes) {
  RecordReader in(bytes);
  const uint64_t version = in.Number();
  if (in.ok() && version != kSubscriptionsVersion) {
    return Status::Corruption(
        fmt::format("found subscriptions of version {}, but this program reads version {}", version,
                    kSubscriptionsVersion));
  }
  std::vector<Subscription> all;
  const uint64_t count = in.NumberAtMost(kMostSubscriptions);
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    Subscription& one = all.emplace_back();
    one.hub = in.Text();
    one.topic = in.Text();
    one.base = in.Text();
    one.id = in.Text();
    one.secret = in.Text();
    one.leaving = in.NumberAtMost(1) == 1;
    one.pending = static_cast<Subscription::Pending>(
        in.NumberAtMost(static_cast<uint64_t>(Subscription::Pending::kUnsubscribe)));
    for (int64_t* const time : {&one.asked, &one.next, &one.lease_end, &one.last_delivery}) {
      *time = static_cast<int64_t>(in.NumberAtMost(kLatest));
    }
    one.failures = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
    one.trouble = in.Text();
    one.deliveries = in.Number();
    one.repeated = in.Number();
    one.refused = in.Number();
    const uint64_t recent = in.NumberAtMost(Subscription::kMostRecent);
    for (uint64_t k = 0; k < recent && in.ok(); ++k) one.recent.push_back(in.Word());
  }
  // An id or a secret of another length might be easy to guess.
  for (const Subscription& one : all) {
    if (one.id.size() != Subscription::kIdBytes || one.secret.size() != Subscription::kSecretBytes) {
      return Status::Corruption("damaged record of subscriptions");
    }
  }
  if (!in.finished()) return Status::Corruption("damaged record of subscriptions");
  return all;
}

}  // namespace crivello::feeds
