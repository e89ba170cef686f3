// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/clock.h"

namespace crivello::serve {

// The time limit of a search, for pages and API.  When it is reached, the answer is partial.
inline constexpr Duration kSearchTimeout = std::chrono::seconds(2);

}  // namespace crivello::serve
