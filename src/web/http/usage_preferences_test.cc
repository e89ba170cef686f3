// SPDX-License-Identifier: Apache-2.0
#include "web/http/usage_preferences.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "web/http/structured_dictionary.h"

namespace crivello::web {
namespace {

std::string KeptOf(std::string_view text) { return UsagePreferences::Parse(text).ToString(); }

TEST(StructuredDictionaryTest, ReadsEveryTypeOfValueAndRefusesWhatTheRfcRefuses) {
  const auto members = ParseDictionary(
      "  a=x, b, c;p;q=\"s\", d=(1 \"two\" three;p=4);r, e=-12.5, f=\"\\\"\\\\\", g=:aGk=:, h=?0, i=@-1, "
      "*j=%\"f%c3%bc\" \t,\ta=last");
  ASSERT_TRUE(members.has_value());
  std::string read;
  for (const DictionaryMember& member : *members)
    read += std::string(member.key) + ":" + std::string(member.token) + " ";
  EXPECT_EQ(read, "a:last b: c: d: e: f: g: h: i: *j: ");
  EXPECT_TRUE(ParseDictionary("").has_value());
  EXPECT_TRUE(ParseDictionary("   ").has_value());
  for (const std::string_view bad : {"A=x",
                                     "a=",
                                     "a=x,",
                                     "a=x b=y",
                                     "a=x,,b=y",
                                     ",a=x",
                                     "a=\"x",
                                     "a=\"\\x\"",
                                     "a=\"\x80\"",
                                     "a=(x",
                                     "a=(x\"y\")",
                                     "a=:x",
                                     "a=?2",
                                     "a=@1.5",
                                     "a=%\"%C3\"",
                                     "a=%\"%c\"",
                                     "a=1234567890123456",
                                     "a=1.2345",
                                     "a=1.",
                                     "a=-",
                                     "a= x",
                                     "a=x;P=1",
                                     "a=x;",
                                     "-a=x",
                                     "1=x",
                                     "a\t=x",
                                     "a=\xc3\xa9"}) {
    EXPECT_FALSE(ParseDictionary(bad).has_value()) << bad;
  }
}

TEST(UsagePreferencesTest, AreTheMembersThatSayYesOrNo) {
  EXPECT_EQ(KeptOf("train-ai=n"), "train-ai=n");
  EXPECT_EQ(KeptOf("train-ai=y, search=n, other=maybe, more=1"), "train-ai=y, search=n");
  const auto preferences = UsagePreferences::Parse("train-ai=n;why=\"ours\", search=y, later=n");
  EXPECT_EQ(preferences.Of("train-ai"), UsagePreference::kDisallow);
  EXPECT_EQ(preferences.Of("search"), UsagePreference::kAllow);
  EXPECT_EQ(preferences.Of("later"), UsagePreference::kDisallow);
  EXPECT_EQ(preferences.Of("unheard-of"), UsagePreference::kUnknown);
}

TEST(UsagePreferencesTest, FollowTheExamplesOfTheDraft) {
  // The last value of a key counts, whatever its type.
  EXPECT_EQ(KeptOf("train-ai=y, train-ai, search=n, search=\"n\""), "");
  EXPECT_EQ(KeptOf("train-ai;allow=n, train-ai=y"), "train-ai=y");
  EXPECT_EQ(KeptOf("train-ai;has;parameters=\"?\";"), "");
  // A text that is not a dictionary states nothing, not even in its readable part.
  EXPECT_EQ(KeptOf("search=n, Train-AI=n"), "");
  EXPECT_EQ(KeptOf("train-ai=N, search=no"), "");
}

TEST(UsagePreferencesTest, WhatOneSourceDisallowsIsDisallowed) {
  for (const auto& [a, b, both] :
       {std::tuple("x=y", "x=n", "x=n"), std::tuple("x=n", "x=y", "x=n"), std::tuple("x=y", "x=y", "x=y"),
        std::tuple("", "x=n", "x=n"), std::tuple("x=y", "z=n", "x=y, z=n"), std::tuple("", "", "")}) {
    UsagePreferences joined = UsagePreferences::Parse(a);
    joined.Add(UsagePreferences::Parse(b));
    EXPECT_EQ(joined.ToString(), both);
  }
}

TEST(UsagePreferencesTest, AreBounded) {
  std::string many;
  for (int i = 0; i < 1000; i++) many += (i == 0 ? "k" : ", k") + std::to_string(i) + "=n";
  const auto preferences = UsagePreferences::Parse(many);
  EXPECT_EQ(preferences.Of("k31"), UsagePreference::kDisallow);
  EXPECT_EQ(preferences.Of("k32"), UsagePreference::kUnknown);
  EXPECT_EQ(KeptOf(std::string(65, 'a') + "=n, b=n"), "b=n");
}

}  // namespace
}  // namespace crivello::web
