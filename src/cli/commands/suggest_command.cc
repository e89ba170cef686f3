// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "search/index_searcher.h"

namespace crivello::cli {
namespace {

struct SuggestFlags {
  std::vector<std::string> words;
  uint64_t count = 10;
};

Result<int> RunSuggest(const Session& session, const SuggestFlags& options) {
  CRV_ASSIGN(auto snapshot, OpenSnapshot(session));
  CRV_ASSIGN(const std::unique_ptr<search::IndexSearcher> searcher,
             search::IndexSearcher::Create(std::move(snapshot)));
  const std::string typed = fmt::format("{}", fmt::join(options.words, " "));
  CRV_ASSIGN(const std::vector<std::string> suggestions, searcher->Suggest(typed, options.count));
  if (session.json) {
    PrintJson(session, {{"query", typed}, {"suggestions", suggestions}});
  } else {
    for (const std::string& suggestion : suggestions) session.out->Print("{}\n", Printable(suggestion));
  }
  return suggestions.empty() ? kNothingFound : kDone;
}

}  // namespace

void AddSuggestCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("suggest", "Complete the start of a query");
  auto options = std::make_shared<SuggestFlags>();
  command->add_option("PREFIX", options->words, "Start of the query")->required();
  command->add_option("-n,--count", options->count, "Maximum number of results")
      ->transform(Positive())
      ->capture_default_str();
  command->footer(
      "Suggestions come from titles and words of the collection. Case and accents do not matter.\n"
      "\n"
      "Examples:\n"
      "  crivello suggest sie\n"
      "  crivello suggest 'prime nu'\n"
      "  crivello --json suggest -n 3 'prime '");
  Runs(*command, session, [&session, options] { return RunSuggest(session, *options); });
}

}  // namespace crivello::cli
