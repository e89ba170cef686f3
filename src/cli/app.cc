// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cli/commands.h"
#include "cli/config/config.h"
#include "cli/config/option_tree.h"
#include "cli/output.h"
#include "cli/version.h"

namespace crivello::cli {
namespace {

// A binary built for newer processors dies of an illegal instruction on an old one: say it first.
Status CheckProcessor() {
#if defined(__x86_64__) && defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) {
    return Status::InvalidArgument(
        "this binary was built for x86-64-v3 and the processor here is older: build it here, or with "
        "cmake -DCRV_ARCH=x86-64-v2");
  }
#endif
  return Status::Ok();
}

// CLI11 says only that a command is missing where a word stands that is none.
std::string Explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (error.get_name() != "RequiredError" || unknown.empty()) return error.what();
  return fmt::format("no command '{}' here", unknown.front());
}

// Gives the chosen command what the environment and the files have for it.
Status Configure(CLI::App& app, Session& session) {
  CRV_ASSIGN(Config config, Config::Load(app, session));
  CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return config.ApplyTo(*command);
}

// REQUIRES: format and level are among those that there are, as the options see to.
void OpenLog(Session* session) {
  LogLevel level = *FindLogLevel(session->log_level);
  if (session->quiet) level = std::min(level, LogLevel::kWarning);
  session->log = std::make_shared<Logger>(*session->err, *FindLogFormat(session->log_format), level);
}

int Report(const Session& session, const Status& status) {
  session.log->Write(LogLevel::kError, "failed", status.message(),
                     {{"code", std::string(StatusCodeName(status.code()))}});
  return ExitCodeOf(status);
}

// Sees that the results have left the program; the exit code of a command that has ended so.
int Finish(const Session& session, const Result<int>& result) {
  const Status written = session.out->Flush();
  // A command may end by the status of the writer, which has its own exit code.
  if (!result.ok() && result.status() != written) return Report(session, result.status());
  if (session.out->reader_has_gone()) return kReaderGone;
  if (!written.ok()) return Report(session, written);
  return *result;
}

}  // namespace

int ExitCodeOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return kDone;
    case StatusCode::kInvalidArgument:
      return kWrongUsage;
    case StatusCode::kCorruption:
      return kBadData;
    case StatusCode::kNotFound:
    case StatusCode::kUnavailable:
    case StatusCode::kIoError:
      return kIoFailure;
  }
  return kIoFailure;
}

void Runs(CLI::App& command, Session& session, std::function<Result<int>()> action) {
  command.callback([&session, action = std::move(action)] { session.run = action; });
}

CLI::Validator Natural() {
  return CLI::Validator(
      [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits ? std::string() : fmt::format("'{}' is no natural number", text);
      },
      "");
}

std::unique_ptr<CLI::App> MakeApp(Session& session) {
  auto app = std::make_unique<CLI::App>("A web search engine that one person can own.", "crivello");
  app->set_help_flag("-h,--help", "Show this help");
  app->set_version_flag("--version", std::string("crivello ") + kVersion, "Show the version");
  // Help, man pages and `config sample` tell what holds if nothing is said.
  app->option_defaults()->always_capture_default();
  app->add_option("-C,--collection", session.collection, "The folder of the collection")->type_name("DIR");
  app->add_option("--config", session.config,
                  "A file of options (docs/configuration.md), beside the collection's own")
      ->type_name("FILE");
  app->add_flag("--json", session.json, "Print one JSON object per line instead of tables");
  app->add_flag("-q,--quiet", session.quiet, "No progress");
  app->add_option("--log-format", session.log_format,
                  "Of what it tells on standard error: sentences, lines with time and level, or JSON")
      ->check(CLI::IsMember({"plain", "text", "json"}))
      ->type_name("FORMAT");
  app->add_option("--log-level", session.log_level, "What it tells there (docs/logging.md)")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
      ->type_name("LEVEL");
  app->require_subcommand(1);
  app->fallthrough();
  app->footer(
      "Exit codes: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 bad data, 4 I/O or network,\n"
      "141 the reader of a pipe closed it.\n"
      "'crivello COMMAND --help' tells more of a command.");
  AddUpCommand(*app, session);
  AddCrawlCommand(*app, session);
  AddForgetCommand(*app, session);
  AddFrontierCommand(*app, session);
  AddCodesCommand(*app, session);
  AddInspectCommand(*app, session);
  AddTextCommand(*app, session);
  AddUrlCommand(*app, session);
  AddRestoreCommand(*app, session);
  AddRobotsCommand(*app, session);
  AddFeedCommand(*app, session);
  AddWarcCommand(*app, session);
  AddScanCommand(*app, session);
  AddGetCommand(*app, session);
  AddWhyCommand(*app, session);
  AddReportCommand(*app, session);
  AddBackupCommand(*app, session);
  AddCheckCommand(*app, session);
  AddImportCommand(*app, session);
  AddIndexCommand(*app, session);
  AddTermsCommand(*app, session);
  AddExportCommand(*app, session);
  AddSearchCommand(*app, session);
  AddSimilarCommand(*app, session);
  AddSuggestCommand(*app, session);
  AddServeCommand(*app, session);
  AddEvalCommand(*app, session);
  AddRederiveCommand(*app, session);
  AddDemoCommand(*app, session);
  AddSieveCommand(*app, session);
  AddCompletionCommand(*app, session);
  AddManCommand(*app, session);
  AddConfigCommand(*app, session);
  // CLI11 writes a list that has nothing in it so, and that is no default.
  ForEachCommand(*app, [](CLI::App& command) {
    for (CLI::Option* option : OptionsOf(command)) {
      if (option->get_default_str() == "[]") option->default_str("");
    }
  });
  return app;
}

int Main(int argc, const char* const* argv, Writer& out, Writer& err, std::vector<std::string> environment) {
  Session session;
  session.environment = std::move(environment);
  if (argc > 1) session.arguments.assign(argv + 1, argv + argc);
  session.out = &out;
  session.err = &err;
  session.log = std::make_shared<Logger>(err);
  if (Status status = CheckProcessor(); !status.ok()) return Report(session, status);
  const auto app = MakeApp(session);
  try {
    app->parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    std::ostringstream text;
    app->exit(e, text, text);
    out.Write(text.str());
    return Finish(session, kDone);
  } catch (const CLI::ParseError& e) {
    err.Print("crivello: {}\nTry 'crivello --help', or 'crivello COMMAND --help'.\n",
              Printable(Explain(*app, e)));
    return kWrongUsage;
  }
  if (Status status = Configure(*app, session); !status.ok()) return Report(session, status);
  OpenLog(&session);
  return Finish(session, session.run());
}

}  // namespace crivello::cli
