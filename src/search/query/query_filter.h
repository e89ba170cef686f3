// SPDX-License-Identifier: Apache-2.0
// Filters beside the text of a query, as a form or an API has them: built as values, never as text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "search/query/query.h"

namespace crivello::search {

// Documents with this value in a field: site, lang, type, links.
Query FieldFilter(std::string_view field, std::string_view value);
// Documents fetched at a time (date_filter.h): "2020", "2019..2020-05", ">=2020-05-03".  Nothing if the text
// is not one.
std::optional<Query> DateFilter(std::string_view text);

// The documents of the query that pass all filters, with the scores that the query gives them; with kNothing
// for a query, all documents that pass.
Query Filtered(Query query, const std::vector<Query>& filters);

}  // namespace crivello::search
