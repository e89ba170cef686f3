// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "serve/http/http.h"

namespace crivello::serve {

// What the search form of the pages asks: words, and filters beside them.  A value type.
struct SearchForm {
  // Pages deeper than this are not linked to, nor shown.
  static constexpr size_t kMaxPage = 100;

  std::string words;
  std::string site;
  std::string language;
  std::string date;  // "day", "week", "month", "year", or what stands after "date:" in a query
  std::string type;
  size_t page = 1;

  static SearchForm FromRequest(const HttpRequest& request);

  bool has_filters() const { return !site.empty() || !language.empty() || !date.empty() || !type.empty(); }
  bool empty() const { return words.empty() && !has_filters(); }
  // As one query (search/query/query.h) that finds what the form asks for, whatever its fields hold.
  // `now`: seconds since 1970.
  std::string ToQuery(int64_t now) const;
  // The words of a query that is ToQuery() in another spelling: what is left of it without the filters.
  std::string WordsOf(std::string_view spelling, int64_t now) const;
  // Where the form leads to.
  std::string ToTarget() const;
};

// A query that finds the pages that link to a URL; the pages of a site, of a query.
std::string LinksTo(std::string_view url);
std::string WithinSite(std::string_view query, std::string_view site);

}  // namespace crivello::serve
