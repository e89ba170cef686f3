// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/status.h"

namespace crivello::sieve {

// The one sequential pass that a sieve on sorted files is made of: merges `seen`, the signatures in Z, with
// those of `batch`, A' sorted and deduplicated, both strictly increasing.  All signatures of either, in
// order, go to write(signature); those of the batch that are not in Z go to discover() first, while the batch
// stands at them.
//
// A source has bool Next(), uint64_t signature() and Status status(), which tells whether Next() was false at
// the end or because of an error.
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
