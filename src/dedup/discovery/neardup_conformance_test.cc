// SPDX-License-Identifier: Apache-2.0
// Near-duplicates judged by people, and planted ones with known resemblance.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/conformance_suite.h"
#include "base/random.h"
#include "base/test_support.h"
#include "dedup/discovery/fingerprinter.h"
#include "web/http/decompress.h"

namespace crivello::dedup {
namespace {

// Calls use(object) for each line of a file of gzipped JSON lines.
template <typename Use>
void ForEachJsonLine(const std::string& path, Use use) {
  const std::string bytes = ReadFile(path).value();
  const auto content = web::DecodeContent(bytes, "gzip");
  ASSERT_EQ(content.status(), web::DecompressStatus::kComplete) << path;
  std::istringstream lines{std::string(content.body())};
  simdjson::dom::parser parser;
  for (std::string line; std::getline(lines, line);) {
    simdjson::dom::element object;
    ASSERT_EQ(parser.parse(line).get(object), simdjson::SUCCESS) << path;
    use(object);
  }
}

std::string TextField(const simdjson::dom::element& object, const char* name) {
  std::string_view text;
  EXPECT_EQ(object[name].get(text), simdjson::SUCCESS) << name;
  return std::string(text);
}

std::vector<std::vector<std::string>> ReadTable(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) rows.back().push_back(field);
  }
  return rows;
}

// Documents with names, and the pairs that a method finds among them.
class NamedTexts {
 public:
  explicit NamedTexts(const std::string& path) {
    ForEachJsonLine(path, [&](const simdjson::dom::element& object) {
      numbers_.emplace(TextField(object, "id"), static_cast<uint32_t>(texts_.size()));
      texts_.push_back(TextField(object, "text"));
      verifier_.Add(texts_.back());
    });
  }
  const std::string& TextOf(const std::string& name) const { return texts_[numbers_.at(name)]; }
  bool Together(const std::vector<uint32_t>& clusters, const std::string& a, const std::string& b) const {
    return clusters[numbers_.at(a)] == clusters[numbers_.at(b)];
  }
  // The cluster of each document by the default method.
  std::vector<uint32_t> Discover() {
    const TemporaryFolder folder;
    Fingerprinter fingerprinter = Fingerprinter::Create({}).value();
    FingerprintRunBuilder builder(fingerprinter.run_shape(), 0);
    for (const std::string& text : texts_) {
      const TextFingerprint print = fingerprinter.Of(text);
      builder.Add(print.signature, print.keys);
    }
    const ImageWriter image = builder.Build();
    const FingerprintRun run = FingerprintRun::FromImage(image.bytes()).value();
    const auto report = DiscoverDuplicates({&run}, {.folder = folder.path(), .verifier = &verifier_});
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    const auto file = Mapped<DuplicateClusters>::Open(ClustersPath(folder.path())).value();
    std::vector<uint32_t> clusters;
    for (uint32_t i = 0; i < file->documents(); i++) clusters.push_back(file->ClusterOf(i));
    return clusters;
  }
  size_t size() const { return texts_.size(); }

 private:
  std::map<std::string, uint32_t> numbers_;
  std::vector<std::string> texts_;
  WordBagVerifier verifier_;
};

// The F1 score of the decisions, with its 95% interval by resampling.
struct JudgedScore {
  double f1 = 0, low = 0, high = 0;
};
JudgedScore ScoreOf(const std::vector<std::pair<bool, bool>>& decided_and_judged) {
  const auto f1 = [](const auto& pairs) {
    double right = 0, sum = 0;
    for (const auto& [decided, judged] : pairs) {
      right += decided && judged ? 1 : 0;
      sum += (decided ? 1 : 0) + (judged ? 1 : 0);
    }
    return sum == 0 ? 1 : 2 * right / sum;
  };
  SeededRandom random(1);
  std::vector<double> resampled;
  for (int round = 0; round < 2000; round++) {
    std::vector<std::pair<bool, bool>> sample;
    for (size_t i = 0; i < decided_and_judged.size(); i++) {
      sample.push_back(decided_and_judged[random.Below(decided_and_judged.size())]);
    }
    resampled.push_back(f1(sample));
  }
  std::sort(resampled.begin(), resampled.end());
  return {f1(decided_and_judged), resampled[resampled.size() / 40], resampled[resampled.size() * 39 / 40]};
}

using NeardupConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(NeardupConformanceTest);

TEST_P(NeardupConformanceTest, DecidesPairsAsPeopleJudgedThem) {
  const std::string path = SuitePath("neardup/webis_gov2_judged_pairs.jsonl.gz");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  std::vector<std::pair<bool, bool>> decided_and_judged;
  ForEachJsonLine(path, [&](const simdjson::dom::element& object) {
    int64_t label = 0;
    ASSERT_EQ(object["label"].get(label), simdjson::SUCCESS);
    const double share =
        WordShare(WordBag(Words(TextField(object, "text_a"))), WordBag(Words(TextField(object, "text_b"))));
    decided_and_judged.emplace_back(share >= kDefaultWordShare, label >= 1);
  });
  const JudgedScore score = ScoreOf(decided_and_judged);
  std::printf("conformance %s F1 %.3f, 95%% of resamples in %.3f to %.3f, %zu pairs\n",
              ScoreName("neardup/judged").c_str(), score.f1, score.low, score.high,
              decided_and_judged.size());
  EXPECT_GE(score.f1, is_sample() ? 1 : 0.90);
  EXPECT_EQ(decided_and_judged.size(), is_sample() ? 10u : 59u);
}

TEST_P(NeardupConformanceTest, FindsCopiesAmongNewsTexts) {
  const std::string path = SuitePath("neardup/plagiarism_1000.jsonl.gz");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  NamedTexts texts(path);
  const std::vector<uint32_t> clusters = texts.Discover();
  Score score(ScoreName("neardup/plagiarism"));
  const auto pairs = ReadTable(SuitePath("neardup/plagiarism_1000.pairs.tsv"));
  for (const auto& pair : pairs) {
    score.Case(texts.Together(clusters, pair[0], pair[1]), pair[0] + " " + pair[1]);
  }
  ExpectScore(score, {.cases = 10, .percent = 100});
  // And no other clusters: each pair reduces the number of clusters by one.
  const std::set<uint32_t> distinct(clusters.begin(), clusters.end());
  EXPECT_EQ(distinct.size(), texts.size() - pairs.size());
}

TEST_P(NeardupConformanceTest, FindsPlantedPairsAndEstimatesTheirResemblance) {
  const std::string path = SuitePath("neardup/synthetic_articles.jsonl.gz");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  NamedTexts texts(path);
  const std::vector<uint32_t> clusters = texts.Discover();
  Score near(ScoreName("neardup/nine-tenths-of-words"));
  std::map<std::string, std::pair<int, int>> kinds;
  MinHasher hasher = MinHasher::Create(kFineWebShape).value();
  Shingler shingler = Shingler::Create({}).value();
  double squares = 0, predicted = 0, difference = 0;
  int pairs = 0;
  for (const auto& row : ReadTable(SuitePath("neardup/synthetic_articles.pairs.tsv"))) {
    if (row[0] == "doc_a") continue;
    const Words a(texts.TextOf(row[0])), b(texts.TextOf(row[1]));
    const bool together = texts.Together(clusters, row[0], row[1]);
    kinds[row[2]].first += together ? 1 : 0;
    kinds[row[2]].second++;
    if (WordShare(WordBag(a), WordBag(b)) >= 0.9) near.Case(together, row[1]);
    const auto set_a = FingerprintSet(shingler.Cut(a));
    const double exact = OverlapOf(set_a, FingerprintSet(shingler.Cut(b))).Resemblance();
    const auto of_a = hasher.Minima(a);
    const std::vector<uint64_t> minima(of_a.begin(), of_a.end());
    const double error = EstimatedResemblance(minima, hasher.Minima(b)) - exact;
    squares += error * error;
    predicted += exact * (1 - exact) / static_cast<double>(minima.size());
    difference += std::abs(exact - std::stod(row[4]));
    pairs++;
  }
  for (const auto& [kind, found] : kinds) {
    std::printf("conformance %s/%s %d/%d\n", ScoreName("neardup").c_str(), kind.c_str(), found.first,
                found.second);
  }
  const double error = std::sqrt(squares / pairs), predicted_error = std::sqrt(predicted / pairs);
  std::printf("conformance %s error of 112 minima %.4f, predicted %.4f; from the given resemblance %.4f\n",
              ScoreName("neardup/resemblance").c_str(), error, predicted_error, difference / pairs);
  ExpectScore(near, {.percent = 99});
  if (is_sample()) return;  // too few for an average
  EXPECT_EQ(pairs, 840);
  EXPECT_NEAR(error, predicted_error, 0.2 * predicted_error);
  EXPECT_LT(difference / pairs, 0.02) << "words are told apart a little differently";
}

}  // namespace
}  // namespace crivello::dedup
