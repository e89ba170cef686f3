// SPDX-License-Identifier: Apache-2.0
#include "crawl/committer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
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

using Visits = std::vector<const Settled*>;

// The visits of a tablet in rounds, with each page at most once in a round: first the first visits of all
// pages, then the second ones, and so on.  Visits of one page are in the order in which they began.
std::vector<Visits> RoundsOf(Visits visits) {
  std::vector<Visits> rounds;
  std::unordered_map<std::string_view, size_t> times;
  for (const Settled* const one : visits) ++times[one->row_key];
  const bool each_once = std::all_of(times.begin(), times.end(), [](const auto& page) {
    return page.first.empty() || page.second == 1;  // robots.txt has no row
  });
  if (each_once) {
    rounds.push_back(std::move(visits));
    return rounds;
  }
  std::stable_sort(visits.begin(), visits.end(),
                   [](const Settled* a, const Settled* b) { return a->time < b->time; });
  times.clear();
  for (const Settled* const one : visits) {
    const size_t round = one->row_key.empty() ? 0 : times[one->row_key]++;
    if (round == rounds.size()) rounds.emplace_back();
    rounds[round].push_back(one);
  }
  return rounds;
}

// Whether a row says the same of a page as another one, as far as readers of the table see.
bool SaysTheSame(const store::FetchCell& a, const store::FetchCell& b) {
  return a.status == b.status && a.location == b.location && a.payload == b.payload && !a.truncated &&
         !b.truncated && a.noindex == b.noindex && a.noarchive == b.noarchive && a.nofollow == b.nofollow &&
         a.unavailable_after == b.unavailable_after && a.usage == b.usage && a.robots_usage == b.robots_usage;
}

// What other visits of the page have committed since this visit began.
struct Standing {
  bool late = false;                       // one that began later has been committed
  std::optional<store::FetchCell> newest;  // the newest version, if the answer was compared with another one
};

Result<Standing> StandingOf(const Settled& settled, const store::Table& table) {
  Standing standing;
  if (settled.time == 0) return standing;  // nothing was fetched
  CRV_ASSIGN(const std::optional<store::VersionTime> newest, table.Newest(settled.row_key));
  if (!newest) return standing;
  standing.late = *newest > settled.time;
  CRV_ASSIGN(std::vector<store::Row> rows, table.Get(settled.row_key));
  if (!rows.empty() && rows.front().time != settled.compared) standing.newest = std::move(rows.front().fetch);
  return standing;
}

// Inserts a version that is older than the newest one at its place.
Status PutLate(const Settled& settled, uint64_t keep, const store::Table& table, kv::Batch* batch) {
  store::RowVersion version = {
      .time = settled.time, .fetch = &settled.fetch, .text = settled.text, .links = settled.links};
  if (keep > 0) {
    CRV_ASSIGN(const std::vector<store::Row> rows, table.Get(settled.row_key, {.versions = keep}));
    if (rows.size() == keep && rows.back().time > settled.time) {
      version.text = {};
      version.links = {};
    } else {
      CRV_TRY(table.KeepTexts(settled.row_key, keep - 1, batch));
    }
  }
  table.Replace(settled.row_key, version, batch);  // which leaves alone what the newest version is
  return Status::Ok();
}

// For a visit whose answer was compared with a version that is no longer the newest one.
revisit::VisitNews NewsBeside(const Settled& settled, const store::FetchCell& newest) {
  using Outcome = revisit::VisitNews::Outcome;
  revisit::VisitNews news = *settled.news;
  if (news.outcome != Outcome::kChanged && news.outcome != Outcome::kUnchanged) return news;
  const bool same = settled.has_row &&
                    (SaysTheSame(settled.fetch, newest) ||
                     (settled.fetch.text_digest != 0 && settled.fetch.text_digest == newest.text_digest));
  news.outcome = same ? Outcome::kUnchanged : Outcome::kChanged;
  return news;
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
      const collection::Gate::Pass tablets(context_.store.tablets_gate());
      result = Commit(group);
      if (result.ok()) {
        Count(group);
        if (options_.log != nullptr) options_.log->Write(group);
      } else {
        failed();
      }
    }
    for (const Settled& settled : group) context_.counters.body_bytes.Subtract(settled.body_bytes);
    done_(group);
    group.clear();
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
  std::map<uint32_t, Visits> by_tablet;
  for (const Settled& settled : group) by_tablet[SlotOf(settled)].push_back(&settled);
  for (auto& [tablet, visits] : by_tablet) {
    for (const Visits& round : RoundsOf(std::move(visits))) {
      const Status status = CommitTablet(tablet, round);
      if (status.ok()) continue;
      // Another process has taken over the tablet and fetches the pages again; the other tablets continue.
      if (!context_.store.tablet(tablet)->lost()) return status;
      break;
    }
  }
  return Status::Ok();
}

// Rules belong to an origin and are stored with its host.  After a redirect they come from another host, and
// the visit belongs to the tablet of that host.
uint32_t Committer::SlotOf(const Settled& settled) const {
  if (!settled.robots) return settled.visit.tablet;
  const auto origin = web::CanonicalUrl(settled.robots->origin);
  if (!origin.ok() || context_.store.Find(origin->hostname()) == nullptr) return settled.visit.tablet;
  return context_.store.SlotOf(origin->hostname());
}

Status Committer::CommitPage(const Settled& settled, const collection::Tablet& store, kv::Batch* batch,
                             collection::PageSchedule::Change* schedule) {
  const store::Table& table = store.table();
  CRV_ASSIGN(const Standing standing, StandingOf(settled, table));
  const uint64_t keep = context_.options.keep_versions;
  const bool repeated = standing.newest && settled.has_row && SaysTheSame(settled.fetch, *standing.newest);
  if (settled.has_row && !repeated) {
    if (standing.late) {
      CRV_TRY(PutLate(settled, keep, table, batch));
    } else {
      // With the one that comes.
      if (keep > 0) CRV_TRY(table.KeepTexts(settled.row_key, keep - 1, batch));
      CRV_TRY(table.Put(
          settled.row_key,
          {.time = settled.time, .fetch = &settled.fetch, .text = settled.text, .links = settled.links},
          batch));
    }
    if (settled.first_of_payload)
      table.PutPayload(settled.fetch.payload, settled.row_key, settled.time, batch);
  }
  if (standing.late) return Status::Ok();
  // If the page was found as it was before the newest version, the next visit finds that out.
  if (repeated || (settled.not_modified && !standing.newest))
    table.Touch(settled.row_key, settled.time, batch);
  if (!settled.news) return Status::Ok();
  const revisit::VisitNews news = standing.newest ? NewsBeside(settled, *standing.newest) : *settled.news;
  return schedule->Visit(settled.row_key, news, context_.revisits.planner());
}

Status Committer::CommitTablet(uint32_t tablet, const Visits& visits) {
  std::vector<std::pair<const Settled*, std::shared_ptr<const collection::RobotsKeeper::Rules>>> robots;
  collection::Tablet& store = *context_.store.tablet(tablet);
  std::vector<frontier::Appointment> polls;  // which refer to `visits`
  const bool has_feeds =
      std::any_of(visits.begin(), visits.end(), [](const Settled* one) { return one->feed; });
  const auto changing = has_feeds ? store.feeds().Changing() : std::unique_lock<Mutex>();
  auto commit = context_.frontier.Begin(tablet);
  std::optional<collection::PageSchedule::Change> schedule(store.schedule().Begin());
  const bool has_outgoing =
      std::any_of(visits.begin(), visits.end(), [](const Settled* one) { return !one->outgoing.empty(); });
  for (const Settled* const one : visits) {
    const Settled& settled = *one;
    if (settled.visit.kind == frontier::UrlKind::kRobots) {
      if (settled.robots) {
        robots.emplace_back(
            &settled, store.robots().Keep(settled.robots->origin, settled.robots->record, &commit->batch()));
      }
      continue;
    }
    CRV_TRY(CommitPage(settled, store, &commit->batch(), &*schedule));
    for (const Settled::Part& part : settled.parts) {
      CRV_ASSIGN(const std::optional<store::VersionTime> newest, store.table().Newest(part.row_key));
      if (newest && *newest > settled.time) continue;  // a later visit has found it elsewhere
      CRV_TRY(store.table().Put(
          part.row_key, {.time = settled.time, .fetch = &part.fetch, .text = part.text, .links = part.links},
          &commit->batch()));
    }
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
  if (!schedule->empty()) CRV_TRY(schedule->Fill(&commit->batch(), &context_.revisits.planner()));
  if (has_outgoing) CRV_TRY(PutOutgoing(tablet, visits, &commit->batch()));
  const Status written = commit->Write({.sync = true});
  if (has_outgoing) context_.options.others->Written(tablet, written.ok());
  CRV_TRY(written);
  if (!schedule->empty()) schedule->Done(&context_.revisits.planner());
  // Schedule() locks the agenda, which is locked before queues and schedule elsewhere.
  schedule.reset();
  commit = nullptr;
  // A crash in between loses nothing: the next start enters all feeds.
  if (!polls.empty()) CRV_TRY(context_.frontier.Schedule(polls));
  // Only now, so that no page is fetched with rules that a crash could lose.
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

Status Committer::PutOutgoing(uint32_t tablet, const std::vector<const Settled*>& visits,
                              kv::Batch* batch) const {
  std::vector<frontier::OutgoingUrl> urls;
  for (const Settled* const one : visits) {
    urls.insert(urls.end(), one->outgoing.begin(), one->outgoing.end());
  }
  return context_.options.others->Put(tablet, urls, batch);
}

// If the feed was removed meanwhile, it stays removed.
Status Committer::CommitFeed(const Settled& settled, feeds::FeedList& list, kv::Batch* batch,
                             std::vector<frontier::Appointment>* polls) {
  CRV_ASSIGN(const auto there, list.Get(settled.row_key));
  if (!there) return Status::Ok();
  if (there->last_poll > settled.feed->record.last_poll)
    return Status::Ok();  // a poll that began later is committed
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

// A host without rules rests as after any failure, and its rules are fetched again before any page.  But if
// it has shown the rules of another origin, the host is alive: then this origin does not exist, and its pages
// are refused.
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
    if (context_.store.tablet(SlotOf(settled))->lost()) continue;
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
