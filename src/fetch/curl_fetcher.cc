// SPDX-License-Identifier: Apache-2.0
#include "fetch/curl_fetcher.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hash.h"
#include "fetch/fetch_loop.h"

namespace crivello::fetch {
namespace {

// Done once per process, by the first caller.  Never undone, because other users of libcurl in the program
// may rely on it.
Status InitialiseCurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) return Status::Unavailable(std::string("libcurl: ") + curl_easy_strerror(code));
  return Status::Ok();
}

Status CheckOptions(const CurlFetcherOptions& options) {
  if (options.loops < 1) return Status::InvalidArgument("a fetcher needs at least one loop");
  if (!options.proxy.empty()) {
    constexpr std::array<std::string_view, 6> kSchemes = {"http://",    "https://",  "socks4://",
                                                          "socks4a://", "socks5://", "socks5h://"};
    const bool known = std::any_of(kSchemes.begin(), kSchemes.end(), [&](std::string_view scheme) {
      return options.proxy.starts_with(scheme);
    });
    if (!known)
      return Status::InvalidArgument("invalid proxy: expected http://host:port, https:// or socks5h://...");
  }
  return Status::Ok();
}

class CurlFetcher final : public Fetcher {
 public:
  explicit CurlFetcher(CurlFetcherOptions options) : options_(std::move(options)) {}
  ~CurlFetcher() override {
    Abort();
    // End all threads before destroying any loop: the sink of one may still submit to another.
    for (const auto& loop : loops_) loop->Shutdown();
  }

  Status Open() {
    for (int i = 0; i < options_.loops; i++) {
      CRV_ASSIGN(std::unique_ptr<FetchLoop> loop, FetchLoop::Open(options_));
      loops_.push_back(std::move(loop));
    }
    return Status::Ok();
  }

  void Start(FetchSink& sink) override {
    for (const auto& loop : loops_) loop->SetSink(sink);
  }
  void Submit(std::unique_ptr<Fetch> fetch) override {
    FetchLoop& loop = LoopOf(fetch->request.url);
    loop.Submit(std::move(fetch));
  }
  void Cancel(uint64_t id) override {
    for (const auto& loop : loops_) loop->Cancel(id);
  }
  void Abort() override {
    for (const auto& loop : loops_) loop->Abort();
  }
  uint64_t in_flight() const override {
    uint64_t sum = 0;
    for (const auto& loop : loops_) sum += loop->in_flight();
    return sum;
  }
  Duration Cpu() const override {
    Duration sum{};
    for (const auto& loop : loops_) sum += loop->Cpu();
    return sum;
  }
  Stats stats() const override {
    Stats sum;
    for (const auto& loop : loops_) {
      const Stats stats = loop->stats();
      sum.fetches += stats.fetches;
      sum.connections += stats.connections;
      sum.open += stats.open;
      sum.arriving += stats.arriving;
      sum.waiting += stats.waiting;
      sum.received_bytes += stats.received_bytes;
    }
    return sum;
  }

 private:
  FetchLoop& LoopOf(const web::Url& url) { return *loops_[ScaleTo(Hash64(url.host()), loops_.size())]; }

  const CurlFetcherOptions options_;
  std::vector<std::unique_ptr<FetchLoop>> loops_;
};

}  // namespace

Result<std::unique_ptr<Fetcher>> OpenCurlFetcher(CurlFetcherOptions options) {
  CRV_TRY(CheckOptions(options));
  CRV_TRY(InitialiseCurl());
  auto fetcher = std::make_unique<CurlFetcher>(std::move(options));
  CRV_TRY(fetcher->Open());
  return std::unique_ptr<Fetcher>(std::move(fetcher));
}

}  // namespace crivello::fetch
