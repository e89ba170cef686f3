// SPDX-License-Identifier: Apache-2.0
#include "html/entities.h"

#include <gtest/gtest.h>

#include <cstring>

#include "html/entities_table.h"

namespace crivello::html {
namespace {

std::string Decoded(std::string_view text, bool in_attribute = false) {
  const CharacterReference reference = MatchCharacterReference(text, in_attribute, /*at_end=*/true);
  return std::string(reference.value()) + "|" + std::string(text.substr(reference.size));
}

TEST(EntitiesTest, FindsEveryNameOfTheTableAndNoNeighbour) {
  for (const Entity& entity : kEntities) {
    const std::string name = entity.name;
    ASSERT_EQ(name.size(), entity.name_size);
    EXPECT_EQ(FindEntity(name), std::string_view(entity.utf8, entity.utf8_size)) << name;
    EXPECT_EQ(FindEntity(name + "~"), "") << name;
    EXPECT_EQ(FindEntity("~" + name), "") << name;
    EXPECT_LE(name.size(), kMaxEntityNameBytes);
  }
  EXPECT_EQ(FindEntity(""), "");
  EXPECT_EQ(FindEntity(std::string(100, 'a')), "");
}

TEST(EntitiesTest, TakesTheLongestName) {
  EXPECT_EQ(Decoded("amp;x"), "&|x");
  EXPECT_EQ(Decoded("ampx"), "&|x");
  EXPECT_EQ(Decoded("notit;"), "\xC2\xAC|it;");
  EXPECT_EQ(Decoded("notin;"), "\xE2\x88\x89|");
  EXPECT_EQ(Decoded("nosuch;"), "|nosuch;");
  EXPECT_EQ(Decoded(" amp;"), "| amp;");
}

TEST(EntitiesTest, KeepsQueriesInAttributes) {
  EXPECT_EQ(Decoded("copy=1", true), "|copy=1");
  EXPECT_EQ(Decoded("copying", true), "|copying");
  EXPECT_EQ(Decoded("copy;=1", true), "\xC2\xA9|=1");
  EXPECT_EQ(Decoded("copy", true), "\xC2\xA9|");
}

TEST(EntitiesTest, ReplacesNumbersThatAreNoCharacters) {
  EXPECT_EQ(Decoded("#65;"), "A|");
  EXPECT_EQ(Decoded("#x41g"), "A|g");
  EXPECT_EQ(Decoded("#X1F600;"), "\xF0\x9F\x98\x80|");
  EXPECT_EQ(Decoded("#128;"), "\xE2\x82\xAC|");
  EXPECT_EQ(Decoded("#0;"), "\xEF\xBF\xBD|");
  EXPECT_EQ(Decoded("#xD800;"), "\xEF\xBF\xBD|");
  EXPECT_EQ(Decoded("#99999999999999999999999999;"), "\xEF\xBF\xBD|");
  EXPECT_EQ(Decoded("#x;"), "|#x;");
  EXPECT_EQ(Decoded("#;"), "|#;");
}

TEST(EntitiesTest, SaysWhenTheNextPieceDecides) {
  for (const char* text : {"", "am", "amp", "#", "#x", "#12", "#xfF"}) {
    EXPECT_FALSE(MatchCharacterReference(text, false, false).complete) << text;
    EXPECT_TRUE(MatchCharacterReference(text, false, true).complete) << text;
  }
  for (const char* text : {"amp;", "am ", " ", "#12;", "#1 "}) {
    EXPECT_TRUE(MatchCharacterReference(text, false, false).complete) << text;
  }
}

}  // namespace
}  // namespace crivello::html
