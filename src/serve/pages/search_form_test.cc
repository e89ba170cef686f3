// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/search_form.h"

#include <gtest/gtest.h>

#include "search/query/query_filter.h"

namespace crivello::serve {
namespace {

constexpr int64_t kNow = 1'790'000'000;  // 2026-09-21

SearchForm FormOf(std::string_view target) {
  HttpRequest request;
  ParseTarget(target, &request);
  return SearchForm::FromRequest(request);
}

TEST(SearchFormTest, LeadsBackToItself) {
  for (const std::string_view target : {"/?q=a+%22b%22", "/?q=a&site=x.org&lang=it&date=week&type=pdf&page=3",
                                        "/?lang=it", "/?q=%C3%A8+%26"}) {
    EXPECT_EQ(FormOf(target).ToTarget(), target);
  }
  EXPECT_EQ(FormOf("/?q=+a+&lang=&page=x").ToTarget(), "/?q=a");
  EXPECT_EQ(FormOf("/?q=a&page=99999999999999999999").page, 1u);
  EXPECT_EQ(FormOf("/?q=a&page=5000").page, SearchForm::kMaxPage);
}

// The query that a searcher makes of the words and filters, as text for the test.
std::string QueryOf(std::string_view target) {
  const SearchForm form = FormOf(target);
  return search::Filtered(search::ParseQuery(form.words).query, form.Filters(kNow)).ToString();
}

TEST(SearchFormTest, HasItsFiltersBesideItsWords) {
  EXPECT_EQ(QueryOf("/?q=a+OR+b"), "a b");
  EXPECT_EQ(QueryOf("/?q=a+OR+b&site=X.org&lang=it"), "a b +site:x.org +lang:it");
  EXPECT_EQ(QueryOf("/?type=pdf"), "+type:pdf");
  EXPECT_EQ(QueryOf("/?q=a&date=week"), "a +date:>=2026-09-14");
  EXPECT_EQ(QueryOf("/?q=a&date=2020..2021"), "a +date:2020..2021");
}

TEST(SearchFormTest, HasValuesThatNoSyntaxChanges) {
  EXPECT_EQ(FormOf("/?q=a&site=x.org+OR+y").Filters(kNow).at(0).text, "x.org or y");
  EXPECT_TRUE(FormOf("/?q=a&date=x+OR+y").Filters(kNow).empty());
}

}  // namespace
}  // namespace crivello::serve
