// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/config/declarations.h"

namespace crivello::cli {
namespace {

using OptionList = std::vector<OptionDeclaration>;

// Calls `visit` for the program and every command below it.
template <typename Visit>
void ForEachDeclaration(const CommandDeclaration& command, const Visit& visit) {
  visit(command);
  for (const auto& sub : command.commands) ForEachDeclaration(sub, visit);
}

// Everything that may follow a command's words, as one list of words.
std::string NextWords(const CommandDeclaration& command, const CommandDeclaration& program) {
  std::vector<std::string> words;
  for (const auto& sub : command.commands) words.push_back(sub.path.back());
  for (const OptionList* options : {&command.options, &program.options}) {
    for (const auto& option : *options) {
      const auto& from = option.positional ? option.choices : option.names;
      words.insert(words.end(), from.begin(), from.end());
    }
    if (&command == &program) break;
  }
  std::set<std::string> seen;
  words.erase(
      std::remove_if(words.begin(), words.end(), [&](const auto& w) { return !seen.insert(w).second; }),
      words.end());
  return fmt::format("{}", fmt::join(words, " "));
}

// All options that take a value, so that the next word is not taken for a command; with their choices.
std::vector<OptionDeclaration> ValuedOptions(const CommandDeclaration& program) {
  std::vector<OptionDeclaration> valued;
  ForEachDeclaration(program, [&](const CommandDeclaration& command) {
    for (const auto& option : command.options) {
      if (!option.positional && !option.value.empty()) valued.push_back(option);
    }
  });
  return valued;
}

std::string ShellQuoted(std::string_view text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

// The words before the cursor, without options and their values, are the path of a command; a table maps each
// path to the words that may follow.  File names are always offered too.
std::string BashCompletion(const CommandDeclaration& program) {
  std::string text =
      "# bash completion for crivello; load it with: source <(crivello completion bash)\n"
      "_crivello() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path=crivello words='' i "
      "skip=0\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    if ((skip)); then skip=0; continue; fi\n"
      "    case ${COMP_WORDS[i]} in\n";
  for (const auto& option : ValuedOptions(program)) {
    text += fmt::format("      {}) skip=1 ;;\n", fmt::join(option.names, "|"));
  }
  text += "      -*) ;;\n      *) path+=\" ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n  case $prev in\n";
  for (const auto& option : ValuedOptions(program)) {
    if (option.choices.empty()) continue;
    text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n",
                        fmt::join(option.names, "|"), fmt::join(option.choices, " "));
  }
  text += "  esac\n  case $path in\n";
  std::vector<std::string> cases;
  ForEachDeclaration(program, [&](const CommandDeclaration& command) {
    const bool leaf = command.commands.empty();
    cases.push_back(fmt::format("    '{}'{}) words='{}' ;;\n", command.Name(' '), leaf ? "*" : "",
                                NextWords(command, program)));
  });
  for (const auto& line : cases) text += line;
  text +=
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
      "  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); "
      "fi\n"
      "}\n"
      "complete -F _crivello crivello\n";
  return text;
}

std::string ZshCompletion(const CommandDeclaration& program) {
  return "#compdef crivello\n# zsh completion for crivello; load it with: source <(crivello completion zsh)\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         BashCompletion(program) +
         // If it is in a folder of zsh functions, it is read as the body of a function at the first Tab,
         // which must be completed as well.
         "if [[ ${funcstack[1]} == _crivello ]]; then _bash_complete -F _crivello; fi\n";
}

std::string FishCompletion(const CommandDeclaration& program) {
  std::string text = "# fish completion for crivello; load it with: crivello completion fish | source\n";
  ForEachDeclaration(program, [&](const CommandDeclaration& command) {
    std::string when;
    for (size_t i = 1; i < command.path.size(); i++) {
      when += fmt::format("{}__fish_seen_subcommand_from {}", i > 1 ? "; and " : "", command.path[i]);
    }
    if (command.path.size() > 1) when = fmt::format(" -n {}", ShellQuoted(when));
    for (const auto& sub : command.commands) {
      const std::string condition = command.path.size() > 1 ? when : " -n __fish_use_subcommand";
      text += fmt::format("complete -c crivello{} -a {} -d {}\n", condition, sub.path.back(),
                          ShellQuoted(sub.description));
    }
    for (const auto& option : command.options) {
      std::string flags;
      for (const auto& name : option.names) {
        if (name.starts_with("--")) {
          flags += " -l " + name.substr(2);
        } else if (name.starts_with("-")) {
          flags += " -s " + name.substr(1);
        }
      }
      if (!option.value.empty() && !option.positional) flags += " -r";
      if (!option.choices.empty()) flags += fmt::format(" -a '{}'", fmt::join(option.choices, " "));
      if (flags.empty()) continue;
      text += fmt::format("complete -c crivello{}{} -d {}\n", when, flags, ShellQuoted(option.description));
    }
  });
  return text;
}

}  // namespace crivello::cli
