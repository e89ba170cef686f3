// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/collection.h"

#include <algorithm>

#include "cli/terminal_progress.h"
#include "engine/engine.h"
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

Result<int> OnCollection(const Session& session,
                         const std::function<Result<int>(collection::Collection&)>& action) {
  if (session.owner != nullptr) return action(session.owner->collection());
  auto store = engine::OpenToRead(session.collection);
  if (store.ok()) {
    SessionListener listener(session);
    engine::WarnOfUnfinished(**store, listener);
    return action(**store);
  }
  if (store.status().code() != StatusCode::kUnavailable) return store.status();
  std::vector<std::string> arguments = session.settings;
  arguments.insert(arguments.end(), session.arguments.begin(), session.arguments.end());
  CRV_ASSIGN(const std::optional<int> code,
             engine::AskOwner(session.collection, arguments, session.out, session.err));
  if (!code) return store.status();
  return *code;
}

Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session) {
  return index::OpenCollectionIndex(session.collection);
}

int OwnerCommands::Run(const std::vector<std::string>& arguments, std::FILE* out, std::FILE* err) {
  const auto words = std::find_if(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return !argument.starts_with("CRIVELLO_");
  });
  std::vector<const char*> argv = {"crivello"};
  for (auto word = words; word != arguments.end(); ++word) argv.push_back(word->c_str());
  return Main(static_cast<int>(argv.size()), argv.data(), out, err, &engine_, {arguments.begin(), words});
}

}  // namespace crivello::cli
