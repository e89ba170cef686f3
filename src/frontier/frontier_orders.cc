// SPDX-License-Identifier: Apache-2.0
// Commands to a running frontier: URLs to visit at a given time, and URLs to drop.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "frontier/frontier_state.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

constexpr size_t kItemsPerRead = 1024;

// A queue from which some items are removed.
struct SweptQueue {
  uint64_t host = 0;
  QueuePart before = {};
  std::vector<QueueItem> stay = {};
  std::vector<QueueItem> go = {};
};

// For a sleeping host.  If it wakes meanwhile, this may fail or return a part.
Status SplitQueue(const HostQueues& queues, const HostState& state, const Sweeper& sweeper,
                  SweptQueue* swept) {
  QueueCursor cursor = HostQueues::Start(state);
  while (true) {
    CRV_ASSIGN(std::vector<QueueItem> items, queues.Read(swept->host, cursor, kItemsPerRead));
    if (items.empty()) return Status::Ok();
    for (QueueItem& item : items) (sweeper.goes(item) ? swept->go : swept->stay).push_back(std::move(item));
  }
}

}  // namespace

Status FrontierState::Schedule(std::span<const Appointment> appointments) {
  std::vector<std::vector<Appointment>> by_tablet(tablets_.size());
  for (const Appointment& appointment : appointments) {
    const auto parts = SplitUrl(appointment.record.url);
    if (!parts) {
      return Status::InvalidArgument(fmt::format("'{}' is not a canonical URL", appointment.record.url));
    }
    const uint32_t tablet = tablets_.map().SlotOf(web::HostHash(parts->host));
    if (tablets_[tablet].agenda == nullptr) {
      return Status::Unavailable(fmt::format("{} belongs to a tablet of another process", parts->host));
    }
    by_tablet[tablet].push_back(appointment);
  }
  for (uint32_t i = 0; i < by_tablet.size(); ++i) {
    if (by_tablet[i].empty()) continue;
    CRV_TRY(tablets_[i].agenda->Add(by_tablet[i]));
    CRV_TRY(tablets_[i].Acknowledge());
  }
  return Status::Ok();
}

HostQueues::Admit FrontierState::AdmissionOfKnown(uint32_t number) {
  return [this, &queues = *tablets_[number].queues](HostState& state, const UrlRecord&) {
    if (!state.given_up) return HostQueues::Entry::kUncounted;
    // Its queue must still be dropped while it is awake.
    if (queues.IsAwake(web::HostHash(state.name))) {
      of_given_up_++;
      return HostQueues::Entry::kRefused;
    }
    state.given_up = false;
    state.failures = 0;
    state.next_fetch = {};
    state.address_until = {};
    state.robots.clear();
    return HostQueues::Entry::kUncounted;
  };
}

// The sieve is told first, durably: after a crash in between, the entries come again, and it knows them.
Result<uint64_t> FrontierState::KeepAppointments(uint32_t number) {
  const TabletParts& tablet = tablets_[number];
  const WallTime now = clock_.Wall();
  if (const auto next = tablet.agenda->next(); !next || *next > now) return 0;
  CRV_ASSIGN(Agenda::Taken taken, tablet.agenda->Take(now, kUrlsPerBatch));
  if (taken.empty()) return 0;
  std::vector<sieve::Key> news;
  for (size_t i = 0; i < taken.records().size(); ++i) {
    if (taken.known(i)) continue;
    const std::string_view url = taken.records()[i].url;
    news.push_back({.signature = web::UrlSignature(web::HostHash(SplitUrl(url)->host), url), .bytes = {}});
  }
  if (!news.empty()) {
    CRV_TRY(exchange_.Send(number, news));
    CRV_TRY(exchange_.Sync());
  }
  HostQueues::Change change = tablet.queues->Begin();
  taken.Remove(change.batch());
  CRV_ASSIGN(const auto result, change.Enqueue(taken.records(), now, AdmissionOfKnown(number)));
  if (const Status status = change.Write({.sync = options_.sync}); !status.ok()) {
    Failed(number, [&agenda = *tablet.agenda](bool written) {
      if (written) (void)agenda.Reload().ok();  // if it cannot be read now, it counts too many
    });
    return status;
  }
  const uint64_t count = taken.records().size();
  std::vector<DueUrl> records;
  for (const UrlRecord& record : taken.records()) {
    records.push_back({web::HostHash(SplitUrl(record.url)->host), record.priority});
  }
  taken.Done();
  Refill(result);
  Overtake(records);
  CRV_TRY(tablet.Acknowledge());
  return count;
}

void FrontierState::Overtake(std::span<const DueUrl> urls) {
  MutexLock lock(mu_);
  for (const DueUrl& url : urls) {
    AwakeHost* const host = FindHost(url.host);
    if (host == nullptr || host->ahead.empty() || url.priority >= host->ahead.front().priority) continue;
    host->overtaking++;
  }
}

// It sleeps once its visits are committed.  Only Pump() ends the phase kChore.
void FrontierState::SendToBed(AwakeHost& host) {
  if (!host.errands.empty()) return;  // another host waits for it: it is asked again later
  host.drowsy = true;
  const bool waits = host.phase == Phase::kBench || host.phase == Phase::kResolving;
  if (!waits || !host.open.empty()) return;
  if (host.phase == Phase::kBench) TakeOffBench(host);
  host.phase = Phase::kChore;
  chores_.push_back(host.hash);
}

Result<Frontier::Swept> FrontierState::Sweep(uint32_t number, std::span<const uint64_t> hosts,
                                             const Sweeper& sweeper) {
  HostQueues& queues = *tablets_[number].queues;
  Swept swept;
  std::vector<SweptQueue> changed;
  for (const uint64_t hash : hosts) {
    if (queues.IsAwake(hash)) {
      swept.busy.push_back(hash);
      MutexLock lock(mu_);
      if (AwakeHost* const host = FindHost(hash); host != nullptr && host->known) SendToBed(*host);
      continue;
    }
    CRV_ASSIGN(const std::optional<HostState> state, queues.Load(hash));
    if (!state || state->queued() == 0) continue;
    SweptQueue queue = {.host = hash, .before = state->queue_part()};
    const Status status = SplitQueue(queues, *state, sweeper, &queue);
    if (queues.IsAwake(hash)) {
      swept.busy.push_back(hash);
      continue;
    }
    CRV_TRY(status);
    if (!queue.go.empty()) changed.push_back(std::move(queue));
  }
  if (changed.empty()) return swept;

  HostQueues::Change change = queues.Begin();
  for (const SweptQueue& queue : changed) {
    CRV_ASSIGN(const std::optional<HostState> state, queues.Load(queue.host));
    if (queues.IsAwake(queue.host) || !state || state->queue_part() != queue.before) {
      swept.busy.push_back(queue.host);
      continue;
    }
    CRV_TRY(change.Replace(queue.host, queue.stay));
    for (const QueueItem& item : queue.go) CRV_TRY(sweeper.note(item, change.batch()));
    swept.urls += queue.go.size();
  }
  if (swept.urls == 0) return swept;
  if (const Status status = change.Write({.sync = options_.sync}); !status.ok()) {
    Failed(number, [](bool) {});  // swept queues stay swept; other items are skipped when their turn comes
    return status;
  }
  CRV_TRY(tablets_[number].Acknowledge());
  return swept;
}

}  // namespace crivello::frontier
