// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "cli/command.h"
#include "collection/collection.h"

namespace crivello::cli {

// Prints what a crawl has come to: a table of seeds and one of hosts, JSON lines of both, or hosts as CSV.
Result<int> PrintReport(const Session& session, collection::Collection& store, bool csv);

}  // namespace crivello::cli
