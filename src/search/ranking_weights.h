// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "search/searcher.h"

namespace crivello::search {

// The numbers of RankingOptions by their names: "k1", "b", "proximity", "rank", "second.title" and so on, and
// for each field of pages "fields.title" (its weight) and "b.title".  What profiles and experiments set.
std::vector<std::string> WeightNames();
// InvalidArgument names those that are, or says what the number must be.
Status SetWeight(std::string_view name, double value, RankingOptions* ranking);
// REQUIRES: a name of WeightNames().
double WeightOf(std::string_view name, const RankingOptions& ranking);

}  // namespace crivello::search
