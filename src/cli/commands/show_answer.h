// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"
#include "search/searcher.h"

namespace crivello::cli {

// Prints an answer, for people or as JSON, and returns the exit code, which says whether anything was found.
int ShowAnswer(const Session& session, const search::SearchAnswer& answer,
               const search::SearchRequest& request);

}  // namespace crivello::cli
