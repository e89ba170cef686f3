// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "serve/dashboard/crawl_monitor.h"
#include "serve/http/http.h"
#include "serve/sources.h"

namespace crivello::serve {

// The pages for operators; docs/dashboard.md shows them.
//
//   /dashboard   the state of the crawl, what it waits for, its results; pause, seeds, exclusions;
//                pages to forget
//   /hosts       which hosts link to which, and what is on each
//   /shape       the shape of the crawled web: bow tie, degrees, distances, the best hosts
//
// The server renders them complete, so they work without scripts; scripts keep them up to date (GET
// /api/v1/events) and change things (POST /api/v1/…).  The caller of Handle() has checked the role.
// Thread-safe; everything passed to it must outlive it.
class DashboardSite final : public HttpHandler {
 public:
  // `monitor` watches sources.crawl; null if there is no crawl.  REQUIRES: sources.pages is not null.
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
