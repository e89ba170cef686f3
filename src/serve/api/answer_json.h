// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/searcher.h"
#include "serve/api/json.h"

namespace crivello::serve {

// What programs get of an answer, by `search --json` and by /api/v1/search: names keep their meaning, more
// may come. `offset` is the request's.
Json AnswerJson(const search::SearchAnswer& answer, size_t offset);
Json ExplanationJson(const search::Explanation& explanation);

}  // namespace crivello::serve
