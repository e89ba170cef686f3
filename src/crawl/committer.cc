// SPDX-License-Identifier: Apache-2.0
#include "crawl/committer.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "web/signature.h"

namespace crivello::crawl {
namespace {

constexpr size_t kGroup = 1024;

// How long the first of a group waits for others.  Each group costs three syncs, whatever is in it, and no
// one waits for a page to be committed but the host whose robots.txt it is.
constexpr std::chrono::milliseconds kGather(50);

}  // namespace

Status Committer::Run(const std::function<void()>& failed) {
  const StageClock stage(context_.costs, Stage::kCommit);
  Status result;
  std::vector<Settled> group;
  while (std::optional<Settled> first = queue_.Pop()) {
    group.push_back(*std::move(first));
    if (queue_.size() < kGroup / 2) std::this_thread::sleep_for(kGather);
    while (group.size() < kGroup) {
      std::optional<Settled> next = queue_.TryPop();
      if (!next) break;
      group.push_back(*std::move(next));
    }
    if (result.ok()) {
      result = Commit(group);
      if (result.ok()) {
        Count(group);
      } else {
        failed();
      }
    }
    for (const Settled& settled : group) context_.counters.body_bytes.Subtract(settled.body_bytes);
    const size_t size = group.size();
    group.clear();
    done_(size);
  }
  return result;
}

Status Committer::Commit(const std::vector<Settled>& group) {
  for (uint32_t i = 0; i < context_.store.tablets(); ++i) CRV_TRY(context_.store.tablet(i).archive->Sync());
  CRV_TRY(context_.frontier.SyncOffers());
  for (uint32_t i = 0; i < context_.store.tablets(); ++i) CRV_TRY(CommitTablet(i, group));
  return Status::Ok();
}

Status Committer::CommitTablet(uint32_t tablet, const std::vector<Settled>& group) {
  const auto here = [&](const Settled& settled) { return settled.visit.tablet == tablet; };
  std::vector<std::pair<const Settled*, std::shared_ptr<const RobotsKeeper::Rules>>> robots;
  if (std::none_of(group.begin(), group.end(), here)) return Status::Ok();
  CrawlStore::Tablet& store = context_.store.tablet(tablet);
  const auto commit = context_.frontier.Begin(tablet);
  for (const Settled& settled : group) {
    if (!here(settled)) continue;
    if (settled.visit.kind == frontier::UrlKind::kRobots) {
      if (settled.robots) {
        robots.emplace_back(
            &settled, store.robots.Keep(settled.robots->origin, settled.robots->record, &commit->batch()));
      }
      continue;
    }
    if (settled.has_row) {
      CRV_TRY(store.table.Put(
          settled.row_key,
          {.time = settled.time, .fetch = &settled.fetch, .text = settled.text, .links = settled.links},
          &commit->batch()));
      if (settled.first_of_payload) {
        store.table.PutPayload(settled.fetch.payload, settled.row_key, settled.time, &commit->batch());
      }
    }
    for (const store::Event& event : settled.events) {
      CRV_TRY(store.ledger.Put(settled.row_key, event, &commit->batch()));
    }
    commit->Done(settled.visit);
  }
  CRV_TRY(commit->Write({.sync = true}));
  // Only now, so that no page is fetched by rules that a crash may take.
  for (const auto& [settled, rules] : robots) {
    const double delay = rules->robots.crawl_delay_seconds().value_or(0);
    context_.frontier.RobotsDone(settled->visit,
                                 {.until = WallTime(std::chrono::seconds(rules->record.expires)),
                                  .crawl_delay = std::chrono::duration_cast<Duration>(
                                      std::chrono::duration<double>(std::clamp(delay, 0.0, 1e6)))});
  }
  return Status::Ok();
}

void Committer::Count(const std::vector<Settled>& group) {
  for (const Settled& settled : group) {
    if (settled.text_digest != 0) {
      context_.seen_texts.Add(settled.text_digest, web::HostHash(settled.visit.host));
    }
    if (!settled.has_row) continue;
    context_.counters.pages.Add();
    const unsigned hundreds = settled.fetch.status / 100;
    context_.counters.statuses[hundreds <= 5 ? hundreds : 0].Add();
    if (hundreds == 2) context_.counters.ok.Add();
  }
}

}  // namespace crivello::crawl
