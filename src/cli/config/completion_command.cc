// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"
#include "cli/config/declarations.h"

namespace crivello::cli {

void AddCompletionCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes crivello's words in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "Shell that the script is for")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "Examples:\n"
      "  source <(crivello completion bash)\n"
      "  crivello completion fish | source");
  Runs(*command, session, [&app, &session, shell]() -> Result<int> {
    const CommandDeclaration program = Declarations(app);
    session.out->Print("{}", *shell == "bash"  ? BashCompletion(program)
                             : *shell == "zsh" ? ZshCompletion(program)
                                               : FishCompletion(program));
    return kDone;
  });
}

}  // namespace crivello::cli
