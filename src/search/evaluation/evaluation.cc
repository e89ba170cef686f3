// SPDX-License-Identifier: Apache-2.0
#include "search/evaluation/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace crivello::search {
namespace {

struct KindName {
  Measure::Kind kind;
  std::string_view name;
};
constexpr std::array<KindName, 7> kKinds = {{{Measure::Kind::kAveragePrecision, "map"},
                                             {Measure::Kind::kReciprocalRank, "mrr"},
                                             {Measure::Kind::kBpref, "bpref"},
                                             {Measure::Kind::kNdcg, "ndcg"},
                                             {Measure::Kind::kRecall, "recall"},
                                             {Measure::Kind::kPrecision, "p"},
                                             {Measure::Kind::kSuccess, "success"}}};

int GradeOf(const std::map<std::string, int>& grades, const std::string& document) {
  const auto found = grades.find(document);
  return found == grades.end() ? 0 : found->second;
}

size_t RelevantIn(const std::map<std::string, int>& grades) {
  return static_cast<size_t>(
      std::count_if(grades.begin(), grades.end(), [](const auto& entry) { return entry.second > 0; }));
}

double AveragePrecision(std::span<const RankedDocument> ranking, const std::map<std::string, int>& grades) {
  double sum = 0;
  size_t found = 0;
  for (size_t i = 0; i < ranking.size(); i++) {
    if (GradeOf(grades, ranking[i].document) <= 0) continue;
    found++;
    sum += static_cast<double>(found) / static_cast<double>(i + 1);
  }
  return sum / static_cast<double>(RelevantIn(grades));
}

double ReciprocalRank(std::span<const RankedDocument> ranking, const std::map<std::string, int>& grades) {
  for (size_t i = 0; i < ranking.size(); i++) {
    if (GradeOf(grades, ranking[i].document) > 0) return 1 / static_cast<double>(i + 1);
  }
  return 0;
}

// How seldom a document judged not relevant comes before one that is.
double Bpref(std::span<const RankedDocument> ranking, const std::map<std::string, int>& grades) {
  const size_t relevant = RelevantIn(grades);
  const size_t bound = std::min(relevant, grades.size() - relevant);
  double sum = 0;
  size_t wrong = 0;
  for (const RankedDocument& entry : ranking) {
    const auto found = grades.find(entry.document);
    if (found == grades.end()) continue;
    if (found->second <= 0) {
      wrong++;
    } else {
      sum += wrong == 0 ? 1 : 1 - static_cast<double>(std::min(wrong, relevant)) / static_cast<double>(bound);
    }
  }
  return sum / static_cast<double>(relevant);
}

// Gains are the grades, discounted by log2(1 + rank).
double Ndcg(std::span<const RankedDocument> ranking, const std::map<std::string, int>& grades, size_t cut) {
  const auto discounted = [](int grade, size_t i) { return grade / std::log2(static_cast<double>(i + 2)); };
  double sum = 0;
  for (size_t i = 0; i < ranking.size(); i++) {
    sum += discounted(std::max(GradeOf(grades, ranking[i].document), 0), i);
  }
  std::vector<int> ideal;
  for (const auto& [document, grade] : grades) {
    if (grade > 0) ideal.push_back(grade);
  }
  std::sort(ideal.rbegin(), ideal.rend());
  double best = 0;
  for (size_t i = 0; i < ideal.size() && (cut == 0 || i < cut); i++) best += discounted(ideal[i], i);
  return sum / best;
}

size_t RelevantFound(std::span<const RankedDocument> ranking, const std::map<std::string, int>& grades) {
  return static_cast<size_t>(std::count_if(ranking.begin(), ranking.end(), [&](const RankedDocument& entry) {
    return GradeOf(grades, entry.document) > 0;
  }));
}

double Mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace

Result<Measure> Measure::Parse(std::string_view name) {
  const size_t at = name.find('@');
  Measure measure;
  if (at != std::string_view::npos) {
    const std::string_view digits = name.substr(at + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), measure.cut);
    if (error != std::errc() || end != digits.data() + digits.size() || measure.cut == 0) {
      return Status::InvalidArgument(fmt::format("invalid measure {}: expected a number after @", name));
    }
  }
  for (const KindName& kind : kKinds) {
    if (name.substr(0, at) != kind.name) continue;
    measure.kind = kind.kind;
    if (kind.kind == Kind::kPrecision && measure.cut == 0) break;
    return measure;
  }
  return Status::InvalidArgument(fmt::format(
      "unknown measure {}; choose one of map, mrr, bpref, ndcg, recall, and p@10, ndcg@10, recall@100, "
      "success@3",
      name));
}

std::string Measure::ToString() const {
  for (const KindName& known : kKinds) {
    if (known.kind == kind) return cut == 0 ? std::string(known.name) : fmt::format("{}@{}", known.name, cut);
  }
  return "";
}

std::vector<Measure> StandardMeasures() {
  using Kind = Measure::Kind;
  return {{Kind::kAveragePrecision, 0}, {Kind::kNdcg, 10}, {Kind::kPrecision, 10}, {Kind::kPrecision, 5},
          {Kind::kReciprocalRank, 0},   {Kind::kBpref, 0}, {Kind::kRecall, 100},   {Kind::kRecall, 1000}};
}

double MeasureTopic(const Measure& measure, std::span<const RankedDocument> ranking,
                    const std::map<std::string, int>& grades) {
  const size_t relevant = RelevantIn(grades);
  if (relevant == 0) return 0;
  if (measure.cut != 0) ranking = ranking.first(std::min(measure.cut, ranking.size()));
  switch (measure.kind) {
    case Measure::Kind::kAveragePrecision:
      return AveragePrecision(ranking, grades);
    case Measure::Kind::kReciprocalRank:
      return ReciprocalRank(ranking, grades);
    case Measure::Kind::kBpref:
      return Bpref(ranking, grades);
    case Measure::Kind::kNdcg:
      return Ndcg(ranking, grades, measure.cut);
    case Measure::Kind::kRecall:
      return static_cast<double>(RelevantFound(ranking, grades)) / static_cast<double>(relevant);
    case Measure::Kind::kPrecision:
      return static_cast<double>(RelevantFound(ranking, grades)) /
             static_cast<double>(std::max<size_t>(measure.cut, 1));
    case Measure::Kind::kSuccess:
      return RelevantFound(ranking, grades) > 0 ? 1 : 0;
  }
  return 0;
}

Evaluation Evaluate(const Measure& measure, const RankedRun& run, const Judgements& judgements) {
  Evaluation out;
  for (const auto& [topic, grades] : judgements) {
    if (RelevantIn(grades) == 0) continue;
    const auto ranking = run.find(topic);
    out.topics.push_back(topic);
    out.values.push_back(ranking == run.end() ? 0 : MeasureTopic(measure, ranking->second, grades));
  }
  out.mean = Mean(out.values);
  return out;
}

Comparison CompareRuns(std::span<const double> first, std::span<const double> second, Random& random,
                       size_t samples) {
  std::vector<double> differences;
  for (size_t i = 0; i < first.size(); i++) differences.push_back(second[i] - first[i]);
  Comparison out;
  out.difference = Mean(differences);
  const auto with_signs = [&](auto&& next_bits) {
    double sum = 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < differences.size(); i++) {
      if (i % 64 == 0) bits = next_bits();
      sum += (bits >> (i % 64) & 1) != 0 ? -differences[i] : differences[i];
    }
    return std::abs(sum / static_cast<double>(differences.size()));
  };
  // Sums in another order differ in their last bits.
  const double observed = std::abs(out.difference) * (1 - 1e-12);
  const bool all = differences.size() <= 16;
  const size_t tries = all ? size_t{1} << differences.size() : samples;
  size_t as_large = 0;
  for (size_t i = 0; i < tries; i++) {
    as_large += with_signs([&]() -> uint64_t { return all ? i : random.Next(); }) >= observed ? 1 : 0;
  }
  if (!differences.empty()) out.p_value = static_cast<double>(as_large) / static_cast<double>(tries);
  return out;
}

CrossValidation CrossValidate(std::span<const std::vector<double>> scores, size_t folds) {
  const size_t topics = scores[0].size();
  folds = std::max<size_t>(1, std::min(folds, topics));
  // The setting with the best mean over the topics outside of a fold; of all topics for the fold `folds`.
  const auto best_without = [&](size_t fold) {
    size_t best = 0;
    double best_sum = -1;
    for (size_t setting = 0; setting < scores.size(); setting++) {
      double sum = 0;
      for (size_t t = 0; t < topics; t++) sum += t % folds == fold ? 0 : scores[setting][t];
      if (sum > best_sum) {
        best = setting;
        best_sum = sum;
      }
    }
    return best;
  };
  CrossValidation out;
  out.best = best_without(folds);
  out.best_mean = Mean(scores[out.best]);
  for (size_t fold = 0; fold < folds; fold++) out.by_fold.push_back(best_without(fold));
  for (size_t t = 0; t < topics; t++) out.validated_mean += scores[out.by_fold[t % folds]][t];
  if (topics > 0) out.validated_mean /= static_cast<double>(topics);
  return out;
}

Result<RankedRun> RunTopics(Searcher& searcher, std::span<const Topic> topics, const RankingOptions& ranking,
                            size_t depth, bool fold) {
  RankedRun run;
  for (const Topic& topic : topics) {
    SearchRequest request;
    request.query = topic.text;
    request.syntax = SearchRequest::Syntax::kPlain;
    request.count = depth;
    request.ranking = ranking;
    request.total = TotalKind::kNone;
    request.fold_duplicates = fold;
    request.snippets = false;
    CRV_ASSIGN(SearchAnswer answer, searcher.Search(request));
    std::vector<RankedDocument>& documents = run[topic.id];
    for (SearchResult& result : answer.results) {
      // The translation that is shown may have a lower score than the one whose place it has.
      const double least = documents.empty() ? result.score : std::min(documents.back().score, result.score);
      documents.push_back({result.id.empty() ? std::move(result.url) : std::move(result.id), least});
    }
  }
  return run;
}

}  // namespace crivello::search
