// SPDX-License-Identifier: Apache-2.0
#include "base/large_blocks.h"

#include <malloc.h>

namespace crivello {

void ReturnLargeBlocks() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  // To set that border stops glibc from moving the other one, up to which it keeps what is free at the end of
  // a heap: 128 KiB, so that smaller blocks went back to the system and were faulted in again all the time.
  // Four of the largest of them may stay.
  ::mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

}  // namespace crivello
