// SPDX-License-Identifier: Apache-2.0
#include "base/large_blocks.h"

#include <malloc.h>

namespace crivello {

void ReturnLargeBlocks() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  // Setting the first threshold stops glibc from adapting the other one, up to which it keeps free memory at
  // the end of a heap. At 128 KiB, smaller blocks would go back to the system and be faulted in again all the
  // time. This keeps room for four of the largest of them.
  ::mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

}  // namespace crivello
