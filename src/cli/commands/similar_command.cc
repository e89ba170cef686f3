// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/show_answer.h"
#include "cli/output.h"
#include "cli/units.h"
#include "search/index_searcher.h"

namespace crivello::cli {
namespace {

struct SimilarFlags {
  std::string url;
  uint64_t count = 10;
  uint64_t offset = 0;
  bool explain = false;
  Duration timeout = {};
};

Result<int> RunSimilar(const Session& session, const SimilarFlags& options) {
  CRV_ASSIGN(auto snapshot, OpenSnapshot(session));
  CRV_ASSIGN(const std::unique_ptr<search::IndexSearcher> searcher,
             search::IndexSearcher::Create(std::move(snapshot)));
  search::SimilarRequest request;
  request.url = options.url;
  request.count = options.count;
  request.offset = options.offset;
  request.explain = options.explain;
  if (options.timeout > Duration::zero()) request.timeout = options.timeout;
  const auto answer = searcher->Similar(request);
  if (answer.status().code() == StatusCode::kNotFound) {
    session.err->Print("{}\n", Printable(answer.status().message()));
    return kNothingFound;
  }
  if (!answer.ok()) return answer.status();
  search::SearchRequest shown;
  shown.offset = options.offset;
  return ShowAnswer(session, *answer, shown);
}

}  // namespace

void AddSimilarCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("similar", "Find pages similar to an indexed page");
  auto options = std::make_shared<SimilarFlags>();
  command->add_option("URL", options->url, "URL of the page")->required();
  command->add_option("-n,--count", options->count, "Maximum number of results")
      ->transform(Positive())
      ->capture_default_str();
  command->add_option("--offset", options->offset, "Number of results to skip")
      ->transform(Natural())
      ->capture_default_str();
  command->add_flag("--explain", options->explain, "Show how each score was computed");
  AddDurationOption(*command, "--timeout", options->timeout, "Time limit; the answer may then be partial");
  command->footer(
      "Searches for the most characteristic words of the page. The output is that of 'search'.\n"
      "\n"
      "Examples:\n"
      "  crivello similar https://example.org/sieves\n"
      "  crivello --json similar -n 3 example.org/sieves");
  Runs(*command, session, [&session, options] { return RunSimilar(session, *options); });
}

}  // namespace crivello::cli
