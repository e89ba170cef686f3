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

// What the search form of the pages asks: words, and filters beside them.  A value type.
struct SearchForm {
  // Pages deeper than this are not linked to, nor shown.
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
  // What must hold beside the words, for SearchRequest; a date that is not one filters nothing.
  // `now`: seconds since 1970.
  std::vector<search::Query> Filters(int64_t now) const;
  // Where the form leads to.
  std::string ToTarget() const;
};

}  // namespace crivello::serve
