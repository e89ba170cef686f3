// SPDX-License-Identifier: Apache-2.0
// Crawls of a scripted web; included by _test.cc files only.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crawl/crawl_test_support.h"

namespace crivello::crawl {

class CrawlLoopTest : public testing::Test {
 protected:
  CrawlLoopTest() {
    options_.seeds = {"http://a.test/"};
    options_.connections = 16;
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
  }

  void Open(const TestStoreOptions& store = {}) {
    crawler_ = nullptr;
    store_ = nullptr;
    store_ = OpenTestStore(folder_ / "c", store);
    ASSERT_NE(store_, nullptr);
    auto crawler = Crawler::Open(*store_, options_, web_.Parts());
    ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
    crawler_ = *std::move(crawler);
  }
  // How the crawl ends, which it is expected to do without an error.
  CrawlEnd Run() {
    const auto end = web_.Run(*crawler_);
    EXPECT_TRUE(end.ok()) << end.status().ToString();
    return end.ok() ? *end : CrawlEnd{.why = CrawlEnd::Why::kStopped, .detail = end.status().ToString()};
  }
  CrawlEnd Crawl() {
    Open();
    return Run();
  }
  std::vector<std::string> Rows() { return KeysOf(PagesOf(*store_)); }
  static std::vector<std::string> KeysOf(const std::map<std::string, StoredPage>& pages) {
    std::vector<std::string> urls;
    for (const auto& [url, page] : pages) urls.push_back(url);
    return urls;
  }
  // Between the end of each request and the start of the next, of those that `which` is true for.
  template <typename Which>
  std::vector<Duration> PausesWhere(Which which) const {
    std::vector<Duration> pauses;
    std::optional<MonotonicTime> end;
    for (const ScriptedWeb::Request& request : web_.requests()) {
      if (!which(request)) continue;
      if (end) pauses.push_back(request.time - *end);
      end = request.end;
    }
    return pauses;
  }
  std::vector<Duration> PausesOf(const std::string& prefix) const {
    return PausesWhere([&](const ScriptedWeb::Request& request) { return request.url.starts_with(prefix); });
  }

  TemporaryFolder folder_;
  ScriptedWeb web_;
  CrawlOptions options_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<Crawler> crawler_;
};

}  // namespace crivello::crawl
