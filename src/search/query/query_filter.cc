// SPDX-License-Identifier: Apache-2.0
#include "search/query/query_filter.h"

#include <utility>

#include "search/query/date_filter.h"

namespace crivello::search {

Query FieldFilter(std::string_view field, std::string_view value) {
  Query filter;
  filter.kind = Query::Kind::kWord;
  filter.occur = Query::Occur::kRequired;
  filter.field = field;
  filter.text = value;
  return filter;
}

std::optional<Query> DateFilter(std::string_view text) {
  const auto interval = ReadDateFilter(text);
  if (!interval) return std::nullopt;
  Query filter = FieldFilter("date", text);
  filter.kind = Query::Kind::kDate;
  filter.from = interval->from;
  filter.until = interval->until;
  return filter;
}

Query Filtered(Query query, const std::vector<Query>& filters) {
  if (filters.empty()) return query;
  if (query.kind != Query::Kind::kBoolean || query.boost != 1 || !query.field.empty()) {
    Query all;
    all.kind = Query::Kind::kBoolean;
    if (query.kind != Query::Kind::kNothing) all.children.push_back(std::move(query));
    query = std::move(all);
  }
  query.children.insert(query.children.end(), filters.begin(), filters.end());
  return query;
}

}  // namespace crivello::search
