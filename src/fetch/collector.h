// SPDX-License-Identifier: Apache-2.0
// A sink for tests; included by _test.cc, _bench.cc and _fuzz.cc files only.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fetch/fetcher.h"

namespace crivello::fetch {

class Collector final : public ExchangeSink {
 public:
  void OnFetched(std::unique_ptr<Exchange> exchange) override {
    const std::lock_guard lock(mu_);
    done_.push_back(std::move(exchange));
    changed_.notify_all();
  }
  // Waits for `count` exchanges, and takes them, in the order they came.
  std::vector<std::unique_ptr<Exchange>> Take(size_t count) {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [&] { return done_.size() >= count; });
    return std::exchange(done_, {});
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Exchange>> done_;
};

// An exchange with a URL on loopback.
inline std::unique_ptr<Exchange> MakeExchange(const std::string& url,
                                              const std::string& address = "127.0.0.1") {
  auto exchange = std::make_unique<Exchange>();
  if (!exchange->request.url.Parse(url)) std::abort();
  exchange->request.addresses = {*IpAddress::Parse(address)};
  return exchange;
}

// A fetcher that may go to loopback, and a sink; one exchange at a time.
class TestFetcher {
 public:
  explicit TestFetcher(Fetcher::Options options = {}) {
    options.sink = &collector_;
    if (!options.guard.Allows(IpAddress::FromIpv4(0x7f000001))) {
      options.guard = AddressGuard({*IpPrefix::Parse("127.0.0.0/8")});
    }
    auto opened = Fetcher::Open(std::move(options));
    if (!opened.ok()) std::abort();
    fetcher_ = *std::move(opened);
  }
  std::unique_ptr<Exchange> Fetch(std::unique_ptr<Exchange> exchange) {
    fetcher_->Submit(std::move(exchange));
    return std::move(collector_.Take(1).front());
  }
  Response Fetch(const std::string& url) { return std::move(Fetch(MakeExchange(url))->response); }
  Fetcher& operator*() { return *fetcher_; }
  Fetcher* operator->() { return fetcher_.get(); }
  Collector& collector() { return collector_; }

 private:
  Collector collector_;
  std::unique_ptr<Fetcher> fetcher_;
};

}  // namespace crivello::fetch
