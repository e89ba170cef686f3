// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/query/query.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The values of the search form: words, and filters.  A value type.
struct SearchForm {
  // Pages after this one are neither linked nor shown.
  static constexpr size_t kMaxPage = 100;

  std::string words;
  std::string site;
  std::string language;
  std::string date;  // "day", "week", "month", "year", or what follows "date:" in a query
  std::string type;
  std::string sort;     // "date", or empty for the best first
  std::string profile;  // of ranking; empty for the default
  size_t page = 1;

  static SearchForm FromRequest(const HttpRequest& request);

  bool has_filters() const { return !site.empty() || !language.empty() || !date.empty() || !type.empty(); }
  bool empty() const { return words.empty() && !has_filters(); }
  // The filters besides the words, for SearchRequest; an invalid date filters nothing. `now`: seconds since
  // 1970.
  std::vector<search::Query> Filters(int64_t now) const;
  // The target that the form leads to.
  std::string ToTarget() const;
};

}  // namespace crivello::serve
