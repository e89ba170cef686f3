// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "base/status.h"

namespace crivello::dedup {

// Calls run(0), ..., run(count - 1) in several threads, including the caller's, and returns when all have
// ended. After a failure no further task is started; returns the error of the lowest task that failed.
Status RunTasks(unsigned threads, size_t count, const std::function<Status(size_t)>& run);

}  // namespace crivello::dedup
