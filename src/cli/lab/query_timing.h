// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "search/index_searcher.h"

namespace crivello::cli {

// Runs the queries of a file (one per line, as words) repeatedly on one thread and times each: includes term
// lookup, but not snippets.
struct QueryTimingOptions {
  std::string file;
  std::string mode = "or";
  uint64_t rounds = 10;
  uint64_t warm_rounds = 3;
};

// --time, --mode, --rounds.
void AddTimingOptions(CLI::App& command, QueryTimingOptions* options);

// Prints the times, and the total number of results, which is used to compare engines.
Result<int> TimeQueries(const Session& session, search::IndexSearcher& searcher,
                        const search::SearchRequest& request, const QueryTimingOptions& options);

}  // namespace crivello::cli
