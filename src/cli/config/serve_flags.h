// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "search/searcher.h"
#include "serve/api/document_sink.h"
#include "serve/api/page_source.h"
#include "serve/dashboard/crawl_control.h"
#include "serve/dashboard/crawl_monitor.h"
#include "serve/dashboard/dashboard_site.h"
#include "serve/dashboard/forget_control.h"
#include "serve/dashboard/host_source.h"
#include "serve/http/http_server.h"
#include "serve/pages/search_site.h"
#include "serve/service.h"

namespace crivello::index {
class Snapshot;
}

namespace crivello::cli {

// The options of `serve` and `up` as they are written.
struct ServeFlags {
  std::string listen = "127.0.0.1:8765";
  std::vector<std::string> names;
  std::string keys_file;
  std::string public_url;
  std::string access_log;
  bool no_cached = false;
  unsigned threads = 4;
};
void AddServeFlags(CLI::App& command, ServeFlags& flags);

// What is served; all outlives the service.  What may be null is missing then.
struct Served {
  search::Searcher* searcher = nullptr;
  std::function<serve::IndexFacts()> index;
  serve::PageSource* pages = nullptr;
  serve::CrawlControl* crawl = nullptr;    // may be null
  serve::DocumentSink* sink = nullptr;     // may be null
  serve::HostSource* hosts = nullptr;      // may be null
  serve::ForgetControl* forget = nullptr;  // may be null
  uint64_t memory_budget = 0;              // of the process; 0: none
  Logger* log = nullptr;
};

// What a server tells of the snapshot that it searches.
serve::IndexFacts FactsOf(const index::Snapshot& snapshot);

// The server with all that stands behind it.
class WebService {
 public:
  // InvalidArgument for flags that are wrong; IoError if the address is taken.
  static Result<std::unique_ptr<WebService>> Start(const ServeFlags& flags, const Served& served);
  ~WebService();
  std::string url() const { return server_->url(); }
  void Stop() { server_->Stop(); }

 private:
  WebService() = default;

  std::FILE* access_log_ = nullptr;
  serve::HttpCounters counters_;
  std::unique_ptr<serve::SearchSite> site_;
  std::unique_ptr<serve::CrawlMonitor> monitor_;
  std::unique_ptr<serve::DashboardSite> dashboard_;
  std::unique_ptr<serve::Service> service_;
  std::unique_ptr<serve::HttpServer> server_;
};

// Tells scripts where it listens, in a line of JSON.
void PrintOpened(const Session& session, const std::string& url);

}  // namespace crivello::cli
