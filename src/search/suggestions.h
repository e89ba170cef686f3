// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/query_plan.h"

namespace crivello::search {

// What was typed with its last word completed to terms of the index, the most frequent first.
std::vector<std::string> CompleteLastWord(std::string_view typed, size_t count,
                                          std::span<const SearchedSegment> segments,
                                          text::Analyser& analyser);

}  // namespace crivello::search
