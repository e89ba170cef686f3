// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace crivello::cli {

// The command line as data, read off CLI11's declarations: what the man pages and the shell completions are
// made of, so that neither can disagree with what the program takes.
struct OptionDeclaration {
  std::vector<std::string> names;  // "-C", "--collection"; one bare name for a positional
  std::string value;               // "DIR", "INT"; empty for a flag
  std::string description;
  std::string default_value;         // as it would be given; empty if there is none
  std::vector<std::string> choices;  // the only values it takes, if they are few
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

// A file of options (docs/configuration.md) that shows those of every command, or of those named, with what
// holds without it.
std::string ConfigSample(const CommandDeclaration& program, const std::vector<std::string>& tables);

// Scripts that a shell loads to complete commands, options and their values.
std::string BashCompletion(const CommandDeclaration& program);
std::string ZshCompletion(const CommandDeclaration& program);
std::string FishCompletion(const CommandDeclaration& program);

}  // namespace crivello::cli
