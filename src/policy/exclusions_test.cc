// SPDX-License-Identifier: Apache-2.0
#include "policy/exclusions.h"

#include <gmock/gmock.h>

#include "base/test_support.h"
#include "web/url/canonical.h"

namespace crivello::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Exclusion Parsed(std::string_view kind, std::string_view text) {
  auto exclusion = Exclusion::Parse(kind, text);
  EXPECT_TRUE(exclusion.ok()) << exclusion.status().ToString();
  return exclusion.ok() ? *exclusion : Exclusion{};
}

TEST(ExclusionTest, ReadsWhatPeopleWrite) {
  EXPECT_EQ(Parsed("host", " A.Example ").Line(), "host a.example");
  EXPECT_EQ(Parsed("host", "https://a.example/some/page").Line(), "host a.example");
  EXPECT_EQ(Parsed("prefix", "a.example/b/").Line(), "prefix https://a.example/b/");
  EXPECT_EQ(Parsed("filter", "path_ends_with(.zip)  and query").Line(),
            "filter path_ends_with(.zip) and query");
  for (const char* kind : {"host", "prefix", "filter"}) {
    EXPECT_FALSE(Exclusion::Parse(kind, "").ok());
    EXPECT_FALSE(Exclusion::Parse(kind, "a\nb").ok());
  }
  EXPECT_FALSE(Exclusion::Parse("prefix", "https://a.example/*/b").ok());
  EXPECT_FALSE(Exclusion::Parse("filter", "true").ok()) << "everything";
  EXPECT_FALSE(Exclusion::Parse("filter", "status(404)").ok()) << "not known of a URL";
  EXPECT_FALSE(Exclusion::Parse("domain", "a.example").ok());
}

TEST(ExclusionTest, MakesFiltersThatLeaveItOut) {
  const std::vector<Exclusion> exclusions = {Parsed("host", "ads.example"),
                                             Parsed("prefix", "http://a.example/b/"),
                                             Parsed("filter", "path_ends_with(.zip)")};
  Filters filters;
  ASSERT_TRUE(filters.Add("fetch=domain(example)").ok());
  ASSERT_TRUE(AddExclusions(exclusions, &filters).ok());
  const auto accepts = [&](FilterPoint point, std::string_view text) {
    const auto url = web::CanonicalUrl(text);
    EXPECT_TRUE(url.ok());
    return filters[point].Accepts({.url = &*url});
  };
  for (const FilterPoint point : {FilterPoint::kSchedule, FilterPoint::kFetch}) {
    EXPECT_FALSE(accepts(point, "http://ads.example/"));
    EXPECT_TRUE(accepts(point, "http://www.ads.example/"));
    EXPECT_FALSE(accepts(point, "http://a.example/b/c?d"));
    EXPECT_TRUE(accepts(point, "https://a.example/b/c?d"));
    EXPECT_TRUE(accepts(point, "http://a.example/b"));
    EXPECT_FALSE(accepts(point, "http://c.example/x.zip"));
  }
  EXPECT_FALSE(accepts(FilterPoint::kFetch, "http://c.test/")) << "what was asked for before holds";
}

TEST(ExclusionTest, LastsInAFile) {
  const TemporaryFolder folder;
  EXPECT_TRUE(ReadExclusions(folder.path())->empty());
  const std::vector<Exclusion> written = {Parsed("host", "a.example"),
                                          Parsed("filter", "url_like(\"*,(*\")")};
  ASSERT_TRUE(WriteExclusions(folder.path(), written).ok());
  const auto read = ReadExclusions(folder.path());
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, written);
}

}  // namespace
}  // namespace crivello::policy
