// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "cli/command.h"
#include "wire/service.h"

namespace crivello::cli {

// Prints the results of a crawl: a table of seeds and one of hosts, JSON lines of both, or hosts as CSV.
struct ReportFlags {
  bool csv = false;
};
Result<int> PrintReport(const Session& session, wire::CollectionService& service, Listener& listener,
                        const ReportFlags& flags);

}  // namespace crivello::cli
