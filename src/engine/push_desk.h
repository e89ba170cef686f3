// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/progress.h"
#include "base/signing/secure_random.h"
#include "collection/collection.h"
#include "crawl/crawler.h"
#include "engine/hub_caller.h"
#include "engine/push_subscriptions.h"
#include "feeds/index_now.h"
#include "feeds/websub_desk.h"

namespace crivello::engine {

struct PushDeskOptions {
  std::string public_url = {};     // under which sites and hubs reach this program
  crawl::CrawlOptions crawl = {};  // how hubs are reached: names, addresses, certificates, delay
};

// What strangers submit to a running crawl: connects the desks of IndexNow and WebSub with the crawl, and
// runs a thread for them.
class PushDesk {
 public:
  // The store, the crawler and the listener must outlive it.
  static Result<std::unique_ptr<PushDesk>> Open(collection::Collection& store, crawl::Crawler& crawler,
                                                PushDeskOptions options, Listener& listener);
  ~PushDesk();
  PushDesk(const PushDesk&) = delete;
  PushDesk& operator=(const PushDesk&) = delete;

  feeds::IndexNowDesk& index_now() { return *index_now_; }
  feeds::WebSubDesk& websub() { return *websub_; }

 private:
  PushDesk(collection::Collection& store, crawl::Crawler& crawler, Listener& listener);
  void Run();
  Status Look();

  Listener& listener_;
  std::unique_ptr<feeds::IndexNowCrawl> crawl_;
  std::unique_ptr<feeds::IndexNowDesk> index_now_;
  SecureRandom random_;
  CollectionWebSub subscriptions_;
  std::unique_ptr<feeds::WebSubDesk> websub_;
  std::unique_ptr<HubCaller> hubs_;
  Mutex mu_;
  std::condition_variable_any changed_;
  bool stopping_ CRV_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

// The crawl of a collection, as the desk's interface.  The arguments must outlive it.
std::unique_ptr<feeds::IndexNowCrawl> MakeIndexNowCrawl(collection::Collection& store,
                                                        crawl::Crawler& crawler);

}  // namespace crivello::engine
