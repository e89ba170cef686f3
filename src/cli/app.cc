// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "cli/commands.h"
#include "cli/config/config.h"
#include "cli/config/option_tree.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/version.h"
#include "search/suggest/nearest_name.h"

namespace crivello::cli {
namespace {

// A binary built for newer processors crashes on an old one with an illegal instruction: report it first.
Status CheckProcessor() {
#if defined(__x86_64__) && defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) {
    return Status::InvalidArgument(
        "this program was built for x86-64-v3, but the processor is older: build it on this machine, or with "
        "cmake -DCRV_ARCH=x86-64-v2");
  }
#endif
  return Status::Ok();
}

// "crivello sieve bench".
std::string FullName(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : FullName(*parent) + " " + command.get_name();
}

// CLI11 only says that something is missing or unexpected; users need to know what was expected.
std::string Explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = ChosenCommand(app);
  std::vector<std::string> unknown;
  for (const CLI::App* at = &command; at != nullptr && unknown.empty(); at = at->get_parent()) {
    unknown = at->remaining();
  }
  if (unknown.empty()) return error.what();
  const std::string& word = unknown.front();
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::App* at = &command; at != nullptr; at = at->get_parent()) {
      for (const CLI::Option* option : at->get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
      }
    }
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("'{}' has no option '{}'{}", FullName(command), name, search::DidYouMean(name, known));
  }
  if (error.get_name() != "RequiredError") return error.what();
  for (const CLI::App* const one : command.get_subcommands({})) known.push_back(one->get_name());
  return fmt::format("'{}' has no command '{}'{}", FullName(command), word, search::DidYouMean(word, known));
}

// "crivello help search" is "crivello search --help", "crivello version" is "crivello --version".
std::vector<std::string> WithoutHelpers(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  // The first word that is neither an option nor an option's value.
  auto first = words.begin();
  while (first != words.end() && first->starts_with("-")) {
    const CLI::Option* const option = app.get_option_no_throw(*first);
    const bool has_value = option != nullptr && option->get_items_expected_min() > 0;
    first += has_value && words.end() - first > 1 ? 2 : 1;
  }
  if (first != words.end() && *first == "help") {
    words.erase(first);
    words.emplace_back("--help");
  } else if (first != words.end() && *first == "version" && words.end() - first == 1) {
    *first = "--version";
  }
  return words;
}

// Options that commands require.  The configuration, which is read after the command line, may set them.
std::vector<CLI::Option*> RequiredOptions(CLI::App& app) {
  std::vector<CLI::Option*> required;
  ForEachCommand(app, [&](CLI::App& command) {
    for (CLI::Option* option : OptionsOf(command)) {
      if (option->get_required() && IsConfigurable(*option)) required.push_back(option);
    }
  });
  return required;
}

// Sets the options of the chosen command from the environment and the files.
Status Configure(CLI::App& app, Session& session) {
  CRV_ASSIGN(Config config, Config::Load(app, session));
  return config.ApplyTo(ChosenCommand(app));
}

// REQUIRES: format and level are valid, which the options check.
void OpenLog(Session* session) {
  LogLevel level = *FindLogLevel(session->log_level);
  if (session->quiet) level = std::min(level, LogLevel::kWarning);
  session->log = std::make_shared<Logger>(*session->err, *FindLogFormat(session->log_format), level);
}

// As an object with --json, unless the output itself fails.
enum class As : bool { kSentence, kAsked };
int Report(const Session& session, const Status& status, As as = As::kAsked) {
  if (as == As::kAsked && session.json && session.log->format() == LogFormat::kPlain) {
    const Json error = {{"code", StatusCodeName(status.code())}, {"message", status.message()}};
    session.err->Write(JsonLine({{"error", error}}));
  } else if (session.log->format() == LogFormat::kPlain) {
    // Some errors show the place on separate lines.
    session.err->Print("crivello: {}\n", Printable(status.message(), Lines::kKept));
  } else {
    session.log->Write(LogLevel::kError, "failed", status.message(),
                       {{"code", std::string(StatusCodeName(status.code()))}});
  }
  return ExitCodeOf(status);
}

int WrongUsage(const CLI::App& app, const Session& session, const std::string& error) {
  if (session.json) return Report(session, Status::InvalidArgument(error));
  session.err->Print("crivello: {}\nTry '{} --help'.\n", Printable(error), FullName(ChosenCommand(app)));
  return kWrongUsage;
}

// Checks that the results were written; returns the exit code of a command that ended with `result`.
int Finish(const Session& session, const Result<int>& result) {
  const Status written = session.out->Flush();
  // A command may return the writer's status, which has its own exit code.
  if (!result.ok() && result.status() != written) return Report(session, result.status());
  if (session.out->reader_has_gone()) return kReaderGone;
  if (!written.ok()) return Report(session, written, As::kSentence);
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

Status CheckClock(WallTime now) {
  if (now >= WallTime()) return Status::Ok();
  return Status::Unavailable("the clock of this machine is before 1970; set it, for example with 'date -s'");
}

void Runs(CLI::App& command, Session& session, std::function<Result<int>()> action) {
  command.callback([&session, action = std::move(action)] { session.run = action; });
}

CLI::Validator Natural() {
  return CLI::Validator(
      [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        if (!digits) return fmt::format("'{}' is not a whole number", text);
        uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc() ? std::string() : fmt::format("{} is too large", text);
      },
      "");
}

CLI::Validator Positive() {
  return CLI::Validator(
      [](std::string& text) {
        const std::string wrong = Natural()(text);
        const bool zero = text.find_first_not_of('0') == std::string::npos;
        return !wrong.empty() ? wrong : zero ? std::string("expected 1 or more, got 0") : std::string();
      },
      "");
}

namespace {

void AddGroup(const std::string& title, std::initializer_list<void (*)(CLI::App&, Session&)> commands,
              CLI::App& app, Session& session) {
  for (const auto add : commands) {
    add(app, session);
    app.get_subcommands({}).back()->group(title);
  }
}

}  // namespace

std::unique_ptr<CLI::App> MakeApp(Session& session) {
  auto app = std::make_unique<CLI::App>("A web search engine that you run yourself", "crivello");
  app->set_help_flag("-h,--help", "Show this help");
  app->set_version_flag("-V,--version", std::string("crivello ") + kVersion, "Show the version");
  // Help, man pages and `config sample` show the defaults.
  app->option_defaults()->always_capture_default();
  app->add_option("-C,--collection", session.collection, "Folder of the collection")->type_name("DIR");
  app->add_option("--config", session.config,
                  "Configuration file, in addition to the collection's own (docs/configuration.md)")
      ->type_name("FILE");
  app->add_flag("--json", session.json, "Print one JSON object per line instead of tables");
  app->add_flag("-q,--quiet", session.quiet, "Show no progress");
  app->add_option(
         "--log-format", session.log_format,
         "Format of log messages on standard error: plain sentences, text with time and level, or JSON")
      ->check(CLI::IsMember({"plain", "text", "json"}))
      ->type_name("FORMAT");
  app->add_option("--log-level", session.log_level, "Least important log messages to show (docs/logging.md)")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
      ->type_name("LEVEL");
  app->require_subcommand(1);
  app->fallthrough();
  app->footer(
      "Exit codes: 0 done, 1 nothing found or a check failed, 2 wrong usage, 3 bad data, 4 I/O or network,\n"
      "141 the reader of the output closed its pipe.\n"
      "Help for a command: 'crivello help COMMAND' or 'crivello COMMAND --help'.");
  // The order in help, by what users look for most.
  AddGroup("Crawl, index and search",
           {AddUpCommand, AddCrawlCommand, AddOrderCommand, AddFeedCommand, AddImportCommand, AddIndexCommand,
            AddSearchCommand, AddSimilarCommand, AddSuggestCommand, AddServeCommand, AddDemoCommand},
           *app, session);
  AddGroup("Look inside a collection",
           {AddScanCommand, AddGetCommand, AddWhyCommand, AddReportCommand, AddFrontierCommand,
            AddScheduleCommand, AddTermsCommand},
           *app, session);
  AddGroup("Take care of a collection",
           {AddCheckCommand, AddBackupCommand, AddRestoreCommand, AddForgetCommand, AddRederiveCommand,
            AddExportCommand},
           *app, session);
  AddGroup("Links and copies", {AddGraphCommand, AddRankCommand, AddDupsCommand}, *app, session);
  AddGroup("Read single files",
           {AddTextCommand, AddUrlCommand, AddRobotsCommand, AddWarcCommand, AddInspectCommand}, *app,
           session);
  AddGroup("Measure and teach",
           {AddEvalCommand, AddCodesCommand, AddSieveCommand, AddLabCommand, AddSimulateCommand}, *app,
           session);
  AddGroup("Share a collection between machines", {AddAgentCommand, AddClusterCommand}, *app, session);
  AddGroup("Set up", {AddConfigCommand, AddSignKeyCommand, AddCompletionCommand, AddManCommand}, *app,
           session);
  // CLI11 shows an empty list like this, but it is not a default.
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
  const std::vector<CLI::Option*> required = RequiredOptions(*app);
  const auto require = [&](bool is) {
    for (CLI::Option* option : required) option->required(is);
  };
  require(false);
  try {
    std::vector<std::string> words = WithoutHelpers(*app, argc, argv);
    std::reverse(words.begin(), words.end());  // the order that CLI11 needs
    app->parse(std::move(words));
  } catch (const CLI::Success& e) {  // --help, --version
    require(true);
    std::ostringstream text;
    app->exit(e, text, text);
    out.Write(text.str());
    return Finish(session, kDone);
  } catch (const CLI::ParseError& e) {
    return WrongUsage(*app, session, Explain(*app, e));
  }
  if (Status status = Configure(*app, session); !status.ok()) return Report(session, status);
  require(true);
  for (const CLI::Option* option : OptionsOf(ChosenCommand(*app))) {
    if (!option->get_required() || option->count() > 0) continue;
    return WrongUsage(*app, session, fmt::format("--{} is required", option->get_lnames().front()));
  }
  OpenLog(&session);
  if (Status status = CheckClock(SystemClock().Wall()); !status.ok()) return Report(session, status);
  return Finish(session, session.run());
}

}  // namespace crivello::cli
