// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/collection.h"

#include "cli/terminal_progress.h"
#include "engine/collection_access.h"
#include "engine/open_collection.h"
#include "index/tables/collection_index.h"

namespace crivello::cli {

void SessionListener::Warn(std::string_view event, const std::string& sentence) {
  session_.log->Write(LogLevel::kWarning, event, sentence);
}

std::unique_ptr<Progress> SessionListener::NewProgress() { return MakeProgress(session_); }

Result<std::unique_ptr<collection::Collection>> OpenExisting(const Session& session) {
  SessionListener listener(session);
  return engine::OpenToChange(session.collection, listener);
}

namespace {

Result<int> Ask(const Session& session, engine::CollectionAccess::Use use,
                const std::function<Result<int>(wire::CollectionService&, Listener&)>& ask) {
  SessionListener listener(session);
  CRV_ASSIGN(engine::CollectionAccess access,
             engine::CollectionAccess::Open(session.collection, use, listener));
  return ask(access.service(), listener);
}

}  // namespace

Result<int> WithService(const Session& session,
                        const std::function<Result<int>(wire::CollectionService&, Listener&)>& ask) {
  return Ask(session, engine::CollectionAccess::Use::kRead, ask);
}

Result<int> WithServiceToChange(const Session& session,
                                const std::function<Result<int>(wire::CollectionService&, Listener&)>& ask) {
  return Ask(session, engine::CollectionAccess::Use::kChange, ask);
}

Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session) {
  return index::OpenCollectionIndex(session.collection);
}

}  // namespace crivello::cli
