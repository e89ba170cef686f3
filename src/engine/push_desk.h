// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <thread>

#include "base/mutex.h"
#include "base/progress.h"
#include "collection/collection.h"
#include "crawl/crawler.h"
#include "feeds/index_now.h"

namespace crivello::engine {

// What strangers submit to a running crawl: connects the IndexNow desk with the crawl, and runs a thread for
// it.
class PushDesk {
 public:
  // The store, the crawler and the listener must outlive it.
  PushDesk(collection::Collection& store, crawl::Crawler& crawler, Listener& listener);
  ~PushDesk();
  PushDesk(const PushDesk&) = delete;
  PushDesk& operator=(const PushDesk&) = delete;

  feeds::IndexNowDesk& index_now() { return *desk_; }

 private:
  void Run();

  std::unique_ptr<feeds::IndexNowCrawl> crawl_;
  std::unique_ptr<feeds::IndexNowDesk> desk_;
  Listener& listener_;
  Mutex mu_;
  std::condition_variable_any changed_;
  bool stopping_ CRV_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

// The crawl of a collection, as the desk's interface.  The arguments must outlive it.
std::unique_ptr<feeds::IndexNowCrawl> MakeIndexNowCrawl(collection::Collection& store,
                                                        crawl::Crawler& crawler);

}  // namespace crivello::engine
