// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/cluster_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cluster/membership/cluster_records.h"

namespace crivello::cluster {
namespace {

std::string AliveSubject(const std::string& scope, const std::string& agent) {
  return fmt::format("crivello.{}.alive.{}", scope, agent);
}

std::string AliveAnswer(uint64_t process) { return fmt::format("{:016x}", process); }

}  // namespace

bool ClusterStatus::complete() const {
  return !tablets.empty() && std::none_of(tablets.begin(), tablets.end(),
                                          [](const TabletState& tablet) { return tablet.owner.empty(); });
}

Result<ClusterStatus> ReadClusterStatus(Bus& bus, const std::string& scope,
                                        const std::vector<std::string>& tablets, Duration limit) {
  CRV_ASSIGN(const auto entries, bus.ReadAll());
  ClusterStatus status;
  std::set<std::pair<std::string, std::string>> alive;  // names and processes
  for (const BusEntry& entry : entries) {
    const auto member = DecodeMember(entry.value);
    if (!member.ok() || MemberKey(member->name) != entry.key) continue;
    const auto answer = bus.Request(AliveSubject(scope, member->name), "", limit);
    const bool answers = answer.ok();
    if (!answers && member->leaving) continue;  // it has left
    if (answers) alive.emplace(member->name, *answer);
    status.agents.push_back({.name = member->name,
                             .alive = answers,
                             .leaving = member->leaving,
                             .version = member->version,
                             .tablets = member->tablets,
                             .memory_bytes = member->memory_bytes});
  }
  std::sort(status.agents.begin(), status.agents.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });

  std::map<std::string, ClusterStatus::TabletState> by_name;
  for (const std::string& tablet : tablets)
    by_name[tablet] = {.tablet = tablet, .owner = "", .epoch = 0, .state = "free", .lag_urls = 0};
  for (const BusEntry& entry : entries) {
    const auto lease = DecodeLease(entry.value);
    if (!lease.ok() || !entry.key.starts_with(TabletKey(""))) continue;
    const std::string name = entry.key.substr(TabletKey("").size());
    const bool owned = lease->is_owned() && alive.contains({lease->owner, AliveAnswer(lease->process)});
    by_name[name] = {
        .tablet = name,
        .owner = owned ? lease->owner : "",
        .epoch = lease->epoch,
        .state = lease->is_owned() && !owned ? "expired" : std::string(LeaseStateName(lease->state)),
        .lag_urls = lease->lag_urls};
  }
  for (auto& [name, tablet] : by_name) status.tablets.push_back(std::move(tablet));
  return status;
}

Result<std::unique_ptr<Bus::Subscription>> AnswerWhetherAlive(Bus& bus, const std::string& scope,
                                                              const std::string& agent, uint64_t process) {
  return bus.Subscribe(AliveSubject(scope, agent),
                       [&bus, answer = AliveAnswer(process)](const Bus::Message& message) {
                         if (!message.reply_to.empty()) bus.Publish(message.reply_to, answer).IgnoreError();
                       });
}

}  // namespace crivello::cluster
