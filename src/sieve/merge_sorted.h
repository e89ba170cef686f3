// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/status.h"

namespace crivello::sieve {

// The one sequential pass that sieves on sorted files are based on. Merges `seen`, the signatures in Z, with
// those of `batch` (A' sorted and deduplicated), both strictly increasing. Calls write(signature) for every
// signature of either, in order. For those of the batch that are not in Z it calls discover() first, while
// the batch is positioned at them.
//
// A source has bool Next(), uint64_t signature() and Status status(), which says whether Next() returned
// false at the end or because of an error.
template <typename Seen, typename Batch, typename Write, typename Discover>
Status MergeSorted(Seen& seen, Batch& batch, const Write& write, const Discover& discover) {
  bool more = seen.Next();
  while (batch.Next()) {
    const uint64_t signature = batch.signature();
    for (; more && seen.signature() < signature; more = seen.Next()) CRV_TRY(write(seen.signature()));
    if (more && seen.signature() == signature) continue;
    CRV_TRY(discover());
    CRV_TRY(write(signature));
  }
  CRV_TRY(batch.status());
  for (; more; more = seen.Next()) CRV_TRY(write(seen.signature()));
  return seen.status();
}

}  // namespace crivello::sieve
