// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/care.h"

#include "cli/commands/collection.h"
#include "cli/terminal_progress.h"
#include "index/tables/table_indexer.h"

namespace crivello::cli {

Status RebuildIndex(const Session& session, collection::Collection& store) {
  const std::vector<index::IndexedTablet> tablets = IndexedTablets(store);
  const auto before = index::Manifest::Read(tablets[0].index);
  if (before.status().code() == StatusCode::kNotFound) return Status::Ok();
  CRV_TRY(before.status());
  index::TableIndexOptions options;
  options.settings = before->settings;
  CRV_ASSIGN(options.fields, index::PageFields::Parse(before->settings.fields));
  const auto progress = MakeProgress(session);
  return index::BuildTableIndexes(tablets, options, *progress).status();
}

care::ForgetOptions ForgetOptionsOf(const Session& session, collection::Collection& store) {
  care::ForgetOptions options;
  options.rebuild_index = store.rebuild_index() ? store.rebuild_index()
                                                : [&session, &store] { return RebuildIndex(session, store); };
  return options;
}

Status FinishCare(const Session& session, collection::Collection& store) {
  if (!store.forgotten().current()->unfinished()) return Status::Ok();
  session.log->Write(LogLevel::kWarning, "forget.resumed", "a forgetting was cut off; it is ended first");
  const auto progress = MakeProgress(session);
  CRV_ASSIGN(const auto summary, care::FinishForgetting(store, ForgetOptionsOf(session, store), *progress));
  for (const collection::ForgetTarget& target : summary->targets) {
    session.log->Write(LogLevel::kWarning, "forget.done", target.ToString() + " is forgotten");
  }
  return Status::Ok();
}

void TellOfUnfinishedCare(const Session& session, const collection::Collection& store) {
  for (const collection::ForgottenEntry& entry : store.forgotten().current()->entries()) {
    if (entry.done != 0) continue;
    session.log->Write(LogLevel::kWarning, "forget.unfinished",
                       "to forget " + entry.target.ToString() +
                           " was begun and cut off; 'crivello forget --finish' ends it");
  }
}

}  // namespace crivello::cli
