// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/status.h"
#include "cli/command.h"
#include "collection/collection.h"

namespace crivello::cli {

// Prints what a collection's queues hold: the sums, and the `limit` hosts with the most URLs, what each waits
// for and until when.  Reads the state of every host.
Result<int> PrintFrontier(const Session& session, collection::Collection& collection, uint64_t limit);

}  // namespace crivello::cli
