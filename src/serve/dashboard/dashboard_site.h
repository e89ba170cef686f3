// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "serve/api/index_facts.h"
#include "serve/api/page_source.h"
#include "serve/dashboard/crawl_control.h"
#include "serve/dashboard/crawl_monitor.h"
#include "serve/dashboard/forget_control.h"
#include "serve/dashboard/host_source.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The pages of whoever keeps it running; docs/dashboard.md shows them.
//
//   /dashboard   how the crawl stands, what it waits for, what became of it; pause, seeds, exclusions;
//                what is to be forgotten
//   /hosts       who links to whom, and what is on each host
//
// They show what the server knows when they are asked for, and work so without scripts; scripts keep them up
// to date (GET /api/v1/events) and change things (POST /api/v1/…).  Whoever calls Handle() has seen to
// the role.  Thread-safe; what it is given must outlive it.
class DashboardSite final : public HttpHandler {
 public:
  struct Parts {
    std::function<IndexFacts()> index = {};  // never empty
    PageSource* pages = nullptr;             // never null
    CrawlControl* crawl = nullptr;           // null: this process does not crawl, and the pages say so
    CrawlMonitor* monitor = nullptr;         // of that crawl
    HostSource* hosts = nullptr;             // may be null
    ForgetControl* forget = nullptr;         // may be null
  };
  explicit DashboardSite(Parts parts) : parts_(std::move(parts)) {}

  static bool Has(std::string_view path);
  HttpResponse Handle(const HttpRequest& request) override;

 private:
  HttpResponse Dashboard(const HttpRequest& request);
  HttpResponse Hosts();

  const Parts parts_;
};

}  // namespace crivello::serve
