// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "search/searcher.h"

namespace crivello::engine {

// A ranking profile: the file ranking/NAME.toml of a collection (docs/ranking.md).
//
//   [ranking]
//   inherits = "other"        # another profile of the collection; without it the defaults of the program
//   formula = "bm25f"
//   static = "pagerank"       # the static score; "none" for none
//   [weights]                 # by their names (search/ranking_weights.h)
//   second.title = 0.4
//   [sites]                   # hosts, or domains with all hosts below them
//   block = ["spam.example"]
//   raise = ["docs.example"]
//   lower = ["mirror.example"]
//   pin = ["example.org"]
//
// A name consists of letters, digits, - and _.  NotFound if there is no such file; InvalidArgument names the
// file and line of an error.
Result<search::RankingOptions> LoadRankingProfile(const std::string& collection, std::string_view name);

}  // namespace crivello::engine
