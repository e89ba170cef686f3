// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/search_form.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "search/query/query_filter.h"
#include "search/searcher.h"
#include "serve/http/target.h"

namespace crivello::serve {
namespace {

// The value that follows "date:" in a query.
std::string DateRange(std::string_view date, int64_t now) {
  const int64_t days = date == "day"     ? 1
                       : date == "week"  ? 7
                       : date == "month" ? 31
                       : date == "year"  ? 366
                                         : 0;
  if (days == 0) return std::string(date);
  return ">=" + FormatRfc3339(std::max<int64_t>(now - days * kSecondsPerDay, 0)).substr(0, 10);
}

}  // namespace

SearchForm SearchForm::FromRequest(const HttpRequest& request) {
  const auto field = [&](std::string_view name) {
    return std::string(TrimAsciiSpace(request.Parameter(name).value_or("")));
  };
  SearchForm form;
  form.words = field("q");
  form.site = field("site");
  form.language = field("lang");
  form.date = field("date");
  form.type = field("type");
  if (field("sort") == search::kSortByDate) form.sort = search::kSortByDate;
  form.profile = field("profile");
  const std::string page = field("page");
  std::from_chars(page.data(), page.data() + page.size(), form.page);
  form.page = std::clamp<size_t>(form.page, 1, kMaxPage);
  return form;
}

std::vector<search::Query> SearchForm::Filters(int64_t now) const {
  std::vector<search::Query> filters;
  if (!site.empty()) filters.push_back(search::FieldFilter("site", ToAsciiLower(site)));
  if (!language.empty()) filters.push_back(search::FieldFilter("lang", language));
  if (!type.empty()) filters.push_back(search::FieldFilter("type", type));
  if (auto interval = search::DateFilter(DateRange(date, now))) filters.push_back(*std::move(interval));
  return filters;
}

std::string SearchForm::ToTarget() const {
  return Target("/")
      .With("q", words)
      .With("site", site)
      .With("lang", language)
      .With("date", date)
      .With("type", type)
      .With("sort", sort)
      .With("profile", profile)
      .With("page", page > 1 ? std::to_string(page) : "")
      .text();
}

}  // namespace crivello::serve
