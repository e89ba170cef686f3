// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/atomic_file.h"
#include "cli/app.h"
#include "cli/config/declarations.h"

namespace crivello::cli {
namespace {

const CommandDeclaration* Find(const CommandDeclaration& command, const std::vector<std::string>& words,
                               size_t from) {
  if (from == words.size()) return &command;
  for (const auto& sub : command.commands) {
    if (sub.path.back() == words[from]) return Find(sub, words, from + 1);
  }
  return nullptr;
}

Status WritePages(const CommandDeclaration& command, const CommandDeclaration& program,
                  const std::string& folder) {
  const std::string path = fmt::format("{}/{}.1", folder, command.Name('-'));
  CRV_TRY(WriteFileAtomically(path, AsBytes(ManPage(command, program))));
  for (const auto& sub : command.commands) CRV_TRY(WritePages(sub, program, folder));
  return Status::Ok();
}

}  // namespace

void AddManCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("man", "Print the man page of a command, or write all of them");
  struct Options {
    std::vector<std::string> words;
    std::string folder;
  };
  auto options = std::make_shared<Options>();
  command->add_option("COMMAND", options->words, "The command (none: the program itself)");
  command->add_option("--to", options->folder, "Write the man pages of all commands into this folder")
      ->type_name("DIR");
  command->footer(
      "Examples:\n"
      "  crivello man codes table | man -l -\n"
      "  crivello man --to /usr/local/share/man/man1");
  Runs(*command, session, [&app, &session, options]() -> Result<int> {
    const CommandDeclaration program = Declarations(app);
    if (!options->folder.empty()) {
      CRV_TRY(WritePages(program, program, options->folder));
      return kDone;
    }
    const CommandDeclaration* page = Find(program, options->words, 0);
    if (page == nullptr) {
      return Status::InvalidArgument(fmt::format("unknown command '{}'", fmt::join(options->words, " ")));
    }
    session.out->Print("{}", ManPage(*page, program));
    return kDone;
  });
}

}  // namespace crivello::cli
