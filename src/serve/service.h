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

// The parts of a service; everything pointed to must outlive it.  If a part that may be null is missing, its
// endpoints say so.
struct ServiceParts : Sources {
  CrawlMonitor* monitor = nullptr;   // of the crawl
  HttpHandler* site = nullptr;       // handles all other paths: the pages
  HttpHandler* dashboard = nullptr;  // handles the paths for administrators: DashboardSite
  const HttpStats* http = nullptr;   // of the HTTP server
  ApiKeys keys = {};
  std::string public_url = {};  // how clients reach it, "https://search.example/"; empty: the host they used
  std::string version = "0";
  std::shared_ptr<const Ed25519Key> sign_key = {};  // of a crawl; its public half is served
  CrossOrigin cross_origin = {};                    // pages of other sites that may search
  Duration search_timeout = kSearchTimeout;
};

// The HTTP API (docs/api.md), with metrics, health and OpenSearch, in front of the pages.  It finds the
// endpoint, checks keys, forged requests and parameters, and counts.  Thread-safe.
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
