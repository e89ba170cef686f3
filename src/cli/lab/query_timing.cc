// SPDX-License-Identifier: Apache-2.0
#include "cli/lab/query_timing.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <sstream>
#include <vector>

#include "base/clock.h"
#include "base/line_reader.h"
#include "cli/app.h"
#include "cli/json.h"

namespace crivello::cli {
namespace {

// The words of a line as a query in this mode, in strict syntax: words are letters and digits.
std::string QueryOf(const std::string& line, std::string_view mode) {
  if (mode.ends_with("phrase")) return '"' + line + '"';
  std::istringstream words(line);
  std::string query;
  for (std::string word; words >> word;) query += (mode.ends_with("and") ? "+" : "") + word + ' ';
  return query;
}

struct Times {
  explicit Times(std::vector<double> all) : sorted(std::move(all)) {
    std::sort(sorted.begin(), sorted.end());
  }
  double mean() const {
    return std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  }
  double At(double part) const {
    return sorted[std::min(static_cast<size_t>(static_cast<double>(sorted.size()) * part),
                           sorted.size() - 1)];
  }
  std::vector<double> sorted;
};

}  // namespace

void AddTimingOptions(CLI::App& command, QueryTimingOptions* options) {
  command.add_option("--time", options->file, "Time the queries of a file, one per line, on one thread");
  command.add_option("--mode", options->mode, "What is timed: finding the best results, or counting all")
      ->check(CLI::IsMember({"or", "and", "phrase", "count-or", "count-and", "count-phrase"}))
      ->capture_default_str();
  command.add_option("--rounds", options->rounds, "Number of times that each query is timed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

Result<int> TimeQueries(const Session& session, search::IndexSearcher& searcher,
                        const search::SearchRequest& request, const QueryTimingOptions& options) {
  std::vector<search::SearchRequest> requests;
  CRV_ASSIGN(LineReader lines, LineReader::Open(options.file));
  while (lines.Next()) {
    if (lines.line().empty()) continue;
    search::SearchRequest one = request;
    one.query = QueryOf(std::string(lines.line()), options.mode);
    one.total = search::TotalKind::kNone;
    one.fold_duplicates = false;
    requests.push_back(std::move(one));
  }
  CRV_TRY(lines.status());
  if (requests.empty()) return Status::InvalidArgument(options.file + ": no query");

  const bool counts = options.mode.starts_with("count");
  uint64_t results = 0;
  const auto ask = [&](const search::SearchRequest& one) -> Result<uint64_t> {
    if (counts) return searcher.Count(one);
    CRV_ASSIGN(const std::vector<search::Hit> hits, searcher.Top(one));
    return hits.size();
  };
  for (uint64_t round = 0; round < options.warm_rounds; round++) {
    results = 0;
    for (const auto& one : requests) {
      CRV_ASSIGN(const uint64_t found, ask(one));
      results += found;
    }
  }
  std::vector<double> all, best(requests.size(), 1e30);
  for (uint64_t round = 0; round < options.rounds; round++) {
    for (size_t i = 0; i < requests.size(); i++) {
      const MonotonicTime start = SystemClock().Now();
      CRV_TRY(ask(requests[i]).status());
      const double micros = std::chrono::duration<double, std::micro>(SystemClock().Now() - start).count();
      all.push_back(micros);
      best[i] = std::min(best[i], micros);
    }
  }
  const Times times(std::move(all)), bests(std::move(best));
  if (session.json) {
    PrintJson(session, {{"mode", options.mode},
                        {"queries", requests.size()},
                        {"results", results},
                        {"mean_us", times.mean()},
                        {"p50_us", times.At(0.5)},
                        {"p99_us", times.At(0.99)},
                        {"best_mean_us", bests.mean()},
                        {"best_p50_us", bests.At(0.5)},
                        {"best_p99_us", bests.At(0.99)}});
  } else {
    session.out->Print(
        "{:<12} µs: mean {:.1f} p50 {:.1f} p99 {:.1f} | best of {} mean {:.1f} p50 {:.1f} p99 {:.1f} | "
        "results {}\n",
        options.mode, times.mean(), times.At(0.5), times.At(0.99), options.rounds, bests.mean(),
        bests.At(0.5), bests.At(0.99), results);
  }
  return kDone;
}

}  // namespace crivello::cli
