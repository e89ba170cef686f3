// SPDX-License-Identifier: Apache-2.0
// Commands to the crawl: URLs to fetch, and limits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "serve/api/api.h"
#include "web/http/date_parse.h"

namespace crivello::serve {
namespace {

constexpr std::string_view kOfferExample =
    R"({"urls": ["https://example.org/news"], "priority": 0, "not_before": "2030-01-01T06:00:00Z"})";

HttpResponse NoOrders() { return ErrorAnswer(Error::kNoCrawl, KindOf(Error::kNoCrawl).meaning); }

// A point in time: seconds since 1970, or a date.
Result<WallTime> MomentIn(const Json& json) {
  std::optional<int64_t> seconds;
  if (json.is_number_integer()) seconds = json.get<int64_t>();
  if (json.is_string()) seconds = web::ParseDate(json.get_ref<const std::string&>());
  constexpr int64_t kLatest = int64_t{1} << 33;  // the year 2242
  if (!seconds || *seconds < 0 || *seconds >= kLatest) {
    return Status::InvalidArgument(
        "not_before: expected a date as 2030-01-01T06:00:00Z, or seconds since 1970");
  }
  return WallTime(std::chrono::seconds(*seconds));
}

Result<CrawlOffer> OfferOf(const HttpRequest& request) {
  const Json json = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  const auto wrong =
      Status::InvalidArgument(fmt::format("the body: expected an object as {}", kOfferExample));
  if (!json.is_object() || !json.contains("urls") || !json["urls"].is_array()) return wrong;
  CrawlOffer offer;
  for (const Json& url : json["urls"]) {
    if (!url.is_string()) return wrong;
    offer.urls.push_back(url.get<std::string>());
  }
  if (json.contains("priority")) {
    const Json& priority = json["priority"];
    if (!priority.is_number_unsigned() || priority.get<uint64_t>() > 7) {
      return Status::InvalidArgument("priority: expected 0 (served first) to 7");
    }
    offer.priority = priority.get<uint8_t>();
  }
  if (json.contains("not_before")) {
    CRV_ASSIGN(offer.not_before, MomentIn(json["not_before"]));
  }
  return offer;
}

HttpResponse Offer(CrawlControl& crawl, const HttpRequest& request) {
  const auto offer = OfferOf(request);
  if (!offer.ok()) return ErrorAnswer(offer.status());
  if (const Status status = crawl.Offer(*offer); !status.ok()) return ErrorAnswer(status);
  const CrawlStatus status = crawl.status();
  return JsonAnswer(
      {{"accepted", offer->urls.size()}, {"scheduled", status.scheduled}, {"queued", status.queued}});
}

// A limit, under the name of the option that sets it.
struct LimitName {
  std::string_view name;
  uint64_t CrawlLimits::*limit;
};
constexpr std::array kLimits = {LimitName{"max_pages", &CrawlLimits::pages},
                                LimitName{"max_bytes", &CrawlLimits::bytes},
                                LimitName{"max_seconds", &CrawlLimits::seconds},
                                LimitName{"max_per_host", &CrawlLimits::per_host},
                                LimitName{"max_per_directory", &CrawlLimits::per_directory},
                                LimitName{"max_depth", &CrawlLimits::depth}};

HttpResponse LimitsAnswer(const CrawlControl& crawl) {
  const CrawlLimits limits = crawl.limits();
  Json json = Json::object();
  for (const LimitName& one : kLimits) json[std::string(one.name)] = limits.*one.limit;
  return JsonAnswer(json);
}

HttpResponse SetLimits(CrawlControl& crawl, const HttpRequest& request) {
  const Json json = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.empty()) {
    return ErrorAnswer(Error::kInvalidParameter, R"(the body: expected an object as {"max_pages": 1000})");
  }
  CrawlLimits limits = crawl.limits();
  for (const auto& item : json.items()) {
    const std::string& name = item.key();
    const Json& value = item.value();
    const auto known = std::find_if(kLimits.begin(), kLimits.end(),
                                    [&name](const LimitName& one) { return one.name == name; });
    if (known == kLimits.end() || !value.is_number_unsigned()) {
      return ErrorAnswer(
          Error::kInvalidParameter,
          fmt::format(
              "{:.60}: expected max_pages, max_bytes, max_seconds, max_per_host, max_per_directory or "
              "max_depth, each a number (0: no limit)",
              name));
    }
    limits.*(known->limit) = value.get<uint64_t>();
  }
  if (const Status status = crawl.SetLimits(limits); !status.ok()) return ErrorAnswer(status);
  return LimitsAnswer(crawl);
}

}  // namespace

void AddOrderRoutes(const ServiceParts& parts, Router* router) {
  router->Add({.method = "POST",
               .path = "/api/v1/crawl/urls",
               .summary = "Has URLs fetched, also if they were fetched before: now, or not before a date",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = kOfferExample,
               .errors = {Error::kNoCrawl, Error::kInvalidParameter},
               .handle = [&parts](const Arguments& arguments) {
                 return parts.crawl == nullptr ? NoOrders() : Offer(*parts.crawl, arguments.request());
               }});
  router->Add({.method = "GET",
               .path = "/api/v1/crawl/limits",
               .summary = "The limits of the crawl; 0 means no limit",
               .needs = Role::kAdmin,
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments&) {
                 return parts.crawl == nullptr ? NoOrders() : LimitsAnswer(*parts.crawl);
               }});
  router->Add({.method = "POST",
               .path = "/api/v1/crawl/limits",
               .summary = "Changes the limits that are named, until the program ends; a crawl that had "
                          "reached one continues",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = R"({"max_pages": 1000})",
               .errors = {Error::kNoCrawl, Error::kInvalidParameter},
               .handle = [&parts](const Arguments& arguments) {
                 return parts.crawl == nullptr ? NoOrders() : SetLimits(*parts.crawl, arguments.request());
               }});
}

}  // namespace crivello::serve
