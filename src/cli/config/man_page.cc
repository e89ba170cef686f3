// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/config/declarations.h"
#include "cli/version.h"

namespace crivello::cli {
namespace {

// Escapes text for roff, so that nothing in it is a request or an escape.
std::string Roff(std::string_view text) {
  std::string result;
  bool line_start = true;
  for (char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_start = c == '\n';
  }
  return result;
}

std::string Synopsis(const CommandDeclaration& command) {
  std::string text = fmt::format(".B {}\n", Roff(command.Name(' ')));
  bool has_options = false;
  for (const auto& option : command.options) has_options |= !option.positional;
  if (has_options) text += "[OPTIONS]\n";
  for (const auto& option : command.options) {
    if (!option.positional) continue;
    const std::string name = fmt::format("\\fI{}\\fR{}", Roff(option.names[0]), option.repeated ? "..." : "");
    text += option.required ? name + "\n" : "[" + name + "]\n";
  }
  if (!command.commands.empty()) text += "\\fICOMMAND\\fR ...\n";
  return text;
}

std::string OptionEntry(const OptionDeclaration& option) {
  std::string head;
  for (const auto& name : option.names) {
    head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", Roff(name));
  }
  if (!option.value.empty() && !option.positional) head += fmt::format(" \\fI{}\\fR", Roff(option.value));
  std::string about = option.description;
  if (!option.choices.empty()) about += fmt::format(": one of {}", fmt::join(option.choices, ", "));
  if (!option.default_value.empty()) about += fmt::format(". Default: {}", option.default_value);
  return fmt::format(".TP\n{}\n{}\n", head, Roff(about));
}

}  // namespace

std::string ManPage(const CommandDeclaration& command, const CommandDeclaration& program) {
  std::string text =
      fmt::format(".TH {} 1 \"\" \"crivello {}\" \"Crivello\"\n.nh\n", Roff(command.Name('-')), kVersion);
  text += fmt::format(".SH NAME\n{} \\- {}\n", Roff(command.Name('-')), Roff(command.description));
  text += ".SH SYNOPSIS\n" + Synopsis(command);
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const auto& sub : command.commands) {
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", Roff(sub.path.back()), Roff(sub.description));
    }
  }
  text += ".SH OPTIONS\n";
  for (const auto& option : command.options) text += OptionEntry(option);
  if (command.path.size() > 1) {
    text += ".SS Options of every command\n";
    for (const auto& option : program.options) {
      const std::string& name = option.names.back();
      if (name != "--help" && name != "--version") text += OptionEntry(option);
    }
  }
  if (!command.footer.empty())
    text += fmt::format(".SH NOTES AND EXAMPLES\n.nf\n{}\n.fi\n", Roff(command.footer));
  text += ".SH SEE ALSO\n";
  for (const auto& sub : program.commands) {
    text += fmt::format(".BR {} (1){}\n", Roff(sub.Name('-')), &sub == &program.commands.back() ? "" : ",");
  }
  return text;
}

}  // namespace crivello::cli
