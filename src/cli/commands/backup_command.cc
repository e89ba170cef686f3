// SPDX-License-Identifier: Apache-2.0
// backup and restore.

#include <filesystem>

#include "care/backup.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "cli/units.h"

namespace crivello::cli {
namespace {

Result<int> RunBackup(const Session& session, wire::CollectionService& service, Listener& listener,
                      const std::string& folder) {
  CRV_ASSIGN(const wire::BackupSummary summary, service.Ask(wire::BackupRequest{.folder = folder}, listener));
  if (session.json) {
    PrintJson(session, {{"name", summary.name},
                        {"files", summary.files},
                        {"bytes", summary.bytes},
                        {"copied_bytes", summary.copied_bytes}});
  } else {
    session.out->Print("{}/{}: {} files, {}\n", Printable(folder), summary.name, Grouped(summary.files),
                       FormatSize(summary.bytes));
  }
  return kDone;
}

Result<int> ListAll(const Session& session, const std::string& folder) {
  CRV_ASSIGN(const std::vector<std::string> names, care::ListBackups(folder));
  for (const std::string& name : names) {
    const auto list = care::BackupList::Read(folder + "/" + name);
    uint64_t bytes = 0;
    if (list.ok()) {
      for (const care::BackupFile& file : list->files) bytes += file.bytes;
    }
    if (session.json) {
      PrintJson(session, {{"name", name}, {"good", list.ok()}, {"bytes", bytes}});
    } else {
      session.out->Print("{}  {}\n", Printable(name),
                         list.ok() ? FormatSize(bytes) : Printable(list.status().message()));
    }
  }
  return names.empty() ? kNothingFound : kDone;
}

Result<int> RunRestore(const Session& session, const std::string& folder, const std::string& at) {
  const auto progress = MakeProgress(session);
  std::string collection = session.collection;
  while (collection.size() > 1 && collection.back() == '/') collection.pop_back();
  CRV_ASSIGN(const care::RestoreSummary summary,
             care::Restore(folder, at.empty() ? std::nullopt : std::optional(at), collection, *progress));
  if (session.json) {
    PrintJson(session, {{"name", summary.name}, {"files", summary.files}, {"bytes", summary.bytes}});
  } else {
    session.out->Print("restored {} from {}: {} files, {}\n", Printable(collection), summary.name,
                       Grouped(summary.files), FormatSize(summary.bytes));
  }
  return kDone;
}

}  // namespace

void AddBackupCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("backup", "Back up the collection, even during a crawl");
  auto folder = std::make_shared<std::string>();
  auto list = std::make_shared<bool>(false);
  command->add_option("DIR", *folder, "Folder for backups; it is created if missing")->required();
  command->add_flag("--list", *list, "List the backups");
  command->footer(
      "Each backup is a complete folder of its own in DIR, named by the time. Unchanged files are shared "
      "with the\n"
      "collection or with the previous backup. If another process has the collection open, that process "
      "makes the\n"
      "backup.\n"
      "\n"
      "Examples:\n"
      "  crivello backup /var/backups/crivello\n"
      "  crivello backup /var/backups/crivello --list");
  Runs(*command, session, [&session, folder, list]() -> Result<int> {
    if (*list) return ListAll(session, *folder);
    // The process that has the collection open may have another working directory.
    std::error_code error;
    const std::string absolute = std::filesystem::absolute(*folder, error).string();
    return WithServiceToChange(session, [&](wire::CollectionService& service, Listener& listener) {
      return RunBackup(session, service, listener, absolute);
    });
  });
}

void AddRestoreCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("restore", "Restore a backup into a new collection (-C)");
  auto folder = std::make_shared<std::string>();
  auto at = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "Folder of the backups")->required();
  command->add_option("--at", *at, "Name of the backup (default: the newest)");
  command->footer(
      "The folder of the collection must not exist. The checksum of every file is verified first.\n"
      "\n"
      "Examples:\n"
      "  crivello -C restored restore /var/backups/crivello\n"
      "  crivello -C restored restore /var/backups/crivello --at 20261116T033000Z");
  Runs(*command, session, [&session, folder, at] { return RunRestore(session, *folder, *at); });
}

}  // namespace crivello::cli
