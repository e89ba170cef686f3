// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "crawl/crawl_context.h"

namespace crivello::crawl {

// If the collection asks for it (Collection::OfferAgainPath), offers the links of the newest version of every
// page once more, as far as the policy in force wants them: of a collection whose queues were lost and whose
// rows were not.  The sieve lets through what is new.  How far from a seed a page is, nobody knows any more:
// its links count as found on a seed.
//
// Durable when it returns, and then no longer asked for; after a crash it begins again.  One pass over all
// rows.
Status OfferAgain(const CrawlContext& context);

// The same for links to tablets of other processes that have lost what they had taken
// (OtherTablets::OfferAgain).  Nothing without such tablets.
Status OfferAgainElsewhere(const CrawlContext& context);

}  // namespace crivello::crawl
