// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/searcher.h"
#include "serve/api/json.h"

namespace crivello::serve {

// The JSON of an answer that programs read, from `search --json` and from /api/v1/search. Existing names keep
// their meaning; new ones may be added. `offset` is that of the request.
Json AnswerJson(const search::SearchAnswer& answer, size_t offset);
Json ExplanationJson(const search::Explanation& explanation);

}  // namespace crivello::serve
