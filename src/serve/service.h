// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/signing/ed25519.h"
#include "serve/api/api_keys.h"
#include "serve/api/metrics.h"
#include "serve/api/router.h"
#include "serve/dashboard/crawl_monitor.h"
#include "serve/http/cross_origin.h"
#include "serve/http/http.h"
#include "serve/http/http_server.h"
#include "serve/search_timeout.h"
#include "serve/sources.h"

namespace crivello::serve {

// What a service is made of; all that is pointed to outlives it.  What may be null is missing then, and its
// endpoints say so.
struct ServiceParts : Sources {
  CrawlMonitor* monitor = nullptr;   // of the crawl
  HttpHandler* site = nullptr;       // has all paths that are no endpoint: the pages
  HttpHandler* dashboard = nullptr;  // has those that need the role of an administrator: DashboardSite
  const HttpStats* http = nullptr;   // of the server in front
  ApiKeys keys = {};
  std::string public_url = {};  // how others reach it, "https://search.example/"; empty: as they called it
  std::string version = "0";
  std::shared_ptr<const Ed25519Key> sign_key = {};  // of a crawl, whose public half is served
  CrossOrigin cross_origin = {};                    // pages of other sites that may search
  Duration search_timeout = kSearchTimeout;
};

// The HTTP API (docs/api.md), with metrics, health and OpenSearch beside it, in front of the pages: finds the
// endpoint, sees to keys, forged requests and parameters, and counts.  Thread-safe.
class Service final : public HttpHandler {
 public:
  explicit Service(ServiceParts parts);
  HttpResponse Handle(const HttpRequest& request) override;
  bool ReadsRows(const HttpRequest& request) const override;
  const Router& router() const { return router_; }

 private:
  HttpResponse Dispatch(const HttpRequest& request, std::string_view* route);
  bool MayBeShared(std::string_view path) const;
  void AddOwnRoutes();
  HttpResponse KeyDirectory(const HttpRequest& request) const;
  HttpResponse Metrics() const;

  const ServiceParts parts_;
  Router router_;
  RequestMetrics metrics_;
};

}  // namespace crivello::serve
