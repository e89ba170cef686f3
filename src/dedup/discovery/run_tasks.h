// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "base/status.h"

namespace crivello::dedup {

// Calls run(0), ..., run(count - 1) in some threads, the caller's among them, and returns when all have
// ended. After one has failed, no other is begun; the error is that of the lowest number that failed.
Status RunTasks(unsigned threads, size_t count, const std::function<Status(size_t)>& run);

}  // namespace crivello::dedup
