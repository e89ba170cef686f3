// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "frontier/exchange.h"
#include "kv/database.h"

namespace crivello::crawl {

// What a crawl asks and tells if other processes crawl other tablets of its collection: tablets by their
// slots.  Thread-safe.
class OtherTablets {
 public:
  virtual ~OtherTablets() = default;

  // Whether a request to a host of this tablet may be made now; asked right before each.
  virtual bool MayFetch(uint32_t tablet) = 0;
  // So much waits to be sent that no more should be fetched now.
  virtual bool Full() = 0;

  // Adds URLs that were found on pages of `from`, and belong to tablets elsewhere, to the batch in which the
  // rows of these pages are written.  Written() follows, with whether the batch is on the disk and
  // acknowledged. Called by one thread, for one tablet at a time.
  virtual Status Put(uint32_t from, std::span<const frontier::OutgoingUrl> urls, kv::Batch* batch) = 0;
  virtual void Written(uint32_t from, bool written) = 0;
};

}  // namespace crivello::crawl
