// SPDX-License-Identifier: Apache-2.0
#include "index/tables/inlinks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "base/random.h"

namespace crivello::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

void Add(InlinksBuilder& builder, const std::string& host, std::string_view text) {
  builder.Add(InlinksBuilder::HostNumber(host), text);
}

TEST(InlinksTest, AreTheLinksOfOnePageAfterTheOther) {
  InlinksBuilder builder;
  Add(builder, "a.org", "about x");
  Add(builder, "c.org", "x itself");
  const Inlinks x = builder.Finish();
  EXPECT_EQ(x.pages, 2u);
  EXPECT_THAT(x.texts, UnorderedElementsAre("about x", "x itself"));
  Add(builder, "a.org", "");
  const Inlinks y = builder.Finish();
  EXPECT_EQ(y.pages, 1u);
  EXPECT_THAT(y.texts, IsEmpty());
  EXPECT_EQ(builder.Finish().pages, 0u);
}

TEST(InlinksTest, WhatAHostSaysOnAllItsPagesCountsOnceAsText) {
  InlinksBuilder builder;
  for (int page = 0; page < 50; page++) Add(builder, "a.org", "Home");
  Add(builder, "b.org", "Home");
  const Inlinks home = builder.Finish();
  EXPECT_EQ(home.pages, 51u);
  EXPECT_THAT(home.texts, ElementsAre("Home", "Home"));
}

TEST(InlinksTest, TextsAreFewAndShort) {
  InlinksBuilder builder;
  const std::string start = "é" + std::string(InlinksBuilder::kMaxTextBytes - 3, 'x');
  Add(builder, "a.org", start + "éé");
  EXPECT_THAT(builder.Finish().texts, ElementsAre(start));
  for (int i = 0; i < 1000; i++) Add(builder, "h" + std::to_string(i), "c");
  const Inlinks c = builder.Finish();
  EXPECT_EQ(c.pages, 1000u);
  EXPECT_THAT(c.texts, SizeIs(InlinksBuilder::kMaxTexts));
}

// The texts chosen for a page with many links must not depend on the order of the links.
TEST(InlinksTest, TheTextsAreTheFirstByTheBytesOfTheHostsHash) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  for (int round = 0; round < 20; round++) {
    std::set<std::pair<std::string, std::string>> all;
    InlinksBuilder builder;
    const uint64_t links = random.Below(1500);
    for (uint64_t i = 0; i < links; i++) {
      const std::string host = "h" + std::to_string(random.Below(200));
      const std::string text = "t" + std::to_string(random.Below(5));
      const uint64_t hash = Hash64(host);
      all.emplace(std::string(reinterpret_cast<const char*>(&hash), sizeof hash), text);
      Add(builder, host, text);
    }
    std::vector<std::string> expected;
    for (const auto& [host, text] : all) {
      if (expected.size() < InlinksBuilder::kMaxTexts) expected.push_back(text);
    }
    const Inlinks found = builder.Finish();
    EXPECT_EQ(found.pages, links);
    EXPECT_EQ(found.texts, expected);
  }
}

}  // namespace
}  // namespace crivello::index
