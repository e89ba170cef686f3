// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/crawl_orders.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace crivello::cluster {
namespace {

// The answers to seeds: done; ask another; and what is wrong with them, behind this word.
constexpr std::string_view kTaken = "taken";
constexpr std::string_view kElsewhere = "elsewhere ";
constexpr std::string_view kWrong = "wrong ";
// Of seeds that are sent at once: NATS takes messages of 1 MiB.
constexpr size_t kOrderBytes = 256 << 10;

std::string ReportSubject(const std::string& scope, const std::string& agent) {
  return fmt::format("crivello.{}.report.{}", scope, agent);
}
std::string SeedSubject(const std::string& scope, const std::string& agent) {
  return fmt::format("crivello.{}.seeds.{}", scope, agent);
}

std::string AnswerOf(const Status& status) {
  if (status.ok()) return std::string(kTaken);
  const bool elsewhere = status.code() == StatusCode::kUnavailable;
  return std::string(elsewhere ? kElsewhere : kWrong) + status.message();
}

Status StatusOf(const std::string& agent, std::string_view answer) {
  if (answer == kTaken) return Status::Ok();
  if (answer.starts_with(kElsewhere))
    return Status::Unavailable(std::string(answer.substr(kElsewhere.size())));
  if (answer.starts_with(kWrong)) return Status::InvalidArgument(std::string(answer.substr(kWrong.size())));
  return Status::Corruption(fmt::format("agent {} gave an answer that nobody understands", agent));
}

}  // namespace

Result<std::vector<std::unique_ptr<Bus::Subscription>>> AnswerCrawlOrders(Bus& bus, const std::string& scope,
                                                                          const std::string& agent,
                                                                          CrawlOrderHandler handler) {
  std::vector<std::unique_ptr<Bus::Subscription>> subscriptions;
  CRV_ASSIGN(subscriptions.emplace_back(),
             bus.Subscribe(ReportSubject(scope, agent),
                           [&bus, report = handler.report](const Bus::Message& message) {
                             if (message.reply_to.empty()) return;
                             bus.Publish(message.reply_to, EncodeCrawlReport(report())).IgnoreError();
                           }));
  CRV_ASSIGN(
      subscriptions.emplace_back(),
      bus.Subscribe(SeedSubject(scope, agent), [&bus, add = handler.add_seeds](const Bus::Message& message) {
        const auto urls = DecodeSeedOrder(message.bytes);
        const Status added = urls.ok() ? add(*urls) : urls.status();
        if (message.reply_to.empty()) return;
        bus.Publish(message.reply_to, AnswerOf(added)).IgnoreError();
      }));
  return subscriptions;
}

std::vector<CrawlReport> AskForCrawlReports(Bus& bus, const std::string& scope,
                                            const std::vector<std::string>& agents, Duration limit) {
  std::vector<CrawlReport> reports;
  for (const std::string& agent : agents) {
    const auto answer = bus.Request(ReportSubject(scope, agent), "", limit);
    if (!answer.ok()) continue;
    auto report = DecodeCrawlReport(*answer);
    if (report.ok()) reports.push_back(*std::move(report));
  }
  return reports;
}

Status GiveSeeds(Bus& bus, const std::string& scope, const std::string& agent,
                 const std::vector<std::string>& urls, Duration limit) {
  for (size_t next = 0; next < urls.size();) {
    std::vector<std::string> some;
    for (size_t bytes = 0; next < urls.size() && (some.empty() || bytes < kOrderBytes); next++) {
      bytes += urls[next].size();
      some.push_back(urls[next]);
    }
    CRV_ASSIGN(const std::string answer,
               bus.Request(SeedSubject(scope, agent), EncodeSeedOrder(some), limit));
    CRV_TRY(StatusOf(agent, answer));
  }
  return Status::Ok();
}

}  // namespace crivello::cluster
