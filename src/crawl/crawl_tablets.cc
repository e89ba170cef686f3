// SPDX-License-Identifier: Apache-2.0
// Tablets that come to a running crawl, and leave it.
#include <algorithm>
#include <memory>
#include <utility>

#include "crawl/crawl_loop.h"
#include "crawl/feed_visits.h"
#include "crawl/offer_again.h"
#include "web/url/canonical.h"

namespace crivello::crawl {

Status CrawlLoop::Attach(collection::Tablet& tablet, MonotonicTime rests_until) {
  return Make({std::make_shared<Move>(
      Move{.comes = &tablet, .slot = store_.map().Find(tablet.id()).value(), .until = rests_until})});
}

Status CrawlLoop::Detach(const std::vector<const collection::Tablet*>& tablets, Duration limit) {
  const MonotonicTime until = clock_.Now() + limit;
  std::vector<std::shared_ptr<Move>> moves;
  for (const collection::Tablet* const tablet : tablets) {
    moves.push_back(
        std::make_shared<Move>(Move{.slot = store_.map().Find(tablet->id()).value(), .until = until}));
  }
  return Make(moves);
}

void CrawlLoop::OfferAgainElsewhere() {
  offer_again_ = true;
  Ordered();
}

Status CrawlLoop::Make(const std::vector<std::shared_ptr<Move>>& moves) {
  {
    MutexLock lock(mu_);
    if (ended_) return Status::Unavailable("the crawl has ended");
    moves_.insert(moves_.end(), moves.begin(), moves.end());
  }
  Ordered();
  MutexLock lock(mu_);
  const auto is_done = [](const auto& move) { return move->done; };
  changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return std::all_of(moves.begin(), moves.end(), is_done); });
  for (const auto& move : moves) CRV_TRY(move->status);
  return Status::Ok();
}

void CrawlLoop::End(Move& move, Status status) {
  move.status = std::move(status);
  move.done = true;
  std::erase_if(moves_, [&move](const auto& other) { return other.get() == &move; });
  changed_.notify_all();
}

Status CrawlLoop::MoveTablets() {
  if (offer_again_.exchange(false)) {
    // Rows of whole tablets are read.  The committer, too, passes links on to OtherTablets.
    const collection::Gate::Closed closed(store_.tablets_gate());
    CRV_TRY(crawl::OfferAgainElsewhere(*context_));
  }
  std::vector<std::shared_ptr<Move>> moves;
  {
    MutexLock lock(mu_);
    moves = moves_;
  }
  for (const auto& move : moves) {
    Status status;
    if (move->comes != nullptr) {
      status = Join(*move);
      if (!status.ok()) Remove(move->slot);
    } else {
      leaving_[move->slot] = true;
      const MonotonicTime now = clock_.Now();
      if (!move->cancelled && now >= move->until) {
        move->cancelled = true;
        CancelRequests(move->slot);
      }
      if (!IsFree(move->slot)) {
        if (!move->cancelled) nap_ = std::min<Duration>(nap_, move->until - now);
        continue;
      }
      Remove(move->slot);
      leaving_[move->slot] = false;
    }
    Ordered();  // whether there is something to do may have changed
    MutexLock lock(mu_);
    End(*move, std::move(status));
  }
  return Status::Ok();
}

Status CrawlLoop::Join(const Move& move) {
  collection::Tablet& tablet = *move.comes;
  {
    const collection::Gate::Closed closed(store_.tablets_gate());
    frontier::TabletParts parts = tablet.parts();
    parts.rests_until = move.until;
    {
      MutexLock lock(tablets_mu_);
      store_.Attach(tablet, move.until);
      tablets_.Own(move.slot, parts);
    }
    frontier_->Add(move.slot);
    if (near_copies_ != nullptr) near_copies_->SetArchive(move.slot, tablet.archive_directory());
    revisits_->Join(tablet);
  }
  if (revisits_->continuous()) CRV_TRY(revisits_->EnterRowsOf(tablet));
  std::vector<std::string> seeds = store_.seeds();
  std::erase_if(seeds, [&](const std::string& seed) {
    const auto url = web::CanonicalUrl(seed);
    return !url.ok() || store_.SlotOf(url->hostname()) != move.slot;
  });
  CRV_TRY(OfferUrls(seeds));
  CRV_TRY(WatchSeeds(seeds));
  CRV_TRY(TryHostsAgain(seeds, {}));
  return WakeFeedsOf(*context_, tablet, INT64_MAX);
}

void CrawlLoop::Remove(uint32_t slot) {
  const collection::Gate::Closed closed(store_.tablets_gate());
  const collection::Tablet* const tablet = store_.tablet(slot);
  if (tablet == nullptr) return;
  exchange_.Leave(slot);
  {
    const collection::Gate::Pass pass(store_.gate());
    frontier_->Remove(slot);
  }
  if (near_copies_ != nullptr) near_copies_->SetArchive(slot, "");
  revisits_->Leave(*tablet);
  MutexLock lock(tablets_mu_);
  tablets_.Disown(slot);
  store_.Detach(*tablet);
}

CrawlLoop::VisitSlots CrawlLoop::SlotsOf(const frontier::Visit& visit) const {
  const bool is_robots = visit.kind == frontier::UrlKind::kRobots;
  return {.host = visit.tablet,
          .origin = is_robots ? store_.SlotOf(frontier::HostOfOrigin(visit.origin)) : visit.tablet};
}

void CrawlLoop::CountSlots(const VisitSlots& slots, int change) {
  const auto count = [&](uint32_t slot) {
    change > 0 ? under_way_of_[slot].Add(1) : under_way_of_[slot].Subtract(1);
  };
  count(slots.host);
  if (slots.origin != slots.host) count(slots.origin);
}

bool CrawlLoop::IsFree(uint32_t slot) const {
  MutexLock lock(mu_);
  if (under_way_of_[slot].value() > 0) return false;
  return std::none_of(next_.begin(), next_.end(), [&](const auto& v) { return SlotsOf(v).Have(slot); });
}

void CrawlLoop::CancelRequests(uint32_t slot) {
  std::vector<uint64_t> tickets;
  {
    MutexLock lock(mu_);
    for (const auto& [ticket, slots] : requests_) {
      if (slots.Have(slot)) tickets.push_back(ticket);
    }
  }
  for (const uint64_t ticket : tickets) fetcher_->Cancel(ticket);
}

}  // namespace crivello::crawl
