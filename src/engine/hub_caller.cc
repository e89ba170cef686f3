// SPDX-License-Identifier: Apache-2.0
#include "engine/hub_caller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/civil_time.h"
#include "web/http/http_headers.h"
#include "web/http/http_message.h"
#include "web/url/url.h"

namespace crivello::engine {
namespace {

constexpr int kMostHubRedirects = 3;
constexpr int64_t kMostRetryAfter = 30 * 86400;

feeds::HubAnswer NoAnswer(std::string why) { return {.status = 0, .trouble = std::move(why)}; }

}  // namespace

HubCaller::HubCaller(crawl::CrawlParts parts, const HubCallerOptions& options, Answered answered)
    : clock_(*parts.clock),
      options_(options),
      answered_(std::move(answered)),
      fetcher_(std::move(parts.fetcher)),
      resolver_(std::move(parts.resolver)) {
  fetcher_->Start(*this);
}

HubCaller::~HubCaller() {
  {
    MutexLock lock(mu_);
    closed_ = true;
  }
  resolver_ = nullptr;  // whose callbacks use the fetcher
  fetcher_ = nullptr;
}

void HubCaller::Send(feeds::HubRequest request) {
  web::Url url;
  if (!url.Parse(request.hub) || !url.is_http()) {
    answered_(request.ticket, NoAnswer(fmt::format("'{}' is not an http or https URL", request.hub)));
    return;
  }
  {
    MutexLock lock(mu_);
    std::string hub = url.href();
    waiting_.push_back(
        {.request = std::move(request), .url = std::move(hub), .host = std::string(url.hostname())});
  }
  Look();
}

void HubCaller::Look() {
  std::vector<uint64_t> to_start;
  {
    MutexLock lock(mu_);
    if (closed_) return;
    const MonotonicTime now = clock_.Now();
    std::erase_if(hosts_, [&](const auto& host) { return !host.second.busy && host.second.ready <= now; });
    for (auto at = waiting_.begin(); at != waiting_.end() && under_way_.size() < options_.at_once;) {
      Host& host = hosts_[at->host];
      if (host.busy || host.ready > now) {
        ++at;
        continue;
      }
      host.busy = true;
      const uint64_t id = ++calls_;
      under_way_.emplace(id, std::move(*at));
      to_start.push_back(id);
      at = waiting_.erase(at);
    }
  }
  for (const uint64_t id : to_start) Start(id);
}

void HubCaller::Start(uint64_t id) {
  std::string host;
  {
    MutexLock lock(mu_);
    const auto found = under_way_.find(id);
    if (closed_ || found == under_way_.end()) return;
    host = found->second.host;
  }
  resolver_->Resolve(host, [this, id](const fetch::ResolutionPtr& resolution) { Submit(id, *resolution); });
}

void HubCaller::Submit(uint64_t id, const fetch::Resolution& resolution) {
  if (!resolution.found()) {
    Finish(id, NoAnswer(fmt::format("cannot resolve {}", resolution.message)));
    return;
  }
  auto fetch = std::make_unique<fetch::Fetch>();
  fetch->id = id;
  fetch::Request& request = fetch->request;
  request.addresses = resolution.addresses;
  request.limits = {.head_bytes = 16 << 10, .body_bytes = 4 << 10, .total_time = options_.total_time};
  request.keep_alive = false;
  {
    MutexLock lock(mu_);
    const auto found = under_way_.find(id);
    if (closed_ || found == under_way_.end()) return;
    // Send() has parsed it.
    if (!request.url.Parse(found->second.url)) return;
    request.form = found->second.request.form;
  }
  if (const Status status = Sign(&request); !status.ok()) {
    Finish(id, NoAnswer(fmt::format("cannot sign the request: {}", status.message())));
    return;
  }
  fetcher_->Submit(std::move(fetch));
}

Status HubCaller::Sign(fetch::Request* request) {
  if (options_.identity == nullptr) return Status::Ok();
  CRV_ASSIGN(
      std::vector<web::SignedField> fields,
      options_.identity->Sign({.url = request->url, .method = "POST"}, ToSeconds(clock_.Wall()), nonces_));
  for (web::SignedField& field : fields) {
    request->fields.push_back({std::move(field.name), std::move(field.value)});
  }
  return Status::Ok();
}

void HubCaller::OnFetched(std::unique_ptr<fetch::Fetch> fetch) {
  const fetch::Response& response = fetch->response;
  if (response.status == 0) {
    Finish(fetch->id,
           NoAnswer(fmt::format("{} ({})", fetch::OutcomeName(response.outcome), response.message)));
    return;
  }
  feeds::HubAnswer answer = {.status = response.status};
  const web::HttpResponse http = web::ParseHttpResponse(response.head);
  if (const auto value = http.fields.Find("retry-after")) {
    answer.retry_after_s = web::ParseRetryAfter(*value, ToSeconds(clock_.Wall()));
    if (answer.retry_after_s) answer.retry_after_s = std::min(*answer.retry_after_s, kMostRetryAfter);
  }
  if (response.status == 307 || response.status == 308) {
    web::Url target;
    const bool leads = target.Parse(http.fields.Find("location").value_or(""), &fetch->request.url) &&
                       target.is_http() && !target.has_credentials();
    MutexLock lock(mu_);
    const auto found = under_way_.find(fetch->id);
    if (found == under_way_.end()) return;
    if (leads && found->second.redirects < kMostHubRedirects) {
      Host& host = hosts_[found->second.host];
      host = {.busy = false, .ready = clock_.Now() + options_.host_delay};
      Call call = std::move(found->second);
      under_way_.erase(found);
      call.redirects++;
      call.url = target.href();
      call.host = std::string(target.hostname());
      waiting_.push_back(std::move(call));
      return;  // Look() sends it on
    }
    answer.trouble = "too many redirects, or one that leads nowhere";
  }
  Finish(fetch->id, answer);
}

void HubCaller::Finish(uint64_t id, const feeds::HubAnswer& answer) {
  uint64_t ticket = 0;
  {
    MutexLock lock(mu_);
    const auto found = under_way_.find(id);
    if (closed_ || found == under_way_.end()) return;
    ticket = found->second.request.ticket;
    hosts_[found->second.host] = {.busy = false, .ready = clock_.Now() + options_.host_delay};
    under_way_.erase(found);
  }
  answered_(ticket, answer);
}

}  // namespace crivello::engine
