// SPDX-License-Identifier: Apache-2.0
#include "cli/config/declarations.h"

#include <CLI/CLI.hpp>

namespace crivello::cli {
namespace {

OptionDeclaration ReadOption(const CLI::Option& option) {
  OptionDeclaration result;
  result.positional = option.get_positional();
  if (result.positional) {
    result.names = {option.get_name(true)};
  } else {
    for (const auto& name : option.get_snames()) result.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) result.names.push_back("--" + name);
  }
  result.description = option.get_description();
  result.required = option.get_required();
  result.repeated = option.get_expected_max() > 1;
  result.default_value = option.get_default_str();
  if (option.get_items_expected_max() == 0) return result;
  // A set of choices appears in the type name as "TEXT:{a,b}".
  result.value = option.get_type_name();
  const size_t open = result.value.find(":{");
  if (open != std::string::npos && result.value.back() == '}') {
    result.choices = CLI::detail::split(result.value.substr(open + 2, result.value.size() - open - 3), ',');
    result.value.resize(open);
  }
  return result;
}

CommandDeclaration Read(const CLI::App& app, std::vector<std::string> path) {
  CommandDeclaration result;
  path.push_back(app.get_name());
  result.path = path;
  result.description = app.get_description();
  result.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) result.options.push_back(ReadOption(*option));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_name().empty()) {
      result.commands.push_back(Read(*sub, path));
      continue;
    }
    // For CLI11, a group of options is a subcommand without a name; here its options belong to the
    // command.
    for (const CLI::Option* option : sub->get_options()) result.options.push_back(ReadOption(*option));
  }
  return result;
}

}  // namespace

std::string CommandDeclaration::Name(char separator) const {
  std::string name;
  for (const auto& word : path) {
    if (!name.empty()) name += separator;
    name += word;
  }
  return name;
}

CommandDeclaration Declarations(const CLI::App& app) { return Read(app, {}); }

}  // namespace crivello::cli
