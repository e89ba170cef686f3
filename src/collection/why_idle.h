// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/clock.h"
#include "frontier/frontier.h"

namespace crivello::collection {

// What a crawl that fetches nothing waits for, in a few words: "2 hosts wait for their delay; next in 0.4 s
// from a.example".  Empty if it is busy.
std::string WhyIdle(const frontier::FrontierStats& counts, MonotonicTime now);

}  // namespace crivello::collection
