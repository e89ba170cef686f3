// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/search_form.h"

#include <gtest/gtest.h>

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

TEST(SearchFormTest, IsOneQuery) {
  EXPECT_EQ(FormOf("/?q=a+OR+b").ToQuery(kNow), "a OR b");
  EXPECT_EQ(FormOf("/?q=a+OR+b&site=X.org&lang=it").ToQuery(kNow), "(a b) site:x.org lang:it");
  EXPECT_EQ(FormOf("/?type=pdf").ToQuery(kNow), "type:pdf");
  EXPECT_EQ(FormOf("/?q=a&date=week").ToQuery(kNow), "(a) date:>=2026-09-14");
  EXPECT_EQ(FormOf("/?q=a&date=2020..2021").ToQuery(kNow), "(a) date:2020..2021");
  EXPECT_EQ(FormOf("/?q=a&date=x+OR+y").ToQuery(kNow), "a");
}

TEST(SearchFormTest, FindsItsWordsInAnotherSpelling) {
  EXPECT_EQ(FormOf("/?q=aple").WordsOf("apple", kNow), "apple");
  EXPECT_EQ(FormOf("/?q=aple&lang=it").WordsOf("apple +lang:it", kNow), "apple");
  EXPECT_EQ(FormOf("/?q=aple+pie&lang=it&date=week").WordsOf("(apple pie) lang:it date:>=2026-09-14", kNow),
            "apple pie");
  EXPECT_EQ(FormOf("/?q=aple+-pie&lang=it").WordsOf("(apple -pie) +lang:it", kNow), "apple -pie");
}

}  // namespace
}  // namespace crivello::serve
