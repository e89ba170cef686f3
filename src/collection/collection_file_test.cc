// SPDX-License-Identifier: Apache-2.0
#include "collection/collection_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::collection {
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
  const auto& crawl = file.options.at("crawl").options;
  EXPECT_EQ(crawl.at("connections").line, 3u);
  EXPECT_THAT(crawl.at("delay").values, ElementsAre("10s"));
  EXPECT_THAT(crawl.at("connections").values, ElementsAre("50"));
  EXPECT_THAT(crawl.at("allow-private").values, ElementsAre("true"));
  EXPECT_THAT(crawl.at("filter").values, ElementsAre("fetch=true", "store=true"));
  EXPECT_THAT(crawl.at("proportion").values, ElementsAre("0.5"));
}

TEST(CollectionFileTest, AnErrorHasItsPlace) {
  EXPECT_THAT(Parse("[crawl]\ndelay = \n").status().message(), HasSubstr("line 2"));
  EXPECT_THAT(Parse("delay = 3\n").status().message(), HasSubstr("option 'delay' is outside any [table]"));
  EXPECT_THAT(Parse("[crawl]\nx = 1979-05-27\n").status().message(),
              HasSubstr("line 2, column 5: an option is"));
  EXPECT_THAT(Parse("[collection]\nsive = 1\n").status().message(),
              HasSubstr("unknown option 'sive' in [collection]"));
}

TEST(CollectionFileTest, ATableWithinATableIsThatOfACommandBelow) {
  EXPECT_THAT(
      Parse("[sieve.bench]\nkeys = \"1M\"\n").value().options.at("sieve.bench").options.at("keys").values,
      ElementsAre("1M"));
}

TEST(CollectionFileTest, ANewerCollectionIsNotTouched) {
  EXPECT_EQ(Parse("[collection]\nversion = 99\n").status().code(), StatusCode::kUnavailable);
}

TEST(CollectionFileTest, AnOptionIsAddedWhereItBelongs) {
  const std::string fresh =
      WithOption(NewCollectionFile("mercator"), "crawl", "contact", "mailto:\"a\\b\"@c");
  EXPECT_THAT(Parse(fresh).value().options.at("crawl").options.at("contact").values,
              ElementsAre("mailto:\"a\\b\"@c"));
  const std::string more = WithOption(fresh, "crawl", "delay", "4s");
  EXPECT_EQ(Parse(more).value().options.at("crawl").options.size(), 2u);
  EXPECT_THAT(more, HasSubstr("# A collection of Crivello."));
}

}  // namespace
}  // namespace crivello::collection
