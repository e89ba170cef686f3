// SPDX-License-Identifier: Apache-2.0
#include "frontier/priority.h"

#include <gtest/gtest.h>

namespace crivello::frontier {
namespace {

TEST(PriorityTest, IsOneClassWithoutCriteria) {
  EXPECT_EQ(PriorityOf({}, {.url = "http://a.org/x/y/z?a=b", .depth = 100}), 1);
}

TEST(PriorityTest, PutsShortUrlsFirst) {
  const PriorityOptions options = {.short_url = true};
  const int home = PriorityOf(options, {.url = "http://a.org/"});
  const int page = PriorityOf(options, {.url = "http://a.org/a/b/c.html"});
  const int deep = PriorityOf(options, {.url = "http://a.org/a/b/c/d/e/f/g/h.php?session=12345678&x=y&z=w"});
  EXPECT_EQ(home, 1);
  EXPECT_LT(home, page);
  EXPECT_LT(page, deep);
  EXPECT_EQ(deep, kPriorityClasses - 1);
}

TEST(PriorityTest, PutsLinksToOtherSitesFirst) {
  const PriorityOptions options = {.off_site = true};
  EXPECT_EQ(PriorityOf(options, {.url = "http://a.org/", .from_host = "b.org"}), 1);
  EXPECT_EQ(PriorityOf(options, {.url = "http://a.org/", .from_host = "a.org"}), kPriorityClasses - 1);
}

TEST(PriorityTest, FindsKeywordsInUrlAndTextWithoutCase) {
  const PriorityOptions options = {.keywords = {"sieve", "crivello"}};
  EXPECT_EQ(PriorityOf(options, {.url = "http://a.org/Crivello.html"}), 1);
  EXPECT_EQ(PriorityOf(options, {.url = "http://a.org/x", .text = "A SIEVE for all"}), 1);
  EXPECT_EQ(PriorityOf(options, {.url = "http://a.org/x", .text = "siev e"}), kPriorityClasses - 1);
}

TEST(PriorityTest, CountsWordsOfTheLinkingPage) {
  const PriorityOptions options = {.page_keywords = {"sieve"}};
  EXPECT_EQ(PriorityOf(options, {.url = "http://a.org/x", .page_has_keyword = true}), 1);
  EXPECT_EQ(PriorityOf(options, {.url = "http://a.org/sieve", .text = "sieve"}), kPriorityClasses - 1);
  EXPECT_TRUE(HasKeyword({"hare", "sieve"}, "of SIEVES"));
  EXPECT_FALSE(HasKeyword({}, "of sieves"));
}

TEST(PriorityTest, CountsDepthAndRankAndTheirMean) {
  EXPECT_EQ(PriorityOf({.depth = true}, {.url = "http://a.org/", .depth = 1}), 1);
  EXPECT_EQ(PriorityOf({.depth = true}, {.url = "http://a.org/", .depth = 1000}), 7);
  EXPECT_EQ(PriorityOf({.host_rank = true}, {.url = "http://a.org/", .host_rank = 1}), 1);
  EXPECT_EQ(PriorityOf({.host_rank = true}, {.url = "http://a.org/", .host_rank = -3}), 7);
  EXPECT_EQ(PriorityOf({.off_site = true, .depth = true}, {.url = "http://a.org/", .depth = 7}), 4);
}

TEST(PriorityTest, PutsWhatIsNoUrlLast) { EXPECT_EQ(PriorityOf({}, {.url = "no"}), kPriorityClasses - 1); }

}  // namespace
}  // namespace crivello::frontier
