// SPDX-License-Identifier: Apache-2.0
#include "index/tables/inlinks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support.h"

namespace crivello::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class InlinksTest : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  InlinkSorter sorter_{{.folder = folder_ / "runs", .memory_bytes = 200}};
};

TEST_F(InlinksTest, LinksAreTurnedAround) {
  ASSERT_TRUE(sorter_
                  .Add("a.org", {{.url = "https://b.org/x", .text = "about x"},
                                 {.url = "https://b.org/y", .text = ""},
                                 {.url = "https://nowhere.org/", .text = "gone"}})
                  .ok());
  ASSERT_TRUE(sorter_.Add("c.org", {{.url = "https://b.org/x", .text = "x itself"}}).ok());
  ASSERT_TRUE(sorter_.Sort().ok());
  EXPECT_EQ(sorter_.Of("org,b)https:443/a")->pages, 0u);
  const auto x = sorter_.Of("org,b)https:443/x");
  ASSERT_TRUE(x.ok());
  EXPECT_EQ(x->pages, 2u);
  EXPECT_THAT(x->texts, UnorderedElementsAre("about x", "x itself"));
  const auto y = sorter_.Of("org,b)https:443/y");
  EXPECT_EQ(y->pages, 1u);
  EXPECT_THAT(y->texts, IsEmpty());
  EXPECT_EQ(sorter_.Of("org,zzz)https:443/")->pages, 0u);
}

TEST_F(InlinksTest, WhatAHostSaysOnAllItsPagesCountsOnceAsText) {
  for (int page = 0; page < 50; page++) {
    ASSERT_TRUE(sorter_.Add("a.org", {{.url = "https://a.org/", .text = "Home"}}).ok());
  }
  ASSERT_TRUE(sorter_.Add("b.org", {{.url = "https://a.org/", .text = "Home"}}).ok());
  ASSERT_TRUE(sorter_.Sort().ok());
  const auto home = sorter_.Of("org,a)https:443/");
  EXPECT_EQ(home->pages, 51u);
  EXPECT_THAT(home->texts, ElementsAre("Home", "Home"));
}

TEST_F(InlinksTest, LinksThatAreNotVouchedForDoNotCount) {
  ASSERT_TRUE(sorter_
                  .Add("a.org", {{.url = "https://b.org/", .text = "spam", .nofollow = true},
                                 {.url = "mailto:x@y.z", .text = "write"}})
                  .ok());
  ASSERT_TRUE(sorter_.Sort().ok());
  EXPECT_EQ(sorter_.Of("org,b)https:443/")->pages, 0u);
}

TEST_F(InlinksTest, TextsAreFewAndShort) {
  const std::string text = "é" + std::string(InlinkSorter::kMaxTextBytes - 3, 'x') + "éé";
  ASSERT_TRUE(sorter_.Add("a.org", {{.url = "https://b.org/", .text = text}}).ok());
  for (int i = 0; i < 1000; i++) {
    ASSERT_TRUE(sorter_.Add("h" + std::to_string(i), {{.url = "https://c.org/", .text = "c"}}).ok());
  }
  ASSERT_TRUE(sorter_.Sort().ok());
  EXPECT_THAT(sorter_.Of("org,b)https:443/")->texts,
              ElementsAre("é" + std::string(InlinkSorter::kMaxTextBytes - 3, 'x')));
  const auto c = sorter_.Of("org,c)https:443/");
  EXPECT_EQ(c->pages, 1000u);
  EXPECT_THAT(c->texts, SizeIs(InlinkSorter::kMaxTexts));
}

}  // namespace
}  // namespace crivello::index
