// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "crawl/crawl_context.h"

namespace crivello::crawl {

// Offers the links of the newest version of every page again, if they are allowed by the current policy and
// the collection asks for it (Collection::OfferAgainPath): its queues were lost, but its rows were not.  The
// sieve lets new URLs through.  The distance of a page from a seed is no longer known, so links count as
// found on a seed.
//
// Durable when it returns; then the collection no longer asks for it.  After a crash it starts again.  One
// pass over all rows.
Status OfferAgain(const CrawlContext& context);

// The same for links to tablets of other processes that have lost URLs (OtherTablets::OfferAgain).  Does
// nothing if there are no such tablets.
Status OfferAgainElsewhere(const CrawlContext& context);

}  // namespace crivello::crawl
