// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crivello {

// CPU seconds used by all threads of this process, user and system time.
double CpuSeconds();
// The peak resident memory of this process, including mapped files.
uint64_t PeakBytes();
// The memory that it has now; 0 if the kernel does not say.
uint64_t ResidentBytes();

}  // namespace crivello
