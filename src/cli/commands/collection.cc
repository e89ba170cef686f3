// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/collection.h"

#include "cli/commands/care.h"
#include "cli/commands/owner_socket.h"
#include "index/tables/collection_index.h"
#include "index/tables/table_indexer.h"
#include "text/terms/analyser.h"

namespace crivello::cli {

collection::CollectionOptions StoreOptions(const Session& session) {
  collection::CollectionOptions options;
  options.directory = session.collection;
  return options;
}

namespace {

Result<std::unique_ptr<collection::Collection>> OpenAsItIs(const Session& session) {
  collection::CollectionOptions options = StoreOptions(session);
  options.create = false;
  options.with_archive = false;
  return collection::Collection::Open(options);
}

}  // namespace

Result<std::unique_ptr<collection::Collection>> OpenExisting(const Session& session) {
  CRV_ASSIGN(std::unique_ptr<collection::Collection> store, OpenAsItIs(session));
  CRV_TRY(FinishCare(session, *store));
  return store;
}

Result<int> OnCollection(const Session& session,
                         const std::function<Result<int>(collection::Collection&)>& action) {
  if (session.store != nullptr) return action(*session.store);
  auto store = OpenAsItIs(session);
  if (store.ok()) {
    TellOfUnfinishedCare(session, **store);
    return action(**store);
  }
  if (store.status().code() != StatusCode::kUnavailable) return store.status();
  return AskOwner(session, store.status());
}

Result<uint64_t> IndexGeneration(const Session& session) {
  return index::CollectionGeneration(session.collection);
}

Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session) {
  return index::OpenCollectionIndex(session.collection);
}

Result<index::IndexSettings> DefaultIndexSettings() {
  CRV_ASSIGN(const auto description, text::AnalyserDescription::Parse(text::kStandardAnalyser));
  return index::IndexSettings{.analyser = description.ToString()};
}

std::vector<index::IndexedTablet> IndexedTablets(collection::Collection& store) {
  std::vector<index::IndexedTablet> tablets;
  for (collection::Tablet* const tablet : store.tablets()) {
    tablets.push_back(
        {.table = &tablet->table(), .changes = &tablet->changes(), .index = tablet->index_directory()});
  }
  return tablets;
}

}  // namespace crivello::cli
