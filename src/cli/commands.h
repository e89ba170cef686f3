// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace crivello::cli {

// Each command declares itself in one file, NAME_command.cc: it adds its options, help and examples to `app`.
// --help, the man pages and the shell completions are generated from these declarations.
void AddAgentCommand(CLI::App& app, Session& session);
void AddBackupCommand(CLI::App& app, Session& session);
void AddCheckCommand(CLI::App& app, Session& session);
void AddClusterCommand(CLI::App& app, Session& session);
void AddCodesCommand(CLI::App& app, Session& session);
void AddCompletionCommand(CLI::App& app, Session& session);
void AddConfigCommand(CLI::App& app, Session& session);
void AddCrawlCommand(CLI::App& app, Session& session);
void AddDemoCommand(CLI::App& app, Session& session);
void AddEvalCommand(CLI::App& app, Session& session);
void AddExportCommand(CLI::App& app, Session& session);
void AddFeedCommand(CLI::App& app, Session& session);
void AddForgetCommand(CLI::App& app, Session& session);
void AddFrontierCommand(CLI::App& app, Session& session);
void AddGetCommand(CLI::App& app, Session& session);
void AddDupsCommand(CLI::App& app, Session& session);
void AddGraphCommand(CLI::App& app, Session& session);
void AddImportCommand(CLI::App& app, Session& session);
void AddIndexCommand(CLI::App& app, Session& session);
void AddInspectCommand(CLI::App& app, Session& session);
void AddLabCommand(CLI::App& app, Session& session);
void AddManCommand(CLI::App& app, Session& session);
void AddOrderCommand(CLI::App& app, Session& session);
void AddRankCommand(CLI::App& app, Session& session);
void AddRederiveCommand(CLI::App& app, Session& session);
void AddReportCommand(CLI::App& app, Session& session);
void AddRestoreCommand(CLI::App& app, Session& session);
void AddRobotsCommand(CLI::App& app, Session& session);
void AddScanCommand(CLI::App& app, Session& session);
void AddScheduleCommand(CLI::App& app, Session& session);
void AddSearchCommand(CLI::App& app, Session& session);
void AddServeCommand(CLI::App& app, Session& session);
void AddSieveCommand(CLI::App& app, Session& session);
void AddSignKeyCommand(CLI::App& app, Session& session);
void AddSimilarCommand(CLI::App& app, Session& session);
void AddSimulateCommand(CLI::App& app, Session& session);
void AddSuggestCommand(CLI::App& app, Session& session);
void AddTermsCommand(CLI::App& app, Session& session);
void AddTextCommand(CLI::App& app, Session& session);
void AddUpCommand(CLI::App& app, Session& session);
void AddUrlCommand(CLI::App& app, Session& session);
void AddWarcCommand(CLI::App& app, Session& session);
void AddWhyCommand(CLI::App& app, Session& session);

}  // namespace crivello::cli
