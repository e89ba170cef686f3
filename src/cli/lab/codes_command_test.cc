// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/cli_test_support.h"
#include "lab/measure.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

std::vector<nlohmann::json> Lines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

TEST(CodesCommandTest, PrintsTheWordsOfACode) {
  const Outcome table = Crivello({"codes", "table", "gamma", "--to", "3"});
  EXPECT_EQ(table.out, "number  codeword\n     0  1\n     1  010\n     2  011\n     3  00100\n");
  const auto words = nlohmann::json::parse(Crivello({"codes", "table", "gamma", "--to", "15", "--json"}).out);
  EXPECT_EQ(words["code"], "gamma");
  EXPECT_EQ(words["words"].size(), 16u);
  EXPECT_EQ(words["words"][15], "000010000");
}

TEST(CodesCommandTest, StopsWhereACodeHasNoMoreWords) {
  const auto words = nlohmann::json::parse(Crivello({"--json", "codes", "table", "minimal-binary3"}).out);
  EXPECT_EQ(words["words"], (nlohmann::json{"0", "10", "11"}));
  const auto last = nlohmann::json::parse(Crivello({"--json", "codes", "table", "delta", "--from",
                                                    "18446744073709551615", "--to", "18446744073709551615"})
                                              .out);
  EXPECT_EQ(last["words"].size(), 1u);
}

TEST(CodesCommandTest, TellsLengthAndProbabilityOfANumber) {
  const auto lines = Lines(Crivello({"--json", "codes", "number", "7", "gamma", "unary"}).out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["length"], 7);
  EXPECT_EQ(lines[0]["probability"], 1.0 / 128);
  EXPECT_EQ(lines[0]["word"], "0001000");
  EXPECT_EQ(lines[1]["length"], 8);
  EXPECT_EQ(Crivello({"codes", "number", "18446744073709551615"}).code, kDone);
}

TEST(CodesCommandTest, BuildsACodeFromLengths) {
  const auto code =
      nlohmann::json::parse(Crivello({"--json", "codes", "from-lengths", "1", "2", "3", "3"}).out);
  EXPECT_EQ(code["words"], (nlohmann::json{"0", "10", "110", "111"}));
  EXPECT_EQ(code["complete"], true);
  const Outcome impossible = Crivello({"codes", "from-lengths", "1", "1", "1"});
  EXPECT_EQ(impossible.code, kWrongUsage);
  EXPECT_THAT(impossible.err, HasSubstr("3/2"));
}

TEST(CodesCommandTest, ChecksWordsAsTheDefinitionsSay) {
  const auto notes = nlohmann::json::parse(Crivello({"--json", "codes", "check", "0", "01", "1"}).out);
  EXPECT_EQ(notes, (nlohmann::json{{"instantaneous", false}, {"complete", true}, {"kraft", 1.25}}));
  const auto good = nlohmann::json::parse(Crivello({"--json", "codes", "check", "0", "1"}).out);
  EXPECT_EQ(good, (nlohmann::json{{"instantaneous", true}, {"complete", true}, {"kraft", 1.0}}));
  const Outcome text = Crivello({"codes", "check", "0", "01", "1"});
  EXPECT_EQ(text.code, kDone);
  EXPECT_THAT(text.out, HasSubstr("no: 0 is a prefix of 01"));
  EXPECT_THAT(text.out, HasSubstr("Kraft sum      5/4"));
  EXPECT_THAT(text.out, HasSubstr("ambiguous: 01 is 0 1 or 01"));
  EXPECT_THAT(Crivello({"codes", "check", "0", "10"}).out, HasSubstr("no: 11 could be added"));
  EXPECT_EQ(Crivello({"codes", "check", "0", "2"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"codes", "check"}).code, kWrongUsage);
}

TEST(CodesCommandTest, ShowsWhichCodesAreUniversal) {
  double gamma = 0, delta = 0, unary = 0;
  for (const auto& line : Lines(Crivello({"--json", "codes", "universal", "gamma", "delta", "unary"}).out)) {
    if (line["entropy"] != 20) continue;
    (line["code"] == "gamma" ? gamma : line["code"] == "delta" ? delta : unary) = line["mean_bits"];
  }
  EXPECT_NEAR(gamma / 20, 1.95, 0.1);
  EXPECT_LT(delta, gamma * 0.75);
  EXPECT_GT(unary, 1e5);
  EXPECT_THAT(Crivello({"codes", "universal", "minimal-binary7"}).out, HasSubstr("minimal-binary7"));
}

TEST(CodesCommandTest, MeasuresEveryCodeOnAFile) {
  const TemporaryFolder folder;
  WriteText(folder / "numbers", "1 2 3 5 8 13 21 34 55 89");
  const auto lines = Lines(Crivello({"--json", "codes", "measure", folder / "numbers", "--gaps"}).out);
  std::map<std::string, nlohmann::json> by_code;
  for (const auto& line : lines) {
    if (line.contains("code")) by_code[line["code"]] = line;
  }
  // The gaps are 1 0 0 1 2 4 7 12 20 33: in γ 3+1+1+3+3+5+7+7+9+11 bits.
  EXPECT_DOUBLE_EQ(by_code.at("gamma")["bits_per_integer"], 5.0);
  for (const char* code : {"delta", "zeta3", "pfor", "stream-vbyte", "rans", "interpolative", "elias-fano"}) {
    EXPECT_GT(by_code.at(code)["ns_per_integer"], 0.0) << code;
  }
  EXPECT_EQ(lines.back()["integers"], 10);
  EXPECT_THAT(Crivello({"codes", "measure", folder / "numbers", "--words"}).out,
              HasSubstr("10 integers in 10 increasing lists"));
}

TEST(CodesCommandTest, MeasuresNumbersThatFitNoWord) {
  const TemporaryFolder folder;
  WriteText(folder / "numbers", "18446744073709551615 0 18446744073709551615");
  const auto lines = Lines(Crivello({"--json", "codes", "measure", folder / "numbers"}).out);
  EXPECT_EQ(lines[0]["code"], "unary");
  EXPECT_FALSE(lines[0].contains("ns_per_integer"));
}

TEST(CodesCommandTest, PacksAListThatInspectThenShows) {
  const TemporaryFolder folder;
  WriteText(folder / "numbers", "5 8 8 15 32");
  ASSERT_EQ(Crivello({"codes", "pack", folder / "numbers", "--to", folder / "ef"}).code, kDone);
  const auto shown = nlohmann::json::parse(Crivello({"inspect", folder / "ef", "--json"}).out);
  EXPECT_EQ(shown["kind"], "elias-fano");
  WriteText(folder / "numbers", "5 4");
  const Outcome unsorted = Crivello({"codes", "pack", folder / "numbers", "--to", folder / "ef2"});
  EXPECT_EQ(unsorted.code, kWrongUsage);
  EXPECT_THAT(unsorted.err, HasSubstr("4 follows 5"));
}

TEST(CodesCommandTest, ExplainsWhatItCannotDo) {
  const TemporaryFolder folder;
  WriteText(folder / "bad", "1\nx\n");
  WriteText(folder / "empty", "");
  EXPECT_EQ(Crivello({"codes", "measure", folder / "bad"}).code, kBadData);
  EXPECT_THAT(Crivello({"codes", "measure", folder / "bad"}).err, HasSubstr("line 2: invalid integer 'x'"));
  EXPECT_EQ(Crivello({"codes", "measure", folder / "empty"}).code, kBadData);
  EXPECT_EQ(Crivello({"codes", "measure", folder / "none"}).code, kIoFailure);
  EXPECT_EQ(Crivello({"codes", "table", "huffman"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"codes", "table", "gamma", "--from", "5", "--to", "1"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"codes", "measure", folder / "bad", "--words", "--gaps"}).code, kWrongUsage);
}

TEST(MeasureTest, KnowsTheEntropyOfACoin) {
  EXPECT_DOUBLE_EQ(lab::EntropyOf({0, 1, 0, 1}), 1.0);
  EXPECT_DOUBLE_EQ(lab::EntropyOf({7, 7}), 0.0);
}

}  // namespace
}  // namespace crivello::cli
