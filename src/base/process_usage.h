// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crivello {

// CPU seconds that all threads of this process have used, in its own code and in the system's.
double CpuSeconds();
// The most memory that this process has had resident, mapped files included.
uint64_t PeakBytes();

}  // namespace crivello
