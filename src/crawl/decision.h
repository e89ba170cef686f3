// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "collection/forgotten.h"
#include "collection/robots_keeper.h"
#include "crawl/crawl_policy.h"
#include "frontier/url_record.h"
#include "policy/traps.h"
#include "store/ledger.h"
#include "store/table.h"
#include "web/url/url.h"

namespace crivello::crawl {

// A URL that may be fetched, and what is known about it.  There are two decisions: whether to offer a link to
// the frontier when it was found, and whether to request the URL when its turn in the queue has come.
struct Candidate {
  enum class Moment : uint8_t { kFound, kTurn };
  Moment moment = Moment::kTurn;
  frontier::UrlKind kind = frontier::UrlKind::kPage;
  const web::Url& url;  // canonical; of a robots.txt: the origin whose rules it holds
  uint32_t depth = 0;
  bool in_scope = true;  // by the scope of the policy

  // When it was found.
  const web::Url* from = nullptr;  // the page that links to it; null: robots.txt names it

  // When its turn has come.
  store::VersionTime queued = 0;                  // when it was asked for
  std::optional<store::VersionTime> newest = {};  // its row was put last, if ever
  bool unavailable = false;                       // the unavailable_after of its newest row has passed
  const collection::RobotsKeeper::Rules* rules = nullptr;  // of its origin; null: none are known
};

// By what is decided.
struct Grounds {
  const CrawlPolicy& policy;
  const collection::ForgottenSet& forgotten;
  const policy::TrapOptions& traps;
  policy::TrapMemory* visited = nullptr;  // consulted and updated when its turn has come
};

struct Decision {
  enum class What : uint8_t {
    kYes,       // offer it, or request it
    kNo,        // for the reason that follows
    kNever,     // it was forgotten, which is not recorded in the ledger
    kAskRobots  // its robots.txt must be fetched first
  };
  What what = What::kYes;
  // The line of the ledger; `text` is a view into the question.
  store::EventKind kind = store::EventKind::kFiltered;
  uint64_t number = 0;
  std::string_view text = {};

  bool yes() const { return what == What::kYes; }
  store::Event ToEvent(store::VersionTime time) const;
};

// Makes every decision about whether to fetch a URL, except for limits: the frontier gives out no visit once
// a limit is reached.  It depends on its arguments alone, except for the memory of traps, which counts the
// allowed visits. Linear in the URL and the filter.
Decision Decide(const Candidate& candidate, const Grounds& grounds);

}  // namespace crivello::crawl
