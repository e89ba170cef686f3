// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/search_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "search/query/query.h"
#include "serve/http/target.h"

namespace crivello::serve {
namespace {

std::string FormFilter(std::string_view field, std::string_view value) {
  search::Query query;
  query.kind = search::Query::Kind::kWord;
  query.field = std::string(field);
  query.text = std::string(value);
  return query.ToString();
}

// What stands after "date:", or nothing if it could be anything else.
std::string DateRange(std::string_view date, int64_t now) {
  const int64_t days = date == "day"     ? 1
                       : date == "week"  ? 7
                       : date == "month" ? 31
                       : date == "year"  ? 366
                                         : 0;
  if (days > 0) return ">=" + FormatRfc3339(std::max<int64_t>(now - days * kSecondsPerDay, 0)).substr(0, 10);
  const bool plain = std::all_of(date.begin(), date.end(), [](char c) {
    return IsAsciiDigit(c) || c == '-' || c == '.' || c == '<' || c == '>' || c == '=';
  });
  return plain ? std::string(date) : "";
}

// What must or may hold, side by side.
std::vector<search::Query> PartsOf(std::string_view text) {
  search::Query query = search::ParseQuery(text).query;
  if (query.kind == search::Query::Kind::kBoolean && query.boost == 1) return std::move(query.children);
  return {std::move(query)};
}

std::string Joined(std::string_view query, std::string_view filters) {
  const std::string canonical = search::ParseQuery(query).query.ToString();
  // In parentheses: beside an OR a filter would not have to hold.
  return canonical.empty() ? std::string(filters) : fmt::format("({}) {}", canonical, filters);
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
  const std::string page = field("page");
  std::from_chars(page.data(), page.data() + page.size(), form.page);
  form.page = std::clamp<size_t>(form.page, 1, kMaxPage);
  return form;
}

std::string SearchForm::ToQuery(int64_t now) const {
  std::string filters;
  const auto add = [&](const std::string& filter) { filters += (filters.empty() ? "" : " ") + filter; };
  if (!site.empty()) add(FormFilter("site", ToAsciiLower(site)));
  if (!language.empty()) add(FormFilter("lang", language));
  if (!type.empty()) add(FormFilter("type", type));
  if (const std::string range = DateRange(date, now); !range.empty()) add("date:" + range);
  return filters.empty() ? words : Joined(words, filters);
}

std::string SearchForm::WordsOf(std::string_view spelling, int64_t now) const {
  if (!has_filters()) return std::string(spelling);
  SearchForm filters = *this;
  filters.words.clear();
  const std::vector<search::Query> known = PartsOf(filters.ToQuery(now));
  std::vector<search::Query> rest = PartsOf(spelling);
  std::erase_if(rest, [&](const search::Query& part) {
    return std::find_if(known.begin(), known.end(), [&](const search::Query& filter) {
             return filter.ToString() == part.ToString();
           }) != known.end();
  });
  if (rest.size() == 1 && rest[0].occur == search::Query::Occur::kOptional) return rest[0].ToString();
  search::Query joined;
  joined.kind = search::Query::Kind::kBoolean;
  joined.children = std::move(rest);
  return joined.ToString();
}

std::string SearchForm::ToTarget() const {
  return Target("/")
      .With("q", words)
      .With("site", site)
      .With("lang", language)
      .With("date", date)
      .With("type", type)
      .With("page", page > 1 ? std::to_string(page) : "")
      .text();
}

std::string LinksTo(std::string_view url) { return FormFilter("links", url); }

std::string WithinSite(std::string_view query, std::string_view site) {
  return Joined(query, FormFilter("site", site));
}

}  // namespace crivello::serve
