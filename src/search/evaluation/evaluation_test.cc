// SPDX-License-Identifier: Apache-2.0
#include "search/evaluation/evaluation.h"

#include <gmock/gmock.h>

#include <cmath>

#include "search/evaluation/evaluation_plots.h"

namespace crivello::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// d1 (grade 2), d3 and d7 (1) are relevant; d2, d4, d6 are judged and are not; d5 is not judged.
const std::map<std::string, int> kGrades = {{"d1", 2}, {"d2", 0}, {"d3", 1}, {"d4", 0}, {"d6", 0}, {"d7", 1}};
const std::vector<RankedDocument> kRanking = {{"d2", 9}, {"d1", 8}, {"d5", 7},
                                              {"d3", 6}, {"d4", 5}, {"d6", 4}};

double Value(const char* name) { return MeasureTopic(*Measure::Parse(name), kRanking, kGrades); }

// By hand, from trec_eval's definitions.
TEST(EvaluationTest, MeasuresAsTrecEvalDoes) {
  EXPECT_DOUBLE_EQ(Value("map"), (1.0 / 2 + 2.0 / 4) / 3);
  EXPECT_DOUBLE_EQ(Value("mrr"), 0.5);
  EXPECT_DOUBLE_EQ(Value("p@1"), 0);
  EXPECT_DOUBLE_EQ(Value("p@5"), 2.0 / 5);
  EXPECT_DOUBLE_EQ(Value("p@10"), 2.0 / 10);  // of ten, though there are six
  EXPECT_DOUBLE_EQ(Value("success@1"), Value("p@1"));
  EXPECT_DOUBLE_EQ(Value("success@10"), 1);
  EXPECT_DOUBLE_EQ(Value("recall"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(Value("recall@2"), 1.0 / 3);
  const double ideal = 2 / std::log2(2) + 1 / std::log2(3) + 1 / std::log2(4);
  EXPECT_DOUBLE_EQ(Value("ndcg"), (2 / std::log2(3) + 1 / std::log2(5)) / ideal);
  EXPECT_DOUBLE_EQ(Value("ndcg@2"), (2 / std::log2(3)) / (2 / std::log2(2) + 1 / std::log2(3)));
  // One judged wrong above d1 and d3, of three; d7 is not found.
  EXPECT_DOUBLE_EQ(Value("bpref"), (1 - 1.0 / 3 + 1 - 1.0 / 3) / 3);
}

TEST(EvaluationTest, BprefNeedsNoWrongOnes) {
  const std::map<std::string, int> grades = {{"a", 1}, {"b", 1}};
  EXPECT_DOUBLE_EQ(
      MeasureTopic(*Measure::Parse("bpref"), std::vector<RankedDocument>{{"x", 2}, {"a", 1}}, grades), 0.5);
  const std::map<std::string, int> one_wrong = {{"a", 1}, {"b", 1}, {"c", 0}, {"d", -1}, {"e", 0}};
  EXPECT_DOUBLE_EQ(
      MeasureTopic(*Measure::Parse("bpref"),
                   std::vector<RankedDocument>{{"c", 9}, {"a", 8}, {"d", 7}, {"e", 6}, {"b", 5}}, one_wrong),
      (0.5 + 0) / 2);
}

TEST(EvaluationTest, KnowsItsMeasures) {
  for (const Measure& measure : StandardMeasures()) EXPECT_EQ(*Measure::Parse(measure.ToString()), measure);
  for (const char* bad : {"", "p", "map@", "map@0", "map@x", "x@3", "ndcg@-1"})
    EXPECT_FALSE(Measure::Parse(bad).ok()) << bad;
}

TEST(EvaluationTest, AveragesOverTheTopicsThatHaveSomethingToFind) {
  const Judgements judgements = *ReadJudgements("1 0 a 1\n1 0 b 0\n2 0 a 0\n3 0 c 1\n");
  const RankedRun run = *ReadRun("1 Q0 a 1 2.5 t\n1 Q0 b 2 1.5 t\n9 Q0 a 1 1 t\n");
  const Evaluation evaluation = Evaluate(*Measure::Parse("map"), run, judgements);
  EXPECT_THAT(evaluation.topics, ElementsAre("1", "3"));
  EXPECT_THAT(evaluation.values, ElementsAre(1.0, 0.0));
  EXPECT_DOUBLE_EQ(evaluation.mean, 0.5);
}

TEST(EvaluationTest, ReadsWhatItWrites) {
  RankedRun run;
  run["7"] = {{"x", 3.25}, {"a", 1.5}, {"b", 1.5}, {"c", 1.5}, {"d", -2}};
  const RankedRun again = *ReadRun(WriteRun(run, "tag"));
  ASSERT_EQ(again.at("7").size(), 5u);
  for (size_t i = 0; i < 5; i++) EXPECT_EQ(again.at("7")[i].document, run["7"][i].document);
  EXPECT_THAT(WriteRun(run, "tag"), HasSubstr("7 Q0 x 1 3.25 tag\n"));
  const Judgements judgements = {{"1", kGrades}};
  EXPECT_EQ(*ReadJudgements(WriteJudgements(judgements)), judgements);
  // By score, whatever the rank says; equal ones by name, the greater first.
  const RankedRun sorted = *ReadRun("1 Q0 a 1 1.0 t\r\n1\tQ0\tc\t2\t2.0\tt\n\n1 Q0 b 3 1e0 t");
  EXPECT_EQ(sorted.at("1")[0].document, "c");
  EXPECT_EQ(sorted.at("1")[1].document, "b");
  const std::vector<Topic> topics = *ReadTopics("1\twhat is BM25?\n2\t x \r\n");
  EXPECT_EQ(topics[0].text, "what is BM25?");
  EXPECT_EQ(topics[1].text, "x");
}

TEST(EvaluationTest, NamesTheLineThatIsWrong) {
  EXPECT_THAT(ReadTopics("1\ta\nno tab").status().message(), HasSubstr("line 2"));
  EXPECT_THAT(ReadRun("1 Q0 a 1 x t").status().message(), HasSubstr("line 1"));
  EXPECT_THAT(ReadRun("1 Q0 a").status().message(), HasSubstr("line 1"));
  EXPECT_THAT(ReadJudgements("\n\n1 0 a").status().message(), HasSubstr("line 3"));
}

TEST(EvaluationTest, TellsADifferenceFromChance) {
  SeededRandom random(1);
  // Three topics, all better by the same: of the 8 ways to swap, 2 make a difference as large.
  const std::vector<double> low = {0.1, 0.2, 0.3};
  const std::vector<double> high = {0.2, 0.3, 0.4};
  const Comparison exact = CompareRuns(low, high, random);
  EXPECT_NEAR(exact.difference, 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(exact.p_value, 0.25);
  EXPECT_DOUBLE_EQ(CompareRuns(low, low, random).p_value, 1);
  std::vector<double> many(50, 0.5);
  std::vector<double> better(50, 0.6);
  EXPECT_LT(CompareRuns(many, better, random, 2000).p_value, 0.01);
  std::vector<double> noise;
  for (size_t i = 0; i < 50; i++) noise.push_back(i % 2 == 0 ? 0.6 : 0.4);
  EXPECT_GT(CompareRuns(many, noise, random, 2000).p_value, 0.5);
}

TEST(EvaluationTest, ChoosesOnOneHalfAndMeasuresOnTheOther) {
  // Setting 0 is good on even topics, 1 on odd ones, 2 fair on all.
  const std::vector<std::vector<double>> scores = {{1, 0, 1, 0}, {0, 0.9, 0, 0.9}, {0.4, 0.4, 0.4, 0.4}};
  const CrossValidation validation = CrossValidate(scores, 2);
  EXPECT_EQ(validation.best, 0u);
  EXPECT_DOUBLE_EQ(validation.best_mean, 0.5);
  EXPECT_THAT(validation.by_fold, ElementsAre(1, 0));  // chosen on the odd ones for the even, and so on
  EXPECT_DOUBLE_EQ(validation.validated_mean, 0);
}

// Relevant at ranks 1 and 4 of 2: precision 1 up to recall 0.5, then 1/2.
TEST(EvaluationPlotsTest, InterpolatesPrecision) {
  const Judgements judgements = {{"1", {{"a", 1}, {"b", 1}, {"c", 0}}}, {"2", {{"x", 0}}}};
  const RankedRun run = {{"1", {{"a", 4}, {"c", 3}, {"d", 2}, {"b", 1}}}};
  const std::array<double, 11> values = PrecisionByRecall(run, judgements);
  for (size_t level = 0; level <= 10; level++) EXPECT_EQ(values[level], level <= 5 ? 1.0 : 0.5) << level;
}

TEST(EvaluationPlotsTest, DrawsWhatItIsGiven) {
  EXPECT_NE(PlotPrecisionByRecall({{"ours <1>", {}}}).find("ours &lt;1&gt;"), std::string::npos);
  const std::string bars = PlotDifferences({"map", {"t&1", "t2"}, {-0.25, 0.5}});
  EXPECT_LT(bars.find("t2 +0.5000"), bars.find("t&amp;1 -0.2500"));
  const std::string surface = PlotSurface({"map", "k1", "b", {1.2f}, {0, 0.75f}, {{0.25, 0.3125}}});
  EXPECT_NE(surface.find("0.3125"), std::string::npos);
  for (const std::string& svg : {bars, surface, PlotDifferences({}), PlotSurface({})}) {
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n")) << svg;
  }
}

}  // namespace
}  // namespace crivello::search
