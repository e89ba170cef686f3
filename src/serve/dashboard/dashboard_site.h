// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "serve/dashboard/crawl_monitor.h"
#include "serve/http/http.h"
#include "serve/sources.h"

namespace crivello::serve {

// The pages of whoever keeps it running; docs/dashboard.md shows them.
//
//   /dashboard   how the crawl stands, what it waits for, what became of it; pause, seeds, exclusions;
//                what is to be forgotten
//   /hosts       who links to whom, and what is on each host
//   /shape       the shape of the crawled web: bow tie, degrees, distances, the best hosts
//
// They show what the server knows when they are asked for, and work so without scripts; scripts keep them up
// to date (GET /api/v1/events) and change things (POST /api/v1/…).  Whoever calls Handle() has seen to
// the role.  Thread-safe; what it is given must outlive it.
class DashboardSite final : public HttpHandler {
 public:
  // `monitor` is that of sources.crawl; null if there is none.  REQUIRES: sources.pages is not null.
  explicit DashboardSite(Sources sources, CrawlMonitor* monitor = nullptr)
      : sources_(std::move(sources)), monitor_(monitor) {}

  static bool Has(std::string_view path);
  HttpResponse Handle(const HttpRequest& request) override;
  bool ReadsRows(const HttpRequest& request) const override { return request.path != "/dashboard"; }

 private:
  HttpResponse Dashboard(const HttpRequest& request);
  HttpResponse Hosts();
  HttpResponse Shape();

  const Sources sources_;
  CrawlMonitor* const monitor_;
};

}  // namespace crivello::serve
