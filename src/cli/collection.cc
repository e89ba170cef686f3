// SPDX-License-Identifier: Apache-2.0
#include "cli/collection.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/care.h"
#include "cli/owner_socket.h"
#include "index/snapshot.h"
#include "index/table_indexer.h"
#include "text/analyser.h"

namespace crivello::cli {

crawl::CrawlStoreOptions StoreOptions(const Session& session) {
  crawl::CrawlStoreOptions options;
  options.directory = session.collection;
  return options;
}

namespace {

Result<std::unique_ptr<crawl::CrawlStore>> OpenAsItIs(const Session& session) {
  crawl::CrawlStoreOptions options = StoreOptions(session);
  options.create = false;
  options.with_archive = false;
  return crawl::CrawlStore::Open(options);
}

}  // namespace

Result<std::unique_ptr<crawl::CrawlStore>> OpenExisting(const Session& session) {
  CRV_ASSIGN(std::unique_ptr<crawl::CrawlStore> store, OpenAsItIs(session));
  CRV_TRY(FinishCare(session, *store));
  return store;
}

Result<int> OnCollection(const Session& session,
                         const std::function<Result<int>(crawl::CrawlStore&)>& action) {
  if (session.store != nullptr) return action(*session.store);
  auto store = OpenAsItIs(session);
  if (store.ok()) {
    TellOfUnfinishedCare(session, **store);
    return action(**store);
  }
  if (store.status().code() != StatusCode::kUnavailable) return store.status();
  return AskOwner(session, store.status());
}

namespace {

// The folders of the tablets' indexes.
std::vector<std::string> IndexFolders(const Session& session) {
  std::vector<std::string> folders;
  for (uint32_t i = 0;; i++) {
    const std::string tablet = fmt::format("{}/tablets/{:04}", session.collection, i);
    std::error_code error;
    if (!std::filesystem::is_directory(tablet, error)) return folders;
    folders.push_back(tablet + "/index");
  }
}

}  // namespace

Result<uint64_t> IndexGeneration(const Session& session) {
  uint64_t generation = 0;
  for (const std::string& folder : IndexFolders(session)) {
    CRV_ASSIGN(const index::Manifest manifest, index::Manifest::Read(folder));
    generation += manifest.generation;
  }
  return generation;
}

Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session) {
  std::vector<std::shared_ptr<const index::Snapshot>> tablets;
  for (const std::string& folder : IndexFolders(session)) {
    auto snapshot = index::Snapshot::Open(folder);
    if (snapshot.status().code() == StatusCode::kNotFound) {
      return Status::NotFound(session.collection + " has no index: 'crivello index' makes one");
    }
    if (!snapshot.ok()) return snapshot.status();
    tablets.push_back(*std::move(snapshot));
  }
  if (tablets.empty()) {
    return Status::NotFound(session.collection + " is no collection: 'crivello crawl' makes one");
  }
  return index::Snapshot::Join(tablets);
}

Result<index::IndexSettings> DefaultIndexSettings() {
  CRV_ASSIGN(const auto description, text::AnalyserDescription::Parse(text::kStandardAnalyser));
  return index::IndexSettings{.analyser = description.ToString()};
}

std::vector<index::IndexedTablet> IndexedTablets(crawl::CrawlStore& store) {
  std::vector<index::IndexedTablet> tablets;
  for (uint32_t i = 0; i < store.tablets(); ++i) {
    const crawl::CrawlStore::Tablet& tablet = store.tablet(i);
    tablets.push_back({.table = &tablet.table,
                       .changes = tablet.changes.get(),
                       .index = tablet.tablet->directory() + "/index"});
  }
  return tablets;
}

}  // namespace crivello::cli
