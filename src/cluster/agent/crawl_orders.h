// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/agent/crawl_report.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

// How the crawl of a cluster is asked and told, by messages to single agents.  `scope` is the name of the
// cluster in subjects: that of its bucket.

// What an agent does about it.  Called in threads of the bus.
struct CrawlOrderHandler {
  std::function<CrawlReport()> report = {};
  // Adds seeds, durably.  Unavailable if another agent is to do it.
  std::function<Status(const std::vector<std::string>& urls)> add_seeds = {};
};
// Answers as long as the subscriptions exist.
Result<std::vector<std::unique_ptr<Bus::Subscription>>> AnswerCrawlOrders(Bus& bus, const std::string& scope,
                                                                          const std::string& agent,
                                                                          CrawlOrderHandler handler);

// The reports of those agents that answer within the limit, each.
std::vector<CrawlReport> AskForCrawlReports(Bus& bus, const std::string& scope,
                                            const std::vector<std::string>& agents, Duration limit);
// Gives seeds to an agent.  Unavailable if it does not answer, or another agent is to be asked;
// InvalidArgument if one is not a URL.
Status GiveSeeds(Bus& bus, const std::string& scope, const std::string& agent,
                 const std::vector<std::string>& urls, Duration limit);

}  // namespace crivello::cluster
