// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "cli/app.h"
#include "cli/config/config.h"
#include "cli/config/declarations.h"
#include "cli/config/option_tree.h"
#include "cli/json.h"
#include "cli/output.h"
#include "search/suggest/nearest_name.h"

namespace crivello::cli {
namespace {

Result<int> Sample(CLI::App& app, const Session& session, const std::vector<std::string>& commands) {
  std::vector<std::string> known;
  ForEachCommand(app, [&](CLI::App& command) { known.push_back(TableOf(command)); });
  std::vector<std::string> tables;
  for (const std::string& command : commands) {
    if (std::find(known.begin(), known.end(), command) == known.end()) {
      return Status::InvalidArgument(
          fmt::format("unknown command '{}'{}", command, search::DidYouMean(command, known)));
    }
    if (tables.empty()) tables.push_back(TableOf(app));
    for (std::string& table : TablesFor(command)) tables.push_back(std::move(table));
  }
  session.out->Print("{}", ConfigSample(Declarations(app), tables));
  return kDone;
}

// The value of an option, as a user would give it.
std::string ValueOf(const CLI::Option& option) {
  if (option.count() > 0) return fmt::format("{}", fmt::join(option.results(), ", "));
  return option.get_items_expected_max() == 0 ? "false" : option.get_default_str();
}

void PrintSettings(const Session& session, const Config& config, CLI::App& command, Table* table) {
  for (const CLI::Option* option : OptionsOf(command)) {
    if (!IsConfigurable(*option)) continue;
    const std::string& name = option->get_lnames().front();
    if (session.json) {
      PrintJson(session, {{"table", TableOf(command)},
                          {"option", name},
                          {"value", ValueOf(*option)},
                          {"from", config.OriginOf(*option)}});
    } else {
      table->Row({TableOf(command), name, Printable(ValueOf(*option)), Printable(config.OriginOf(*option))});
    }
  }
}

// Everything after "config show" is the command line of another command: it is parsed as if it were to run,
// but its options are printed instead.
Result<int> Show(const Session& asked) {
  std::vector<std::string> words = asked.arguments;
  constexpr std::string_view kWords[] = {"config", "show"};
  const auto at = std::search(words.begin(), words.end(), std::begin(kWords), std::end(kWords));
  if (at == words.end()) return Status::InvalidArgument("'config show' must be two adjacent words");
  words.erase(at, at + 2);

  Session session;
  session.out = asked.out;
  session.err = asked.err;
  session.environment = asked.environment;
  const auto app = MakeApp(session);
  ForEachCommand(*app, [](CLI::App& command) {
    command.require_subcommand(0, 1);
    for (CLI::Option* option : OptionsOf(command)) option->required(false);
  });
  std::vector<const char*> argv = {"crivello"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    app->parse(static_cast<int>(argv.size()), argv.data());
  } catch (const CLI::ParseError& error) {
    return Status::InvalidArgument(error.what());
  }

  CRV_ASSIGN(Config config, Config::Load(*app, session));
  Table table({{"table"}, {"option"}, {"value"}, {"from"}});
  PrintSettings(session, config, *app, &table);
  CLI::App* command = app.get();
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  Status status;
  const auto show = [&](CLI::App& one) {
    if (&one == app.get() || !status.ok()) return;
    status = config.ApplyTo(one);
    if (status.ok()) PrintSettings(session, config, one, &table);
  };
  ForEachCommand(*command, show);
  CRV_TRY(status);
  if (!session.json) session.out->Print("{}", table.ToString());
  return kDone;
}

}  // namespace

void AddConfigCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("config", "Show the effective options, or print a sample configuration file");
  command->require_subcommand(1);
  CLI::App* show = command->add_subcommand(
      "show", "Print the effective value of every option of a command and its source");
  show->prefix_command();
  show->fallthrough(false);
  show->footer(
      "Put 'config show' before any command line to see the options it would use. Without a command, the "
      "options of\n"
      "all commands are shown.\n"
      "\n"
      "Examples:\n"
      "  crivello config show up --delay 2s\n"
      "  crivello --config /etc/crivello/crivello.toml config show up");
  Runs(*show, session, [&session] { return Show(session); });

  CLI::App* sample =
      command->add_subcommand("sample", "Print a configuration file with every default and its reason");
  auto commands = std::make_shared<std::vector<std::string>>();
  sample->add_option("COMMAND", *commands, "Commands whose options are printed (default: all)");
  sample->footer(
      "Examples:\n"
      "  crivello config sample up > crivello.toml\n"
      "  crivello --config crivello.toml up");
  Runs(*sample, session, [&app, &session, commands] { return Sample(app, session, *commands); });
}

}  // namespace crivello::cli
