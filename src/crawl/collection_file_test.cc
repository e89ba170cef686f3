// SPDX-License-Identifier: Apache-2.0
#include "crawl/collection_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::crawl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<CollectionFile> Parse(std::string_view text) { return CollectionFile::Parse("x/crivello.toml", text); }

TEST(CollectionFileTest, ANewOneReadsBack) {
  const CollectionFile file = Parse(NewCollectionFile("rocksdb")).value();
  EXPECT_EQ(file.version, CollectionFile::kVersion);
  EXPECT_EQ(file.sieve, "rocksdb");
  EXPECT_TRUE(file.options.empty());
}

TEST(CollectionFileTest, OptionsOfCommandsAreArguments) {
  const CollectionFile file = Parse(
                                  "[crawl]\ndelay = \"10s\"\nconnections = 50\nallow-private = true\nfilter "
                                  "= [\"fetch=true\", \"store=true\"]\nproportion = 0.5\n")
                                  .value();
  const auto& crawl = file.options.at("crawl");
  EXPECT_THAT(crawl.at("delay"), ElementsAre("10s"));
  EXPECT_THAT(crawl.at("connections"), ElementsAre("50"));
  EXPECT_THAT(crawl.at("allow-private"), ElementsAre("true"));
  EXPECT_THAT(crawl.at("filter"), ElementsAre("fetch=true", "store=true"));
  EXPECT_THAT(crawl.at("proportion"), ElementsAre("0.5"));
}

TEST(CollectionFileTest, AnErrorHasItsPlace) {
  EXPECT_THAT(Parse("[crawl]\ndelay = \n").status().message(), HasSubstr("line 2"));
  EXPECT_THAT(Parse("delay = 3\n").status().message(), HasSubstr("stands in no [table]"));
  EXPECT_THAT(Parse("[crawl.deep]\nx = 1\n").status().message(), HasSubstr("an option is"));
}

TEST(CollectionFileTest, ANewerCollectionIsNotTouched) {
  EXPECT_EQ(Parse("[collection]\nversion = 99\n").status().code(), StatusCode::kUnavailable);
}

TEST(CollectionFileTest, AnOptionIsAddedWhereItBelongs) {
  const std::string fresh =
      WithOption(NewCollectionFile("mercator"), "crawl", "contact", "mailto:\"a\\b\"@c");
  EXPECT_THAT(Parse(fresh).value().options.at("crawl").at("contact"), ElementsAre("mailto:\"a\\b\"@c"));
  const std::string more = WithOption(fresh, "crawl", "delay", "4s");
  EXPECT_EQ(Parse(more).value().options.at("crawl").size(), 2u);
  EXPECT_THAT(more, HasSubstr("# A collection of Crivello."));
}

}  // namespace
}  // namespace crivello::crawl
