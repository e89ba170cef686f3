// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/signing/secure_random.h"
#include "crawl/crawl_parts.h"
#include "feeds/websub_desk.h"
#include "fetch/fetcher.h"
#include "fetch/resolver.h"
#include "web/http/bot_identity.h"

namespace crivello::engine {

struct HubCallerOptions {
  // Between the end of a request to a host and the next one to it: as the crawl waits.
  Duration host_delay = std::chrono::seconds(4);
  size_t at_once = 8;
  Duration total_time = std::chrono::seconds(30);
  std::shared_ptr<const web::BotIdentity> identity =
      {};  // which requests are signed with; null: they are not
};

// Sends requests to WebSub hubs: by the fetcher, resolver and guard that pages are fetched by, one at a time
// to a host, with the delay of a crawl in between.  Follows up to three redirects that keep the method (307,
// 308), and signs each of them for its own URL.  Each request has one answer.  Thread-safe.
class HubCaller final : private fetch::FetchSink {
 public:
  using Answered = std::function<void(uint64_t ticket, const feeds::HubAnswer& answer)>;

  // `answered` is called from threads of the fetcher or the resolver, or from Send() and Look().
  HubCaller(crawl::CrawlParts parts, const HubCallerOptions& options, Answered answered);
  // Gives up what is under way, without an answer.
  ~HubCaller() override;
  HubCaller(const HubCaller&) = delete;
  HubCaller& operator=(const HubCaller&) = delete;

  void Send(feeds::HubRequest request) CRV_EXCLUDES(mu_);
  // Sends what has waited for the delay of its host.  To be called about once a second.
  void Look() CRV_EXCLUDES(mu_);

 private:
  struct Call {
    feeds::HubRequest request;
    std::string url;  // after redirects
    std::string host;
    int redirects = 0;
  };
  struct Host {
    bool busy = false;
    MonotonicTime ready{};
  };
  void Start(uint64_t id) CRV_EXCLUDES(mu_);
  void Submit(uint64_t id, const fetch::Resolution& resolution) CRV_EXCLUDES(mu_);
  Status Sign(fetch::Request* request);
  // The request has ended; its host rests.
  void Finish(uint64_t id, const feeds::HubAnswer& answer) CRV_EXCLUDES(mu_);
  void OnFetched(std::unique_ptr<fetch::Fetch> fetch) override CRV_EXCLUDES(mu_);

  const Clock& clock_;
  const HubCallerOptions options_;
  const Answered answered_;
  SecureRandom nonces_;

  Mutex mu_;
  bool closed_ CRV_GUARDED_BY(mu_) = false;
  std::deque<Call> waiting_ CRV_GUARDED_BY(mu_);
  std::unordered_map<uint64_t, Call> under_way_ CRV_GUARDED_BY(mu_);
  std::map<std::string, Host, std::less<>> hosts_ CRV_GUARDED_BY(mu_);  // that are busy or rest
  uint64_t calls_ CRV_GUARDED_BY(mu_) = 0;

  // Last, so that no callback comes when the rest is gone.
  std::unique_ptr<fetch::Fetcher> fetcher_;
  std::unique_ptr<fetch::Resolver> resolver_;
};

}  // namespace crivello::engine
