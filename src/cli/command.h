// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"

namespace CLI {
class App;
}
namespace crivello::crawl {
class CrawlStore;
}

namespace crivello::cli {

// What the program answers to the shell; scripts rely on these.
enum ExitCode {
  kDone = 0,
  kNothingFound = 1,  // nothing found, or a check failed
  kWrongUsage = 2,
  kBadData = 3,
  kIoFailure = 4,  // files or network
};

// The options that every command has, and where it writes.
struct Session {
  bool json = false;
  bool quiet = false;
  std::FILE* out = stdout;                // results
  std::FILE* err = stderr;                // progress, warnings, errors
  std::string collection = "collection";  // -C: the folder of the collection
  std::vector<std::string> arguments;     // of the command line, without the program's name
  crawl::CrawlStore* store = nullptr;     // the collection, if this process has it open
  // What the chosen command does; set when its subcommand is parsed, run after all options are known.
  std::function<Result<int>()> run;
};

// Each command declares itself in one file, NAME_command.cc: its options, help and examples go to `app`, and
// from these declarations come --help, the man pages and the shell completions.
void AddCrawlCommand(CLI::App& app, Session& session);
void AddFrontierCommand(CLI::App& app, Session& session);
void AddCodesCommand(CLI::App& app, Session& session);
void AddInspectCommand(CLI::App& app, Session& session);
void AddTextCommand(CLI::App& app, Session& session);
void AddUrlCommand(CLI::App& app, Session& session);
void AddRobotsCommand(CLI::App& app, Session& session);
void AddFeedCommand(CLI::App& app, Session& session);
void AddWarcCommand(CLI::App& app, Session& session);
void AddScanCommand(CLI::App& app, Session& session);
void AddGetCommand(CLI::App& app, Session& session);
void AddWhyCommand(CLI::App& app, Session& session);
void AddReportCommand(CLI::App& app, Session& session);
void AddCheckCommand(CLI::App& app, Session& session);
void AddImportCommand(CLI::App& app, Session& session);
void AddIndexCommand(CLI::App& app, Session& session);
void AddTermsCommand(CLI::App& app, Session& session);
void AddExportCommand(CLI::App& app, Session& session);
void AddSearchCommand(CLI::App& app, Session& session);
void AddRederiveCommand(CLI::App& app, Session& session);
void AddDemoCommand(CLI::App& app, Session& session);
void AddSieveCommand(CLI::App& app, Session& session);
void AddCompletionCommand(CLI::App& app, Session& session);
void AddManCommand(CLI::App& app, Session& session);

// Parses, runs, reports an error; the exit code of the program.
// `store` is the collection to work on, if this process has it open already.
int Main(int argc, const char* const* argv, std::FILE* out, std::FILE* err,
         crawl::CrawlStore* store = nullptr);

int ExitCodeOf(const Status& status);

// Makes `command` (a subcommand) run `action` once the command line has been parsed.
void Runs(CLI::App& command, Session& session, std::function<Result<int>()> action);

}  // namespace crivello::cli
