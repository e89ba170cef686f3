// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace crivello::cli {

// The command line as data, read from CLI11's declarations.  Man pages and shell completions are generated
// from it, so they always agree with what the program accepts.
struct OptionDeclaration {
  std::vector<std::string> names;  // "-C", "--collection"; one bare name for a positional
  std::string value;               // "DIR", "INT"; empty for a flag
  std::string description;
  std::string default_value;         // as a user would give it; empty if there is none
  std::vector<std::string> choices;  // the only accepted values, if there are few
  bool positional = false;
  bool required = false;
  bool repeated = false;
};

struct CommandDeclaration {
  std::vector<std::string> path;  // {"crivello", "codes", "table"}
  std::string description;
  std::string footer;  // examples
  std::vector<OptionDeclaration> options;
  std::vector<CommandDeclaration> commands;

  std::string Name(char separator) const;  // path joined
};

CommandDeclaration Declarations(const CLI::App& app);

// The man page (section 1, roff) of one command.
std::string ManPage(const CommandDeclaration& command, const CommandDeclaration& program);

// A sample configuration file (docs/configuration.md) that shows the options of every command, or of the
// named tables, with their defaults.
std::string ConfigSample(const CommandDeclaration& program, const std::vector<std::string>& tables);

// Shell scripts that complete commands, options and their values.
std::string BashCompletion(const CommandDeclaration& program);
std::string ZshCompletion(const CommandDeclaration& program);
std::string FishCompletion(const CommandDeclaration& program);

}  // namespace crivello::cli
