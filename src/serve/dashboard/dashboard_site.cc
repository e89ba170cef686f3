// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/dashboard_site.h"

#include <utility>

#include "serve/dashboard/dashboard_page.h"
#include "serve/dashboard/hosts_page.h"
#include "serve/dashboard/shape_page.h"
#include "serve/pages/page_frame.h"

namespace crivello::serve {

bool DashboardSite::Has(std::string_view path) {
  return path == "/dashboard" || path == "/hosts" || path == "/shape";
}

HttpResponse DashboardSite::Handle(const HttpRequest& request) {
  if (request.method != "GET") {
    HttpResponse answer = MessagePage(405, "Method not allowed", "This page supports GET only.");
    answer.headers.emplace_back("Allow", "GET, HEAD");
    return answer;
  }
  HttpResponse answer = request.path == "/hosts"   ? Hosts()
                        : request.path == "/shape" ? Shape()
                                                   : Dashboard(request);
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

HttpResponse DashboardSite::Dashboard(const HttpRequest& request) {
  if (sources_.crawl == nullptr || monitor_ == nullptr) {
    const auto counts = sources_.pages->Stats();
    return CollectionPage(sources_.index(), counts.ok() ? *counts : CollectionStats{});
  }
  const bool far = request.Parameter("span").value_or("") == "6h";
  const int64_t span = far ? CrawlHistory::kFarSpan : CrawlHistory::kNearSpan;
  DashboardView view = {.moment = monitor_->Now(),
                        .charts = monitor_->Charts(span),
                        .span = span,
                        .seeds = sources_.crawl->seeds(),
                        .limits = sources_.crawl->limits(),
                        .exclusions = sources_.crawl->exclusions(),
                        .hosts = nullptr,
                        .forget = std::nullopt};
  if (sources_.forget != nullptr) view.forget = sources_.forget->state();
  if (sources_.hosts != nullptr) {
    auto hosts = sources_.hosts->Hosts();
    if (hosts.ok()) view.hosts = *std::move(hosts);
  }
  return DashboardPage(view);
}

HttpResponse DashboardSite::Shape() {
  if (sources_.shape == nullptr) {
    return MessagePage(404, "Not available here", "This process knows no link graph.");
  }
  const auto shape = sources_.shape->Shape();
  return shape.ok() ? ShapePage(**shape) : ErrorPage(shape.status());
}

HttpResponse DashboardSite::Hosts() {
  if (sources_.hosts == nullptr) {
    return MessagePage(404, "Not available here",
                       "This process serves the collection and does not own it. “crivello up” shows its "
                       "hosts; “crivello report” summarises any collection.");
  }
  const auto hosts = sources_.hosts->Hosts();
  if (!hosts.ok()) return ErrorPage(hosts.status());
  return HostsPage(**hosts, sources_.crawl == nullptr
                                ? std::string()
                                : StandstillOf(sources_.crawl->state(), sources_.crawl->status()));
}

}  // namespace crivello::serve
