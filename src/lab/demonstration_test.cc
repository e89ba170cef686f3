// SPDX-License-Identifier: Apache-2.0
#include "lab/demonstration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "lab/menu.h"

namespace crivello::lab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string Joined(const Demonstration& shown) {
  std::string all;
  for (const std::string& step : shown.steps) all += step + "\n";
  return all;
}

// The picture is complete, and contains nothing that a browser would run or fetch.
void CheckSvg(const Demonstration& shown) {
  EXPECT_TRUE(shown.svg.starts_with("<svg ") && shown.svg.ends_with("</svg>\n"));
  EXPECT_THAT(shown.svg, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("href")), Not(HasSubstr("nan"))));
  EXPECT_FALSE(shown.steps.empty());
}

TEST(DemonstrationTest, ShowsTheCodesOfTable2) {
  const std::vector<uint64_t> numbers = {7, 15};
  const Demonstration shown = ShowCodes(numbers).value();
  CheckSvg(shown);
  const std::string text = Joined(shown);
  EXPECT_THAT(text, HasSubstr("gamma          7 bits  0001000"));
  EXPECT_THAT(text, HasSubstr("delta          9 bits  001010000")) << "the errata's word";
  EXPECT_THAT(text, HasSubstr("golomb3        5 bits  00110"));
  EXPECT_THAT(text, HasSubstr("3 in unary is 0001, so the word is 0001000"));
  EXPECT_FALSE(ShowCodes({}).ok());
  const std::vector<uint64_t> huge = {uint64_t{1} << 40};
  EXPECT_FALSE(ShowCodes(huge).ok());
}

TEST(DemonstrationTest, ShowsTheEliasFanoExampleOfTheNotes) {
  const std::vector<uint64_t> numbers = {5, 8, 8, 15, 32};
  const Demonstration shown = ShowEliasFano(numbers, 36, 9).value();
  CheckSvg(shown);
  const std::string text = Joined(shown);
  EXPECT_THAT(text, HasSubstr("= 2: each number has 2 lower bits"));
  EXPECT_THAT(text, HasSubstr("\n0101101000001\n")) << "01 01 1 01 000001";
  EXPECT_THAT(text, HasSubstr("number 3, which is 15"));
  const std::vector<uint64_t> decreasing = {3, 1};
  EXPECT_FALSE(ShowEliasFano(decreasing, 0, 0).ok());
  EXPECT_FALSE(ShowEliasFano(numbers, 31, 0).ok());
}

TEST(DemonstrationTest, LetsEachUrlThroughOnceInOrderOfArrival) {
  const std::vector<std::string> urls = {"http://b/", "http://a/", "http://b/", "http://c/",
                                         "http://a/", "http://d/", "http://a/"};
  for (const size_t capacity : {size_t{1}, size_t{2}, size_t{3}, size_t{16}}) {
    const Demonstration shown = ShowSieve(urls, capacity).value();
    CheckSvg(shown);
    std::vector<std::string> out;
    for (const std::string& step : shown.steps) {
      const std::regex line("\n  (http://[a-z]/)");
      for (std::sregex_iterator it(step.begin(), step.end(), line), end; it != end; ++it)
        out.push_back((*it)[1]);
    }
    EXPECT_THAT(out, ElementsAre("http://b/", "http://a/", "http://c/", "http://d/")) << capacity;
  }
  EXPECT_FALSE(ShowSieve({}, 3).ok());
  EXPECT_FALSE(ShowSieve(urls, 0).ok());
}

TEST(DemonstrationTest, ShowsBallsNearTheExactOnes) {
  // A cycle of six with a chord; every node reaches all others.
  const ArcList arcs = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}};
  const Demonstration shown = ShowHyperBall(arcs, 10).value();
  CheckSvg(shown);
  const std::string last = shown.steps.back();
  const std::regex line("\n +([0-9]+) +([0-9]+) +([0-9.]+)");
  std::map<int, std::pair<double, double>> pairs;
  for (std::sregex_iterator it(last.begin(), last.end(), line), end; it != end; ++it)
    pairs[std::stoi((*it)[1])] = {std::stod((*it)[2]), std::stod((*it)[3])};
  ASSERT_FALSE(pairs.empty());
  EXPECT_EQ(pairs[0].first, 6);
  EXPECT_EQ(pairs[1].first, 13) << "outdegrees and the nodes themselves";
  EXPECT_EQ(pairs.rbegin()->second.first, 36);
  for (const auto& [t, both] : pairs) EXPECT_NEAR(both.second / both.first, 1, 0.1) << t;
  EXPECT_FALSE(ShowHyperBall({}, 8).ok());
  EXPECT_FALSE(ShowHyperBall({{0, 1000}}, 8).ok());
  EXPECT_FALSE(ShowHyperBall(arcs, 2).ok());
}

TEST(DemonstrationTest, ShowsVotesAndDistance) {
  const Demonstration same = ShowSimHash("tropical fish", "fish tropical", 8).value();
  CheckSvg(same);
  EXPECT_THAT(same.steps.back(), HasSubstr("0 of 8 bits differ"));
  EXPECT_THAT(Joined(ShowSimHash("fish fish salt", "water", 16).value()), HasSubstr("\n  2  "));
  EXPECT_FALSE(ShowSimHash("", "water", 8).ok());
  EXPECT_FALSE(ShowSimHash("a", "b", 0).ok());
}

TEST(DemonstrationTest, ShowsThePlateauOfAPage) {
  std::string html = "<html><body><ul>";
  for (int i = 0; i < 10; i++) html += "<li><a href=/>x</a></li>";
  html += "</ul><p>";
  for (int i = 0; i < 100; i++) html += "word ";
  const Demonstration shown = ShowSlope(html + "</p></body></html>").value();
  CheckSvg(shown);
  EXPECT_THAT(Joined(shown), HasSubstr("maximise"));
}

TEST(DemonstrationTest, ShowsThatDocumentsAboutDogsAndAboutCatsAreAboutAnimals) {
  const Demonstration shown = ShowByName("lsi", {}, {}).value();
  CheckSvg(shown);
  EXPECT_THAT(shown.steps[1], HasSubstr("2.7294, 1.5970, 1.0000"));
  EXPECT_THAT(shown.steps[3], HasSubstr("document 3 does not contain 'cani', and now has 0.50 for it"));
  EXPECT_THAT(shown.steps[3], HasSubstr("document 1 does not contain 'gatti', and now has 0.50 for it"));
  EXPECT_FALSE(ShowByName("lsi", {.rank = 4}, {}).ok());
  const std::vector<std::string> one = {"a b"}, empty = {"", " "};
  EXPECT_FALSE(ShowLsi(one, 0).ok());
  EXPECT_FALSE(ShowLsi(empty, 0).ok());
}

TEST(MenuTest, KnowsEveryDemonstrationByName) {
  for (const char* name :
       {"codes", "elias-fano", "sieve", "assignment", "hyperball", "simhash", "slope", "lsi"}) {
    const auto shown = ShowByName(name, {}, {});
    ASSERT_TRUE(shown.ok()) << name << shown.status().ToString();
    CheckSvg(*shown);
  }
  EXPECT_EQ(ShowByName("alchemy", {}, {}).status().code(), StatusCode::kNotFound);
  EXPECT_THAT(WordsOfLine("one  \"two words\" a\"b c\" \"\""), ElementsAre("one", "two words", "ab c", ""));
}

TEST(DemonstrationTest, ShowsThatOnlyTheCounterExampleMovesKeysBetweenAgentsThatWereThere) {
  const Demonstration shown = ShowByName("assignment", {}, {}).value();
  CheckSvg(shown);
  ASSERT_EQ(shown.steps.size(), 5u);
  int counter_examples = 0;
  for (size_t i = 1; i < shown.steps.size(); i++) {
    std::smatch found;
    ASSERT_TRUE(std::regex_search(
        shown.steps[i], found,
        std::regex(
            "when E joins, ([0-9]+) of 12 keys move, ([0-9]+) of them between agents that were there")))
        << shown.steps[i];
    const bool is_modulo = shown.steps[i].starts_with("modulo:");
    EXPECT_EQ(std::stoi(found[2]) == 0, !is_modulo) << shown.steps[i];
    EXPECT_GT(std::stoi(found[1]), 0) << shown.steps[i];
    counter_examples += is_modulo ? 1 : 0;
  }
  EXPECT_EQ(counter_examples, 1);
  const std::vector<std::string> one = {"example.org"};
  EXPECT_THAT(Joined(ShowAssignment(one, 1).value()), HasSubstr("1 keys, agents A; then B joins"));
  EXPECT_EQ(ShowAssignment({}, 3).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ShowAssignment(one, 0).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ShowAssignment(one, 20).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::lab
