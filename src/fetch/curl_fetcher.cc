// SPDX-License-Identifier: Apache-2.0
#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hash.h"
#include "fetch/fetch_loop.h"
#include "fetch/fetcher.h"

namespace crivello::fetch {
namespace {

// Once in the life of the program, by whoever comes first.  It is never undone: other users of libcurl in the
// program may have come to rely on it.
Status InitialiseCurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) return Status::Unavailable(std::string("libcurl: ") + curl_easy_strerror(code));
  return Status::Ok();
}

Status CheckOptions(const Fetcher::Options& options) {
  if (options.sink == nullptr) return Status::InvalidArgument("a fetcher needs a sink");
  if (options.loops < 1) return Status::InvalidArgument("a fetcher needs at least one loop");
  if (!options.proxy.empty()) {
    constexpr std::array<std::string_view, 6> kSchemes = {"http://",    "https://",  "socks4://",
                                                          "socks4a://", "socks5://", "socks5h://"};
    const bool known = std::any_of(kSchemes.begin(), kSchemes.end(), [&](std::string_view scheme) {
      return options.proxy.starts_with(scheme);
    });
    if (!known) return Status::InvalidArgument("a proxy is http://host:port, https:// or socks5h://...");
  }
  return Status::Ok();
}

}  // namespace

class Fetcher::Impl {
 public:
  explicit Impl(Options given) : options(std::move(given)) {}

  FetchLoop& LoopOf(const web::Url& url) { return *loops[ScaleTo(Hash64(url.host()), loops.size())]; }

  const Options options;
  std::vector<std::unique_ptr<FetchLoop>> loops;
};

Fetcher::Fetcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Fetcher>> Fetcher::Open(Options options) {
  CRV_TRY(CheckOptions(options));
  CRV_TRY(InitialiseCurl());
  auto impl = std::make_unique<Impl>(std::move(options));
  for (int i = 0; i < impl->options.loops; i++) {
    CRV_ASSIGN(std::unique_ptr<FetchLoop> loop, FetchLoop::Open(impl->options));
    impl->loops.push_back(std::move(loop));
  }
  return std::unique_ptr<Fetcher>(new Fetcher(std::move(impl)));
}

Fetcher::~Fetcher() {
  Abort();
  // All threads end before any loop goes: the sink of one may still submit to another.
  for (const auto& loop : impl_->loops) loop->Shutdown();
}

void Fetcher::Submit(std::unique_ptr<Exchange> exchange) {
  FetchLoop& loop = impl_->LoopOf(exchange->request.url);
  loop.Submit(std::move(exchange));
}

void Fetcher::Cancel(uint64_t id) {
  for (const auto& loop : impl_->loops) loop->Cancel(id);
}

void Fetcher::Abort() {
  for (const auto& loop : impl_->loops) loop->Abort();
}

uint64_t Fetcher::in_flight() const {
  uint64_t sum = 0;
  for (const auto& loop : impl_->loops) sum += loop->in_flight();
  return sum;
}

Duration Fetcher::Cpu() const {
  Duration sum{};
  for (const auto& loop : impl_->loops) sum += loop->Cpu();
  return sum;
}

Fetcher::Stats Fetcher::stats() const {
  Stats sum;
  for (const auto& loop : impl_->loops) {
    const Stats stats = loop->stats();
    sum.exchanges += stats.exchanges;
    sum.connections += stats.connections;
    sum.open += stats.open;
    sum.received_bytes += stats.received_bytes;
  }
  return sum;
}

}  // namespace crivello::fetch
