// SPDX-License-Identifier: Apache-2.0
// A sink for tests; included by _test.cc, _bench.cc and _fuzz.cc files only.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fetch/curl_fetcher.h"

namespace crivello::fetch {

class Collector final : public FetchSink {
 public:
  void OnFetched(std::unique_ptr<Fetch> fetch) override {
    const std::lock_guard lock(mu_);
    done_.push_back(std::move(fetch));
    changed_.notify_all();
  }
  // Waits for `count` fetches, and takes them, in order of arrival.
  std::vector<std::unique_ptr<Fetch>> Take(size_t count) {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [&] { return done_.size() >= count; });
    return std::exchange(done_, {});
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Fetch>> done_;
};

// A fetch with a URL on loopback.
inline std::unique_ptr<Fetch> MakeFetch(const std::string& url, const std::string& address = "127.0.0.1") {
  auto fetch = std::make_unique<Fetch>();
  if (!fetch->request.url.Parse(url)) std::abort();
  fetch->request.addresses = {*IpAddress::Parse(address)};
  return fetch;
}

// A fetcher that may connect to loopback, and a sink; one fetch at a time.
class TestFetcher {
 public:
  explicit TestFetcher(CurlFetcherOptions options = {}) {
    if (!options.guard.Allows(IpAddress::FromIpv4(0x7f000001))) {
      options.guard = AddressGuard({*IpPrefix::Parse("127.0.0.0/8")});
    }
    auto opened = OpenCurlFetcher(std::move(options));
    if (!opened.ok()) std::abort();
    fetcher_ = *std::move(opened);
    fetcher_->Start(collector_);
  }
  std::unique_ptr<Fetch> Get(std::unique_ptr<Fetch> fetch) {
    fetcher_->Submit(std::move(fetch));
    return std::move(collector_.Take(1).front());
  }
  Response Get(const std::string& url) { return std::move(Get(MakeFetch(url))->response); }
  Fetcher& operator*() { return *fetcher_; }
  Fetcher* operator->() { return fetcher_.get(); }
  Collector& collector() { return collector_; }

 private:
  Collector collector_;
  std::unique_ptr<Fetcher> fetcher_;
};

}  // namespace crivello::fetch
