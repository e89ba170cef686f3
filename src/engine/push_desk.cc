// SPDX-License-Identifier: Apache-2.0
#include "engine/push_desk.h"

#include <chrono>
#include <utility>

#include "base/civil_time.h"
#include "collection/archived_page.h"
#include "store/archive_reader.h"
#include "web/http/decompress.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::engine {
namespace {

constexpr Duration kLookInterval = std::chrono::seconds(1);
// A page fetched more recently than this is not fetched again because someone says that it has changed.
constexpr Duration kLeastBetweenHints = std::chrono::minutes(10);
constexpr uint64_t kMaxKeyFileBytes = 4096;
constexpr uint32_t kHubConnections = 8;

class CollectionIndexNow final : public feeds::IndexNowCrawl {
 public:
  CollectionIndexNow(collection::Collection& store, crawl::Crawler& crawler)
      : store_(store), crawler_(crawler) {}

  bool Wants(const std::string& url) override { return crawler_.Wants(url); }
  Status Fetch(const std::string& url) override { return crawler_.Offer({url}, {}); }
  // Pages that are scheduled come as early as hints of their host were right before.  The others, and all if
  // nothing is scheduled, are fetched soon.
  Status Hint(const std::vector<std::string>& urls) override {
    std::vector<crawl::PageHint> hints;
    hints.reserve(urls.size());
    for (const std::string& url : urls) {
      CRV_ASSIGN(const web::Url parsed, web::CanonicalUrl(url));
      if (store_.Find(parsed.hostname()) == nullptr) continue;  // another process has its tablet
      hints.push_back({.url = url, .source = revisit::HintSource::kIndexNow, .time = clock_.Wall()});
    }
    CRV_ASSIGN(const std::vector<crawl::PageHint> unknown, crawler_.Hint(hints));
    if (!crawler_.stats().schedule.continuous) return crawler_.OfferChanged(urls, kLeastBetweenHints);
    std::vector<std::string> rest;
    for (const crawl::PageHint& hint : unknown) rest.push_back(hint.url);
    return crawler_.OfferChanged(rest, kLeastBetweenHints);
  }

  Result<std::optional<std::string>> Fetched(const std::string& text, WallTime since) override {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const auto newest, tablet->table().Newest(key));
    if (!newest || *newest < ToMicroseconds(since)) return std::optional<std::string>();
    CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(key));
    if (rows.empty() || rows.front().fetch.status != 200) return std::optional<std::string>("");
    const store::ArchiveReader archive(tablet->archive_directory());
    const auto page = collection::ReadArchivedPage(*tablet, archive, rows.front().fetch);
    if (!page.ok()) return std::optional<std::string>("");  // an unreadable key proves nothing
    const web::DecodedContent content = web::DecodeContent(
        page->body, page->http.fields.Joined("content-encoding"), {.max_bytes = kMaxKeyFileBytes});
    return std::optional(std::string(content.body()));
  }

 private:
  collection::Collection& store_;
  crawl::Crawler& crawler_;
  const Clock& clock_ = SystemClock();
};

}  // namespace

std::unique_ptr<feeds::IndexNowCrawl> MakeIndexNowCrawl(collection::Collection& store,
                                                        crawl::Crawler& crawler) {
  return std::make_unique<CollectionIndexNow>(store, crawler);
}

PushDesk::PushDesk(collection::Collection& store, crawl::Crawler& crawler, Listener& listener)
    : listener_(listener),
      crawl_(MakeIndexNowCrawl(store, crawler)),
      index_now_(std::make_unique<feeds::IndexNowDesk>(*crawl_, SystemClock())),
      subscriptions_(store, crawler, SystemClock()) {}

Result<std::unique_ptr<PushDesk>> PushDesk::Open(collection::Collection& store, crawl::Crawler& crawler,
                                                 PushDeskOptions options, Listener& listener) {
  std::unique_ptr<PushDesk> desk(new PushDesk(store, crawler, listener));
  CRV_ASSIGN(desk->websub_, feeds::WebSubDesk::Open(desk->subscriptions_, SystemClock(), desk->random_,
                                                    {.public_url = options.public_url}));
  const HubCallerOptions hubs = {.host_delay = options.crawl.politeness.host_delay,
                                 .identity = options.crawl.identity};
  options.crawl.connections = kHubConnections;
  collection::MemoryPlan memory = store.memory();
  memory.connections = 0;
  CRV_ASSIGN(crawl::CrawlParts parts, crawl::OpenWebParts(options.crawl, memory));
  desk->hubs_ = std::make_unique<HubCaller>(
      std::move(parts), hubs,
      [websub = desk->websub_.get()](uint64_t ticket, const feeds::HubAnswer& answer) {
        websub->Answered(ticket, answer);
      });
  desk->subscriptions_.SetSender(
      [caller = desk->hubs_.get()](feeds::HubRequest request) { caller->Send(std::move(request)); });
  desk->thread_ = std::thread([d = desk.get()] { d->Run(); });
  return desk;
}

PushDesk::~PushDesk() {
  if (!thread_.joinable()) return;  // it was never opened
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  hubs_ = nullptr;
  websub_->SaveCounts().IgnoreError();  // they are only counts
}

Status PushDesk::Look() {
  const Status submitted = index_now_->Look();
  hubs_->Look();
  CRV_TRY(websub_->Look());
  return submitted;
}

void PushDesk::Run() {
  std::string told;
  while (true) {
    {
      MutexLock lock(mu_);
      if (changed_.wait_for(mu_, kLookInterval, [this]() CRV_REQUIRES(mu_) { return stopping_; })) return;
    }
    const Status status = Look();
    if (!status.ok() && status.message() != told) {
      listener_.Warn("push.failed", "cannot hand on what was submitted: " + std::string(status.message()));
    }
    told = status.ok() ? "" : std::string(status.message());
  }
}

}  // namespace crivello::engine
