// SPDX-License-Identifier: Apache-2.0
// The endpoints of /api/v1, grouped by topic; service.cc puts them together.  Handlers are thread-safe and
// refer to the parts, which outlive the router.
#pragma once

#include <string>
#include <string_view>

#include "serve/api/router.h"
#include "serve/service.h"

namespace crivello::serve {

inline constexpr uint64_t kMaxResults = 100;
inline constexpr uint64_t kMaxOffset = 10000;

void AddSearchRoutes(const ServiceParts& parts, Router* router);  // search, suggest, similar, explain
void AddPageRoutes(const ServiceParts& parts, Router* router);    // document, why, stats
void AddCrawlRoutes(const ServiceParts& parts, Router* router);   // crawl and what steers it, import
void AddOrderRoutes(const ServiceParts& parts, Router* router);   // URLs to fetch, limits
void AddExclusionRoutes(const ServiceParts& parts, Router* router);
void AddForgottenRoutes(const ServiceParts& parts, Router* router);

// "http://127.0.0.1:8765/": the address under which the client reaches the service.
std::string BaseUrl(const ServiceParts& parts, const HttpRequest& request);

}  // namespace crivello::serve
