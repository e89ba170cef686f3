// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/status.h"
#include "search/searcher.h"

namespace crivello::search {

// How good results are, measured against judgements, by the definitions of trec_eval.  Pure functions but for
// RunTopics().

struct Topic {
  std::string id;
  std::string text;
};
// A line each: id, TAB, text.
Result<std::vector<Topic>> ReadTopics(std::string_view text);

struct RankedDocument {
  std::string document;
  double score = 0;
};
// For each topic its documents, the best first.
using RankedRun = std::map<std::string, std::vector<RankedDocument>>;
// Lines "topic Q0 document rank score tag".  The rank is not looked at: documents are in the order of their
// scores, and equal ones by name, the greater first, as trec_eval has them.
Result<RankedRun> ReadRun(std::string_view text);
// Scores are written so that equal ones keep the order they have here.
std::string WriteRun(const RankedRun& run, std::string_view tag);

// For each topic the documents judged, with their grade; above zero is relevant.
using Judgements = std::map<std::string, std::map<std::string, int>>;
// Lines "topic iteration document grade".
Result<Judgements> ReadJudgements(std::string_view text);
std::string WriteJudgements(const Judgements& judgements);

// Each topic in plain words, `depth` documents deep, without grouping; with `fold` copies and translations
// are one result, as people see them.  Documents are known by their ids, or by their URLs where they have
// none.
Result<RankedRun> RunTopics(Searcher& searcher, std::span<const Topic> topics, const RankingOptions& ranking,
                            size_t depth = 1000, bool fold = false);

// A measure of one ranking: "map", "mrr", "bpref", "ndcg", "recall", or with a cut "p@10", "ndcg@10",
// "recall@100", "success@3": whether any is relevant.
struct Measure {
  enum class Kind : uint8_t {
    kAveragePrecision,
    kReciprocalRank,
    kBpref,
    kNdcg,
    kRecall,
    kPrecision,
    kSuccess
  };
  Kind kind = Kind::kAveragePrecision;
  size_t cut = 0;  // 0: all
  static Result<Measure> Parse(std::string_view name);
  std::string ToString() const;
  friend bool operator==(const Measure&, const Measure&) = default;
};
// What `eval` prints.
std::vector<Measure> StandardMeasures();

// Of a topic; 0 if nothing is relevant.
double MeasureTopic(const Measure& measure, std::span<const RankedDocument> ranking,
                    const std::map<std::string, int>& grades);

struct Evaluation {
  std::vector<std::string> topics;  // those with a relevant document, in order
  std::vector<double> values;       // of each; 0 for one that was not run (as with trec_eval -c)
  double mean = 0;
};
Evaluation Evaluate(const Measure& measure, const RankedRun& run, const Judgements& judgements);

// Whether two runs differ by more than chance: the share of all ways to swap the values of topics between
// the runs that make a difference of means at least as large.  (Fisher's randomisation test; Smucker, Allan,
// Carterette: A comparison of statistical significance tests for IR evaluation, 2007.)  All 2^n ways up to 16
// topics, else as many as `samples`, drawn.  REQUIRES: as many values.
struct Comparison {
  double difference = 0;  // of the means: second less first
  double p_value = 1;
};
Comparison CompareRuns(std::span<const double> first, std::span<const double> second, Random& random,
                       size_t samples = 100000);

// The value of choosing among settings on some topics and using the choice on others: for each fold the
// setting with the best mean over the other topics is taken, and its values on the topics of the fold count.
// scores[setting][topic]; topic t is in fold t mod folds.  REQUIRES: a setting, as many topics in each.
struct CrossValidation {
  size_t best = 0;              // on all topics
  double best_mean = 0;         // which is too good: it was chosen by them
  double validated_mean = 0;    // over the folds
  std::vector<size_t> by_fold;  // what was taken
};
CrossValidation CrossValidate(std::span<const std::vector<double>> scores, size_t folds = 5);

}  // namespace crivello::search
