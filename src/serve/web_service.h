// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/signing/ed25519.h"
#include "base/status.h"
#include "serve/dashboard/crawl_monitor.h"
#include "serve/dashboard/dashboard_site.h"
#include "serve/http/http_server.h"
#include "serve/pages/search_site.h"
#include "serve/service.h"
#include "serve/sources.h"

namespace crivello::serve {

struct WebServiceOptions {
  std::string listen = "127.0.0.1:8765";  // ADDRESS:PORT, [ADDRESS]:PORT for IPv6; port 0: any free port
  std::vector<std::string> names = {};    // host names under which clients may address it (host_names.h)
  std::string keys_file = {};             // API keys (api_keys.h); empty: none
  std::string public_url = {};            // how clients reach it; empty: the host they used
  std::string access_log = {};            // a file that gets a line for each request; empty: none
  std::vector<std::string> cors = {};     // origins whose pages may search (cross_origin.h)
  std::shared_ptr<const Ed25519Key> sign_key = {};  // its public half is served; null: none
  bool no_cached = false;                           // show no archived copies of pages
  unsigned threads = 4;                             // that run handlers
  std::string version = "0";                        // of the program
  // Called for each request, in the thread of all connections: be quick.  May be empty.
  std::function<void(const AccessLine&)> log = {};
};

// The HTTP server with the API, the pages and the dashboard.  It serves until it is destroyed.
class WebService {
 public:
  // InvalidArgument for invalid options; IoError if the address is taken.
  static Result<std::unique_ptr<WebService>> Start(const WebServiceOptions& options, const Sources& sources);
  ~WebService();
  std::string url() const { return server_->url(); }
  // It listens to other machines and no name is given, so DNS rebinding can read results (host_names.h).
  bool answers_any_name() const { return server_->answers_any_name(); }
  void Stop() { server_->Stop(); }

 private:
  WebService() = default;

  std::FILE* access_log_ = nullptr;
  HttpStats counters_;
  std::unique_ptr<SearchSite> site_;
  std::unique_ptr<CrawlMonitor> monitor_;
  std::unique_ptr<DashboardSite> dashboard_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace crivello::serve
