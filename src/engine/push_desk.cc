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

class CollectionIndexNow final : public feeds::IndexNowCrawl {
 public:
  CollectionIndexNow(collection::Collection& store, crawl::Crawler& crawler)
      : store_(store), crawler_(crawler) {}

  bool Wants(const std::string& url) override { return crawler_.Wants(url); }
  Status Fetch(const std::string& url) override { return crawler_.Offer({url}, {}); }
  Status Hint(const std::vector<std::string>& urls) override {
    return crawler_.OfferChanged(urls, kLeastBetweenHints);
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
};

}  // namespace

std::unique_ptr<feeds::IndexNowCrawl> MakeIndexNowCrawl(collection::Collection& store,
                                                        crawl::Crawler& crawler) {
  return std::make_unique<CollectionIndexNow>(store, crawler);
}

PushDesk::PushDesk(collection::Collection& store, crawl::Crawler& crawler, Listener& listener)
    : crawl_(MakeIndexNowCrawl(store, crawler)),
      desk_(std::make_unique<feeds::IndexNowDesk>(*crawl_, SystemClock())),
      listener_(listener),
      thread_([this] { Run(); }) {}

PushDesk::~PushDesk() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void PushDesk::Run() {
  std::string told;
  while (true) {
    {
      MutexLock lock(mu_);
      if (changed_.wait_for(mu_, kLookInterval, [this]() CRV_REQUIRES(mu_) { return stopping_; })) return;
    }
    const Status status = desk_->Look();
    if (!status.ok() && status.message() != told) {
      listener_.Warn("push.failed", "cannot hand on what was submitted: " + std::string(status.message()));
    }
    told = status.ok() ? "" : std::string(status.message());
  }
}

}  // namespace crivello::engine
