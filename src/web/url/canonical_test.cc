// SPDX-License-Identifier: Apache-2.0
#include "web/url/canonical.h"

#include <gtest/gtest.h>

#include <string>

namespace crivello::web {
namespace {

std::string Canonical(std::string_view input, const CanonicalOptions& options = {}) {
  const auto url = CanonicalUrl(input, nullptr, options);
  if (!url.ok()) return "none";
  const auto again = CanonicalUrl(url->href(), nullptr, options);
  EXPECT_TRUE(again.ok() && *again == *url) << "not idempotent: " << input << " " << url->href();
  return url->href();
}

TEST(CanonicalTest, DropsWhatDoesNotNameThePage) {
  EXPECT_EQ(Canonical("HTTP://me:secret@Example.COM.:80#top"), "http://example.com/");
  EXPECT_EQ(Canonical("https://a.example:8443/?#x"), "https://a.example:8443/");
  EXPECT_EQ(Canonical("http://a/x/./../y?q"), "http://a/y?q");
  EXPECT_EQ(Canonical("http://1.2.3.4./"), "http://1.2.3.4/");
  EXPECT_EQ(Canonical("http://[0::1]/#"), "http://[::1]/");
}

TEST(CanonicalTest, NormalizesEscapes) {
  EXPECT_EQ(Canonical("http://a/%7ejoe/%66oo%2fbar?q=%c3%a9%2B%61"), "http://a/~joe/foo%2Fbar?q=%C3%A9%2Ba");
  EXPECT_EQ(Canonical("http://a/50%?x=%"), "http://a/50%?x=%");
  EXPECT_EQ(Canonical("http://a/%%32%45"), "http://a/%%32E");
  EXPECT_EQ(Canonical("http://a/x%2E%2E"), "http://a/x..");
}

TEST(CanonicalTest, KeepsWhatSomeServersTellApart) {
  for (const std::string_view url :
       {"http://a//b//", "http://a/index.html", "http://www.a.example/", "http://a/A", "http://a/?b=2&a=1",
        "http://a/?a=1&sid=2", "http://a/[x]?{y}|z"}) {
    EXPECT_EQ(Canonical(url), url);
  }
}

TEST(CanonicalTest, SortsTheQueryOnDemand) {
  const CanonicalOptions sorted = {.sort_query = true};
  EXPECT_EQ(Canonical("http://a/?b=2&a=2&a=1&&c", sorted), "http://a/?&a=2&a=1&b=2&c");
  EXPECT_EQ(Canonical("http://a/?%62=2&a", sorted), "http://a/?a&b=2");
  EXPECT_EQ(Canonical("http://a/?", sorted), "http://a/");
  EXPECT_EQ(Canonical("http://a/?b=%&%4Ec", sorted), "http://a/?Nc&b=%");
  EXPECT_EQ(Canonical("http://a/x", sorted), "http://a/x");
}

TEST(CanonicalTest, OnlyWhatCanBeFetchedHasAForm) {
  for (const std::string_view url : {"mailto:a@b", "ftp://a/", "file:///x", "javascript:1", "ws://a/",
                                     "http://.a/", "http://a..b/", "http://a../", "nonsense"}) {
    EXPECT_EQ(Canonical(url), "none") << url;
  }
  std::string longest = "http://";
  longest.append(253, 'a');
  EXPECT_NE(Canonical(longest), "none");
  EXPECT_EQ(Canonical(longest + "a"), "none");
}

TEST(CanonicalTest, ResolvesAgainstTheBase) {
  Url base;
  ASSERT_TRUE(base.Parse("http://a/b/c?d"));
  EXPECT_EQ(CanonicalUrl("../x#y", &base)->href(), "http://a/x");
}

}  // namespace
}  // namespace crivello::web
