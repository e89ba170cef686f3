// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

namespace crivello::cli {

// The direct subcommands of a command.
inline std::vector<CLI::App*> CommandsOf(CLI::App& app) {
  return app.get_subcommands([](CLI::App* command) { return !command->get_name().empty(); });
}

// The options of a command.  For CLI11, a group of options is a subcommand without a name; this includes its
// options in the command's.
inline std::vector<CLI::Option*> OptionsOf(CLI::App& app) {
  std::vector<CLI::Option*> options = app.get_options();
  for (CLI::App* group : app.get_subcommands([](CLI::App* command) { return command->get_name().empty(); })) {
    const std::vector<CLI::Option*> more = group->get_options();
    options.insert(options.end(), more.begin(), more.end());
  }
  return options;
}

// The named command, as far as it was recognised; the program itself if none was.
inline const CLI::App& ChosenCommand(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}
inline CLI::App& ChosenCommand(CLI::App& app) {
  return const_cast<CLI::App&>(ChosenCommand(std::as_const(app)));
}

// `app` and every command below it.
template <typename Visit>
void ForEachCommand(CLI::App& app, const Visit& visit) {
  visit(app);
  for (CLI::App* command : CommandsOf(app)) ForEachCommand(*command, visit);
}

}  // namespace crivello::cli
