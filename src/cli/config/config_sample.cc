// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/config/config.h"
#include "cli/config/declarations.h"
#include "cli/config/option_reasons.h"
#include "cli/version.h"
#include "collection/collection_file.h"

namespace crivello::cli {
namespace {

constexpr size_t kWidth = 110;

std::string TableOf(const CommandDeclaration& command) {
  if (command.path.size() == 1) return command.path[0];
  return fmt::format("{}", fmt::join(command.path.begin() + 1, command.path.end(), "."));
}

// Comment lines, broken at the line breaks of the text and at spaces.
std::string Comment(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    if (end > kWidth) end = text.rfind(' ', kWidth);
    if (end == std::string_view::npos || end == 0) end = text.size();
    lines += fmt::format("# {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// In TOML syntax: numbers and booleans without quotes.
std::string Value(const OptionDeclaration& option) {
  const std::string& text = option.default_value;
  if (option.value.empty()) return "false";
  if (option.repeated && text.empty()) return "[]";
  const bool natural = !text.empty() && std::all_of(text.begin(), text.end(),
                                                    [](unsigned char c) { return std::isdigit(c) != 0; });
  return natural ? text : collection::TomlString(text);
}

// Its description, allowed values, and the reason for its default; then the option as it would be written.
std::string Entry(const std::string& table, const OptionDeclaration& option, const std::string& name) {
  std::string about = option.description + ".";
  if (!option.choices.empty()) about += fmt::format(" One of {}.", fmt::join(option.choices, ", "));
  if (!option.value.empty() && option.default_value.empty()) {
    about += fmt::format(" {}{}; not set by default.", option.value, option.repeated ? ", or a list" : "");
  }
  std::string text = "\n" + Comment(about);
  if (const std::string_view why = ReasonOf(table, name); !why.empty()) text += Comment(why);
  text += fmt::format("# {} = {}\n", name, Value(option));
  return text;
}

bool HasOption(const CommandDeclaration& program, const std::string& table, const std::string& name) {
  for (const CommandDeclaration& command : program.commands) {
    if (TableOf(command) != table) continue;
    for (const OptionDeclaration& option : command.options) {
      if (option.names.back() == name) return true;
    }
  }
  return false;
}

std::string TableText(const CommandDeclaration& command, const CommandDeclaration& program) {
  const std::string table = TableOf(command);
  std::string entries;
  for (const OptionDeclaration& option : command.options) {
    const std::string& name = option.names.back();
    if (!name.starts_with("--") || name == "--help" || name == "--version" || name == "--config") continue;
    // Options from the table of another command are shown there.
    const std::vector<std::string> tables = TablesFor(table);
    const bool elsewhere = std::any_of(tables.begin() + 1, tables.end(), [&](const std::string& other) {
      return HasOption(program, other, name);
    });
    if (!elsewhere) entries += Entry(table, option, name.substr(2));
  }
  if (entries.empty()) return "";
  const std::vector<std::string> tables = TablesFor(table);
  std::string more;
  if (tables.size() > 1) {
    more = fmt::format("# The options of {} apply here too; an option set here applies to '{}' only.\n",
                       fmt::join(tables.begin() + 1, tables.end(), " and "), table);
  }
  return fmt::format(
      "\n\n# {}.\n{}[{}]\n{}",
      command.path.size() == 1 ? "Options of the program, for every command" : command.description, more,
      table, entries);
}

void Append(const CommandDeclaration& command, const CommandDeclaration& program,
            const std::vector<std::string>& tables, std::string* text) {
  if (tables.empty() || std::find(tables.begin(), tables.end(), TableOf(command)) != tables.end()) {
    *text += TableText(command, program);
  }
  for (const CommandDeclaration& below : command.commands) Append(below, program, tables, text);
}

}  // namespace

std::string ConfigSample(const CommandDeclaration& program, const std::vector<std::string>& tables) {
  std::string text = fmt::format(
      "# Options of crivello {}, by command. Each line shows a default; remove the # and edit it to change "
      "the\n"
      "# default. The command line overrides the environment (CRIVELLO_CRAWL_DELAY=10s), which overrides "
      "this\n"
      "# file. 'crivello config show COMMAND' prints the effective values and their sources.\n"
      "# Sizes are 512M or 1.5G, durations 50ms, 30s or 2h. An option that can be repeated is a list: "
      "[\"a\", "
      "\"b\"].\n",
      kVersion);
  Append(program, program, tables, &text);
  return text;
}

}  // namespace crivello::cli
