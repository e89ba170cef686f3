// SPDX-License-Identifier: Apache-2.0
#include "crawl/committer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/civil_time.h"
#include "crawl/crawl_log.h"
#include "feeds/feed_list.h"
#include "frontier/host_queues.h"
#include "web/url/canonical.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

store::Event FoundOn(const frontier::Visit& visit) {
  return {.time = ToMicroseconds(visit.queued),
          .kind = store::EventKind::kFound,
          .number = visit.depth,
          .url = visit.via};
}

}  // namespace

Status Committer::Run(const std::function<void()>& failed) {
  const page::StageClock stage(context_.costs, page::Stage::kCommit);
  Status result;
  std::vector<Settled> group;
  while (std::optional<Settled> first = queue_.Pop()) {
    group.push_back(*std::move(first));
    Gather();
    while (group.size() < options_.group) {
      std::optional<Settled> next = queue_.TryPop();
      if (!next) break;
      group.push_back(*std::move(next));
    }
    if (result.ok()) {
      result = Commit(group);
      if (result.ok()) {
        Count(group);
        if (options_.log != nullptr) options_.log->Write(group);
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

void Committer::Gather() {
  if (options_.gather <= Duration::zero()) return;
  // A full queue holds up the page workers.
  const uint64_t enough = std::min<uint64_t>(options_.group / 2, queue_.capacity());
  queue_.WaitForSize(enough, std::chrono::ceil<std::chrono::microseconds>(options_.gather));
}

Status Committer::Commit(const std::vector<Settled>& group) {
  const collection::Gate::Pass pass(context_.store.gate());
  for (collection::Tablet* const tablet : context_.store.tablets()) CRV_TRY(tablet->archive()->Sync());
  CRV_TRY(context_.frontier.SyncOffers());
  std::map<uint32_t, std::vector<const Settled*>> by_tablet;
  for (const Settled& settled : group) by_tablet[settled.visit.tablet].push_back(&settled);
  for (const auto& [tablet, visits] : by_tablet) CRV_TRY(CommitTablet(tablet, visits));
  return Status::Ok();
}

Status Committer::CommitTablet(uint32_t tablet, const std::vector<const Settled*>& visits) {
  std::vector<std::pair<const Settled*, std::shared_ptr<const collection::RobotsKeeper::Rules>>> robots;
  collection::Tablet& store = *context_.store.tablet(tablet);
  std::vector<frontier::Appointment> polls;  // which refer to `visits`
  const bool has_feeds =
      std::any_of(visits.begin(), visits.end(), [](const Settled* one) { return one->feed; });
  const auto changing = has_feeds ? store.feeds().Changing() : std::unique_lock<Mutex>();
  auto commit = context_.frontier.Begin(tablet);
  collection::PageSchedule::Change schedule = store.schedule().Begin();
  for (const Settled* const one : visits) {
    const Settled& settled = *one;
    if (settled.visit.kind == frontier::UrlKind::kRobots) {
      if (settled.robots) {
        robots.emplace_back(
            &settled, store.robots().Keep(settled.robots->origin, settled.robots->record, &commit->batch()));
      }
      continue;
    }
    if (settled.has_row) {
      // With the one that comes.
      const uint64_t keep = context_.options.keep_versions;
      if (keep > 0) CRV_TRY(store.table().KeepTexts(settled.row_key, keep - 1, &commit->batch()));
      CRV_TRY(store.table().Put(
          settled.row_key,
          {.time = settled.time, .fetch = &settled.fetch, .text = settled.text, .links = settled.links},
          &commit->batch()));
      if (settled.first_of_payload) {
        store.table().PutPayload(settled.fetch.payload, settled.row_key, settled.time, &commit->batch());
      }
    }
    for (const Settled::Part& part : settled.parts) {
      CRV_TRY(store.table().Put(
          part.row_key, {.time = settled.time, .fetch = &part.fetch, .text = part.text, .links = part.links},
          &commit->batch()));
    }
    if (settled.news) CRV_TRY(schedule.Visit(settled.row_key, *settled.news, context_.revisits.planner()));
    if (settled.not_modified) store.table().Touch(settled.row_key, settled.time, &commit->batch());
    if (!settled.visit.via.empty() && settled.visit.attempt == 1) {
      CRV_TRY(store.ledger().Put(settled.row_key, FoundOn(settled.visit), &commit->batch()));
    }
    for (const store::Event& event : settled.events) {
      CRV_TRY(store.ledger().Put(settled.row_key, event, &commit->batch()));
    }
    if (settled.feed) {
      CRV_TRY(CommitFeed(settled, store.feeds(), &commit->batch(), &polls));
    }
    commit->Done(settled.visit);
  }
  if (!schedule.empty()) CRV_TRY(schedule.Fill(&commit->batch(), &context_.revisits.planner()));
  CRV_TRY(commit->Write({.sync = true}));
  if (!schedule.empty()) schedule.Done(&context_.revisits.planner());
  commit = nullptr;
  // A crash in between loses nothing: the next start enters all feeds.
  if (!polls.empty()) CRV_TRY(context_.frontier.Schedule(polls));
  // Only now, so that no page is fetched by rules that a crash may take.
  for (const auto& [settled, rules] : robots) {
    CRV_ASSIGN(const WallTime until, UntilOf(settled->visit, rules->record));
    const double delay = rules->robots.crawl_delay_seconds().value_or(0);
    context_.frontier.RobotsDone(settled->visit,
                                 {.until = until,
                                  .crawl_delay = std::chrono::duration_cast<Duration>(
                                      std::chrono::duration<double>(std::clamp(delay, 0.0, 1e6)))});
  }
  return Status::Ok();
}

// If the feed was removed meanwhile, it stays so.
Status Committer::CommitFeed(const Settled& settled, feeds::FeedList& list, kv::Batch* batch,
                             std::vector<frontier::Appointment>* polls) {
  CRV_ASSIGN(const auto there, list.Get(settled.row_key));
  if (!there) return Status::Ok();
  if (settled.feed->remove) {
    list.Delete(settled.row_key, batch);
    return Status::Ok();
  }
  feeds::FeedRecord record = settled.feed->record;
  record.push = there->push;  // which may have been changed while it was fetched
  list.Put(settled.row_key, record, batch);
  polls->push_back({.record = {.url = settled.visit.url, .depth = record.depth},
                    .not_before = WallTime(std::chrono::seconds(record.next_poll)),
                    .known = true});
  return Status::Ok();
}

// A host without rules rests as after any failure, and is asked for them again before any page.  But one that
// has shown the rules of another origin lives: this one is not there, and its pages are refused.
Result<WallTime> Committer::UntilOf(const frontier::Visit& visit,
                                    const collection::RobotsRecord& record) const {
  const WallTime expires(std::chrono::seconds(record.expires));
  if (!record.unreachable()) return expires;
  CRV_ASSIGN(const web::Url origin, web::CanonicalUrl(visit.origin));
  const std::string_view name = origin.hostname();
  CRV_ASSIGN(collection::Tablet* const tablet, context_.store.TabletOfHost(name));
  CRV_ASSIGN(const auto host, tablet->queues().Load(web::HostHash(name)));
  const WallTime now = context_.clock.Wall();
  const bool lives = host && std::any_of(host->robots.begin(), host->robots.end(), [&](const auto& other) {
                       return other.origin != visit.origin && other.until > now;
                     });
  return lives ? expires : WallTime();
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
