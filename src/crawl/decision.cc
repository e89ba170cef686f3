// SPDX-License-Identifier: Apache-2.0
#include "crawl/decision.h"

#include <string>

#include "feeds/item_document.h"

namespace crivello::crawl {

using store::EventKind;
using What = Decision::What;

Decision Decide(const Candidate& candidate, const Grounds& grounds) {
  const web::Url& url = candidate.url;
  const bool turn = candidate.moment == Candidate::Moment::kTurn;

  // Forgotten pages never come back and leave no trace.  Not even the rules are fetched of a host that was
  // forgotten as a whole.  Rules of other hosts are fetched whatever the policy says about pages.
  if (candidate.kind == frontier::UrlKind::kRobots) {
    return {.what = grounds.forgotten.ContainsHost(url.hostname()) ? What::kNever : What::kYes};
  }
  if (!grounds.forgotten.empty() && grounds.forgotten.Find(url) != nullptr) return {.what = What::kNever};
  if (turn && candidate.rules == nullptr) return {.what = What::kAskRobots};

  // It was fetched since it was asked for, by another way.
  if (turn && candidate.newest && *candidate.newest >= candidate.queued) {
    return {.what = What::kNo, .kind = EventKind::kAlreadyFetched};
  }

  // What the page said when it was fetched last.
  if (candidate.unavailable) {
    return {.what = What::kNo,
            .kind = EventKind::kFiltered,
            .number = static_cast<uint64_t>(policy::FilterPoint::kFetch),
            .text = "its unavailable_after has passed"};
  }

  // What the owner wants: filters and exclusions, then the scope.  Both may have changed since it was queued.
  const policy::FilterPoint point = turn ? policy::FilterPoint::kFetch : policy::FilterPoint::kSchedule;
  const uint64_t number = static_cast<uint64_t>(point);
  if (!candidate.in_scope) {
    return {.what = What::kNo, .kind = EventKind::kFiltered, .number = number, .text = "out of scope"};
  }
  if (feeds::IsItemUrl(url)) {
    return {.what = What::kNo,
            .kind = EventKind::kFiltered,
            .number = number,
            .text = "it names an item of a feed"};
  }
  if (turn || candidate.from != nullptr) {
    const policy::Filter::Verdict filter =
        grounds.policy.filters[point].Judge({.url = &url, .from = candidate.from, .depth = candidate.depth});
    if (!filter.accepted) {
      return {.what = What::kNo, .kind = EventKind::kFiltered, .number = number, .text = filter.because};
    }
  }

  // Endless webs.  A page that was fetched before was counted then.
  std::optional<policy::TrapRule> trap;
  if (!turn) trap = policy::CheckUrl(url, grounds.traps);
  if (turn && !candidate.newest) trap = grounds.visited->Visit(url);
  if (trap) return {.what = What::kNo, .kind = EventKind::kTrap, .text = policy::TrapRuleName(*trap)};

  // What the site wants.
  if (!turn) return {};
  const web::Robots::Verdict robots = candidate.rules->robots.Check(url.path_and_query());
  if (robots.allowed) return {};
  const bool unknown = candidate.rules->record.unreachable();
  return {.what = What::kNo,
          .kind = EventKind::kRefusedByRobots,
          .number = unknown ? 0 : uint64_t{robots.line},
          .text = unknown ? "robots.txt is unavailable" : robots.rule};
}

store::Event Decision::ToEvent(store::VersionTime time) const {
  return {.time = time, .kind = kind, .number = number, .text = std::string(text)};
}

}  // namespace crivello::crawl
