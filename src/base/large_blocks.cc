// SPDX-License-Identifier: Apache-2.0
#include "base/large_blocks.h"

#include <malloc.h>

namespace crivello {

void ReturnLargeBlocks() { ::mallopt(M_MMAP_THRESHOLD, 1 << 20); }

}  // namespace crivello
