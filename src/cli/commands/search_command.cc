// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/show_answer.h"
#include "cli/lab/query_timing.h"
#include "cli/units.h"
#include "engine/ranking_profile.h"
#include "search/index_searcher.h"
#include "search/query/query.h"
#include "web/http/date_parse.h"

namespace crivello::cli {
namespace {

using search::SearchRequest;

struct SearchFlags {
  std::vector<std::string> words;
  uint64_t count = 10;
  uint64_t offset = 0;
  std::string rank = "bm25f";
  std::string profile;
  std::string group;
  std::string at;
  std::string algorithm = "auto";
  std::string static_rank;
  float static_weight = 1;
  std::string sort;
  std::vector<std::string> facets;
  std::vector<std::string> languages;
  std::optional<float> proximity;
  bool explain = false;
  bool strict = false;
  bool all = false;
  bool interactive = false;
  Duration timeout = {};
  QueryTimingOptions timing;
};

Result<SearchRequest> RequestOf(const Session& session, const SearchFlags& options) {
  SearchRequest request;
  request.query = fmt::format("{}", fmt::join(options.words, " "));
  if (options.strict) request.syntax = SearchRequest::Syntax::kStrict;
  request.count = options.count;
  request.offset = options.offset;
  if (options.profile.empty()) {
    CRV_ASSIGN(const search::Ranking formula, search::FindRanking(options.rank));
    request.ranking = search::RankingOptions::For(formula);
    request.ranking.rank = options.static_rank;
    request.ranking.rank_weight = options.static_weight;
    if (options.proximity) request.ranking.proximity = *options.proximity;
  } else {
    auto ranking = engine::LoadRankingProfile(session.collection, options.profile);
    if (ranking.status().code() == StatusCode::kNotFound) {
      return Status::InvalidArgument(ranking.status().message());
    }
    CRV_TRY(ranking.status());
    request.ranking = *std::move(ranking);
  }
  request.ranking.sort = options.sort;
  request.facets = options.facets;
  request.languages = options.languages;
  CRV_ASSIGN(request.algorithm, search::FindAlgorithm(options.algorithm));
  request.explain = options.explain;
  request.fold_duplicates = !options.all;
  if (options.group == "site") request.per_site = 2;
  if (!options.at.empty()) {
    request.at = web::ParseDate(options.at);
    if (!request.at) return Status::InvalidArgument("--at " + options.at + ": no date");
  }
  if (options.timeout > Duration::zero()) request.timeout = options.timeout;
  return request;
}

Result<int> Ask(const Session& session, search::Searcher& searcher, const SearchRequest& request) {
  const Result<search::SearchAnswer> answer = searcher.Search(request);
  // The index does not have this static score, so an option is wrong.
  if (answer.status().code() == StatusCode::kNotFound) {
    return Status::InvalidArgument(answer.status().message());
  }
  CRV_TRY(answer.status());
  return ShowAnswer(session, *answer, request);
}

Result<int> AskAgainAndAgain(const Session& session, search::Searcher& searcher, SearchRequest request) {
  for (std::string line;;) {
    if (isatty(STDIN_FILENO) != 0) {
      session.out->Print("? ");
      CRV_TRY(session.out->Flush());
    }
    if (!std::getline(std::cin, line)) break;
    if (line.empty()) continue;
    request.query = line;
    CRV_TRY(Ask(session, searcher, request).status());
    session.out->Print("\n");
    CRV_TRY(session.out->Flush());
  }
  return kDone;
}

Result<int> RunSearch(const Session& session, const SearchFlags& options) {
  CRV_ASSIGN(const SearchRequest request, RequestOf(session, options));
  CRV_ASSIGN(auto snapshot, OpenSnapshot(session));
  CRV_ASSIGN(const std::unique_ptr<search::IndexSearcher> searcher,
             search::IndexSearcher::Create(std::move(snapshot)));
  if (!options.timing.file.empty()) return TimeQueries(session, *searcher, request, options.timing);
  if (options.interactive) return AskAgainAndAgain(session, *searcher, request);
  const bool empty = search::ParseQuery(request.query).query.kind == search::Query::Kind::kNothing;
  if (empty && request.syntax == SearchRequest::Syntax::kLenient) {
    return Status::InvalidArgument(fmt::format(
        "the query '{}' has no words to search for; see 'crivello search --help'", request.query));
  }
  return Ask(session, *searcher, request);
}

}  // namespace

void AddSearchCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("search", "Search the collection");
  auto options = std::make_shared<SearchFlags>();
  command->add_option("QUERY", options->words, "Query (docs/query-language.md)");
  command->add_option("-n,--count", options->count, "Maximum number of results")
      ->transform(Positive())
      ->capture_default_str();
  command->add_option("--offset", options->offset, "Number of results to skip")
      ->transform(Natural())
      ->capture_default_str();
  CLI::Option* rank = command->add_option("--rank", options->rank, "Ranking formula")
                          ->check(CLI::IsMember({"bm25", "bm25f", "tfidf", "tfidf-max", "count"}))
                          ->capture_default_str();
  CLI::Option* static_rank =
      command->add_option("--static", options->static_rank,
                          "Static score to add: a rank of the collection, inlinks, depth, or none (default: "
                          "pagerank, if the index has it)");
  CLI::Option* static_weight =
      command->add_option("--static-weight", options->static_weight, "Weight of the static score")
          ->check(CLI::Range(0.0f, 1000.0f))
          ->capture_default_str();
  command->add_option("--sort", options->sort,
                      "Sort results by date, newest first, or by this static score alone, highest first");
  command
      ->add_option("--facets", options->facets,
                   "Count the pages found by site, lang, type and year, or some of these")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"site", "lang", "type", "year"}));
  command
      ->add_option("--languages", options->languages,
                   "Languages that you read, best first, as in de,en (default: guessed from the query)")
      ->delimiter(',')
      ->allow_extra_args(false);
  CLI::Option* proximity = command->add_option(
      "--proximity", options->proximity, "Weight of query words that are near each other (default: 0.1)");
  command
      ->add_option("--profile", options->profile,
                   "Ranking profile: the file ranking/NAME.toml of the collection (docs/ranking.md)")
      ->type_name("NAME")
      ->excludes(rank)
      ->excludes(static_rank)
      ->excludes(static_weight)
      ->excludes(proximity);
  command->add_option("--group", options->group, "Group results by site, at most two of each")
      ->check(CLI::IsMember({"site"}));
  command->add_flag("--all", options->all, "Also show duplicates");
  command->add_flag("--explain", options->explain, "Show how each score was computed");
  command->add_flag("--strict", options->strict, "Refuse a query with a syntax error");
  command->add_option("--at", options->at,
                      "Search what was current at this time (needs an index built with --versions)");
  AddDurationOption(*command, "--timeout", options->timeout, "Time limit; the answer may then be partial");
  command->add_option("--algorithm", options->algorithm, "Retrieval algorithm, for measurements")
      ->check(CLI::IsMember({"auto", "exhaustive", "windows", "maxscore", "bmw", "bmand"}))
      ->capture_default_str();
  command->add_flag("--interactive", options->interactive, "Read queries from standard input, one per line");
  AddTimingOptions(*command, &options->timing);
  command->footer(
      "Plain words find pages with any of the words. Pages with more of them score higher.\n"
      "\n"
      "Examples:\n"
      "  crivello search 'sieve of eratosthenes'\n"
      "  crivello search '\"prime numbers\" -site:example.org lang:it'\n"
      "  crivello search --explain -n 3 title:forest\n"
      "  crivello --json search 'trees'");
  Runs(*command, session, [&session, options] { return RunSearch(session, *options); });
}

}  // namespace crivello::cli
