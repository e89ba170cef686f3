// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/atomic_file.h"
#include "base/file_system.h"
#include "base/random.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "engine/ranking_profile.h"
#include "index/segments/snapshot.h"
#include "search/evaluation/evaluation.h"
#include "search/evaluation/evaluation_plots.h"
#include "search/index_searcher.h"
#include "search/ranking_weights.h"

namespace crivello::cli {
namespace {

struct EvalFlags {
  std::string topics;
  std::string qrels;
  std::string run;      // to write
  std::string score;    // an earlier run, evaluated instead of searching
  std::string compare;  // an earlier run to compare with
  std::string plot;     // a picture to write
  std::vector<std::string> measures;
  std::vector<std::string> weights;
  std::string profile;
  std::string rank = "bm25f";
  std::optional<float> k1;
  std::optional<float> b;
  std::optional<float> proximity;
  std::string static_rank;
  std::optional<float> static_weight;
  uint64_t depth = 1000;
  bool fold = false;
  bool sweep = false;
  bool each = false;
};

Result<std::vector<search::Measure>> Measures(const EvalFlags& options) {
  if (options.measures.empty()) return search::StandardMeasures();
  std::vector<search::Measure> measures;
  for (const std::string& name : options.measures) {
    CRV_ASSIGN(measures.emplace_back(), search::Measure::Parse(name));
  }
  return measures;
}

// NAME=NUMBER
Status SetWeight(const std::string& text, search::RankingOptions* ranking) {
  const size_t at = text.find('=');
  double value = 0;
  const char* end = text.data() + text.size();
  if (at == std::string::npos || std::from_chars(text.data() + at + 1, end, value).ptr != end) {
    return Status::InvalidArgument("--weight " + text + ": expected NAME=NUMBER");
  }
  return search::SetWeight(text.substr(0, at), value, ranking);
}

Result<search::RankedRun> ReadRunFile(const std::string& path) {
  CRV_ASSIGN(const std::string text, ReadFile(path));
  auto run = search::ReadRun(text);
  if (!run.ok()) return run.status().WithContext(path);
  return run;
}

class Evaluator {
 public:
  Evaluator(const Session& session, const EvalFlags& options) : session_(session), options_(options) {}

  Result<int> Run() {
    CRV_ASSIGN(measures_, Measures(options_));
    if (!options_.qrels.empty()) {
      CRV_ASSIGN(const std::string text, ReadFile(options_.qrels));
      auto judgements = search::ReadJudgements(text);
      if (!judgements.ok()) return judgements.status().WithContext(options_.qrels);
      judgements_ = *std::move(judgements);
    } else if (options_.run.empty()) {
      return Status::InvalidArgument(
          "--qrels (relevance judgements) or --run (file for the results) is missing");
    }
    if (!options_.score.empty()) {
      CRV_ASSIGN(run_, ReadRunFile(options_.score));
    } else {
      CRV_TRY(Search());
    }
    if (options_.sweep) return Sweep();
    if (!options_.run.empty()) {
      CRV_TRY(WriteFileAtomically(options_.run, AsBytes(search::WriteRun(run_, "crivello"))));
    }
    if (judgements_.empty()) return kDone;
    CRV_TRY(Report());
    return kDone;
  }

 private:
  Status Search() {
    if (options_.topics.empty())
      return Status::InvalidArgument("--topics is missing: name a file of queries");
    CRV_ASSIGN(const std::string text, ReadFile(options_.topics));
    auto topics = search::ReadTopics(text);
    if (!topics.ok()) return topics.status().WithContext(options_.topics);
    topics_ = *std::move(topics);
    CRV_ASSIGN(auto snapshot, OpenSnapshot(session_));
    CRV_ASSIGN(searcher_, search::IndexSearcher::Create(std::move(snapshot)));
    if (options_.profile.empty()) {
      CRV_ASSIGN(const search::Ranking formula, search::FindRanking(options_.rank));
      ranking_ = search::RankingOptions::For(formula);
      if (options_.k1) ranking_.bm25.k1 = *options_.k1;
      if (options_.b) ranking_.bm25.b = *options_.b;
      if (options_.proximity) ranking_.proximity = *options_.proximity;
      ranking_.rank = options_.static_rank;
      if (options_.static_weight) ranking_.rank_weight = *options_.static_weight;
    } else {
      CRV_ASSIGN(ranking_, engine::LoadRankingProfile(session_.collection, options_.profile));
    }
    for (const std::string& weight : options_.weights) CRV_TRY(SetWeight(weight, &ranking_));
    CRV_ASSIGN(run_, search::RunTopics(*searcher_, topics_, ranking_, options_.depth, options_.fold));
    return Status::Ok();
  }

  Status Plot(const std::string& svg) const { return WriteFileAtomically(options_.plot, AsBytes(svg)); }
  // For two runs, plots the topics in which they differ, by the first measure; for one, its curve.
  Status PlotRuns(const std::optional<search::RankedRun>& other) const {
    if (!other) {
      return Plot(search::PlotPrecisionByRecall({{"run", search::PrecisionByRecall(run_, judgements_)}}));
    }
    search::Evaluation ours = search::Evaluate(measures_[0], run_, judgements_);
    const search::Evaluation theirs = search::Evaluate(measures_[0], *other, judgements_);
    search::Differences differences{measures_[0].ToString(), std::move(ours.topics), std::move(ours.values)};
    for (size_t i = 0; i < differences.values.size(); i++) differences.values[i] -= theirs.values[i];
    return Plot(search::PlotDifferences(differences));
  }

  Status Report() const {
    std::optional<search::RankedRun> other;
    if (!options_.compare.empty()) {
      CRV_ASSIGN(other, ReadRunFile(options_.compare));
    }
    Json json;
    Table table(other ? std::vector<Column>{{"measure"},
                                            {"value", true},
                                            {"other", true},
                                            {"difference", true},
                                            {"p", true}}
                      : std::vector<Column>{{"measure"}, {"value", true}});
    SeededRandom random(1);
    for (const search::Measure& measure : measures_) {
      const search::Evaluation ours = search::Evaluate(measure, run_, judgements_);
      json[measure.ToString()] = ours.mean;
      std::vector<std::string> row = {measure.ToString(), fmt::format("{:.4f}", ours.mean)};
      if (other) {
        const search::Evaluation theirs = search::Evaluate(measure, *other, judgements_);
        const search::Comparison comparison = search::CompareRuns(theirs.values, ours.values, random);
        json[measure.ToString() + "_other"] = theirs.mean;
        json[measure.ToString() + "_p"] = comparison.p_value;
        row.insert(row.end(),
                   {fmt::format("{:.4f}", theirs.mean), fmt::format("{:+.4f}", comparison.difference),
                    fmt::format("{:.4f}", comparison.p_value)});
      }
      table.Row(std::move(row));
      if (options_.each) PrintEach(measure, ours);
    }
    if (session_.json) {
      PrintJson(session_, json);
    } else {
      session_.out->Print("{}", table.ToString());
    }
    if (!options_.plot.empty()) CRV_TRY(PlotRuns(other));
    return Status::Ok();
  }

  void PrintEach(const search::Measure& measure, const search::Evaluation& evaluation) const {
    for (size_t i = 0; i < evaluation.topics.size(); i++) {
      if (session_.json) {
        PrintJson(session_, {{"topic", evaluation.topics[i]}, {measure.ToString(), evaluation.values[i]}});
      } else {
        session_.out->Print("{:<12} {:<12} {:.4f}\n", measure.ToString(), Printable(evaluation.topics[i]),
                            evaluation.values[i]);
      }
    }
  }

  // k1 and b over a grid; the best values are evaluated on topics that were not used to choose them.
  Result<int> Sweep() {
    if (searcher_ == nullptr || judgements_.empty()) {
      return Status::InvalidArgument("a sweep needs --topics and --qrels");
    }
    struct Setting {
      float k1, b;
    };
    std::vector<Setting> settings;
    std::vector<std::vector<double>> values;
    Table table({{"k1", true}, {"b", true}, {measures_[0].ToString(), true}});
    search::Surface surface{measures_[0].ToString(),          "k1", "b", {0.4f, 0.8f, 1.2f, 1.6f, 2.0f, 3.0f},
                            {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}, {}};
    for (const float k1 : surface.rows) {
      surface.values.emplace_back();
      for (const float b : surface.columns) {
        ranking_.bm25 = {.k1 = k1, .b = b};
        CRV_ASSIGN(const search::RankedRun run,
                   search::RunTopics(*searcher_, topics_, ranking_, options_.depth, options_.fold));
        const search::Evaluation evaluation = search::Evaluate(measures_[0], run, judgements_);
        settings.push_back({k1, b});
        values.push_back(evaluation.values);
        surface.values.back().push_back(evaluation.mean);
        table.Row({fmt::format("{}", k1), fmt::format("{}", b), fmt::format("{:.4f}", evaluation.mean)});
      }
    }
    if (!options_.plot.empty()) CRV_TRY(Plot(search::PlotSurface(surface)));
    const search::CrossValidation best = search::CrossValidate(values);
    const Setting& chosen = settings[best.best];
    if (session_.json) {
      PrintJson(session_, {{"measure", measures_[0].ToString()},
                           {"k1", chosen.k1},
                           {"b", chosen.b},
                           {"best", best.best_mean},
                           {"cross_validated", best.validated_mean}});
    } else {
      session_.out->Print("{}best: k1 {} b {}: {:.4f}; cross-validated: {:.4f}\n", table.ToString(),
                          chosen.k1, chosen.b, best.best_mean, best.validated_mean);
    }
    return kDone;
  }

  const Session& session_;
  const EvalFlags& options_;
  std::vector<search::Measure> measures_;
  search::Judgements judgements_;
  std::vector<search::Topic> topics_;
  search::RankingOptions ranking_;
  std::unique_ptr<search::IndexSearcher> searcher_;
  search::RankedRun run_;
};

}  // namespace

void AddEvalCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("eval", "Measure search quality against relevance judgements");
  auto options = std::make_shared<EvalFlags>();
  command->add_option("--topics", options->topics, "File of queries, one per line: ID TAB TEXT")
      ->type_name("FILE");
  command->add_option("--qrels", options->qrels, "File of relevance judgements in TREC's format")
      ->type_name("FILE");
  command->add_option("--run", options->run, "Write the results to this file, as a TREC run")
      ->type_name("FILE");
  command->add_option("--score", options->score, "Evaluate this run instead of searching")->type_name("FILE");
  command->add_option("--compare", options->compare, "Compare with this run, query by query")
      ->type_name("FILE");
  command->add_option("--measure", options->measures,
                      "map, mrr, bpref, ndcg, recall, p@10, ndcg@10, recall@100, success@3");
  command->add_option("--rank", options->rank, "Ranking formula")
      ->check(CLI::IsMember({"bm25", "bm25f", "tfidf", "tfidf-max", "count"}))
      ->capture_default_str();
  command->add_option("--k1", options->k1, "Parameter of BM25 (default: 1.6 for bm25f, 1.2 for bm25)");
  command->add_option("--b", options->b, "Parameter of BM25 (default: 0.75)");
  command->add_option("--proximity", options->proximity,
                      "Weight of query words that are near each other (default: 0.1 for bm25f)");
  command->add_option("--static", options->static_rank,
                      "Static score to add: a rank of the collection, inlinks, depth, or none");
  command->add_option("--static-weight", options->static_weight, "Weight of the static score")
      ->check(CLI::Range(0.0f, 1000.0f));
  command
      ->add_option("--profile", options->profile,
                   "Ranking profile, instead of --rank, --k1, --b, --proximity and --static")
      ->type_name("NAME");
  command->add_option("--weight", options->weights, "Weight of the ranking, NAME=NUMBER (docs/ranking.md)");
  command->add_option("--depth", options->depth, "Number of documents for each query")->capture_default_str();
  command->add_flag("--fold", options->fold,
                    "Count copies and translations of a page as one result, as 'search' shows them");
  command
      ->add_option("--plot", options->plot,
                   "Write an SVG plot of precision by recall, of the differences, or of the sweep")
      ->type_name("FILE");
  command->add_flag("--each", options->each, "Also print the values of each query");
  command->add_flag("--sweep", options->sweep, "Try many values of k1 and b, with cross-validation");
  command->footer(
      "Measures are computed as by trec_eval; p comes from a paired randomisation test.\n"
      "\n"
      "Examples:\n"
      "  crivello eval --topics topics.tsv --qrels qrels.txt\n"
      "  crivello eval --topics topics.tsv --run ours.run\n"
      "  crivello eval --score ours.run --compare theirs.run --qrels qrels.txt\n"
      "  crivello eval --topics topics.tsv --qrels qrels.txt --sweep --measure map");
  Runs(*command, session, [&session, options] { return Evaluator(session, *options).Run(); });
}

}  // namespace crivello::cli
