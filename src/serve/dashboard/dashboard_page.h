// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collection/host_survey.h"
#include "serve/dashboard/crawl_charts.h"
#include "serve/dashboard/crawl_monitor.h"
#include "serve/dashboard/forget_control.h"
#include "serve/http/http.h"

namespace crivello::serve {

struct DashboardView {
  CrawlMoment moment;
  std::vector<CrawlChart> charts;
  int64_t span = CrawlHistory::kNearSpan;  // of the charts
  std::vector<std::string> seeds;
  CrawlLimits limits;
  std::vector<policy::Exclusion> exclusions;
  std::shared_ptr<const collection::HostSurvey> hosts;  // null: not available
  std::optional<ForgetControl::State> forget;           // nullopt: not possible here
};

// The whole page.  Elements that scripts keep up to date have the attribute data-live (a name of TextsOf()),
// data-chart or data-fresh.
HttpResponse DashboardPage(const DashboardView& view);
// For a process that serves a collection and does not crawl.
HttpResponse CollectionPage(const IndexStats& index, const CollectionStats& counts);

}  // namespace crivello::serve
