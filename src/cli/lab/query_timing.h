// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "search/index_searcher.h"

namespace crivello::cli {

// The queries of a file, words a line, asked on one thread again and again and timed one by one: term lookup
// included, snippets not.
struct QueryTimingOptions {
  std::string file;
  std::string mode = "or";
  uint64_t rounds = 10;
  uint64_t warm_rounds = 3;
};

// --time, --mode, --rounds.
void AddTimingOptions(CLI::App& command, QueryTimingOptions* options);

// Prints the times, and the sum of the numbers of results, by which engines are compared.
Result<int> TimeQueries(const Session& session, search::IndexSearcher& searcher,
                        const search::SearchRequest& request, const QueryTimingOptions& options);

}  // namespace crivello::cli
