// SPDX-License-Identifier: Apache-2.0
#include "cli/collection.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/owner_socket.h"
#include "index/snapshot.h"
#include "index/table_indexer.h"

namespace crivello::cli {

crawl::CrawlStoreOptions StoreOptions(const Session& session) {
  crawl::CrawlStoreOptions options;
  options.directory = session.collection;
  return options;
}

Result<int> OnCollection(const Session& session,
                         const std::function<Result<int>(crawl::CrawlStore&)>& action) {
  if (session.store != nullptr) return action(*session.store);
  crawl::CrawlStoreOptions options = StoreOptions(session);
  options.create = false;
  options.with_archive = false;
  auto store = crawl::CrawlStore::Open(options);
  if (store.ok()) return action(**store);
  if (store.status().code() != StatusCode::kUnavailable) return store.status();
  return AskOwner(session, store.status());
}

Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session) {
  std::vector<std::shared_ptr<const index::Snapshot>> tablets;
  for (uint32_t i = 0;; i++) {
    const std::string tablet = fmt::format("{}/tablets/{:04}", session.collection, i);
    std::error_code error;
    if (!std::filesystem::is_directory(tablet, error)) break;
    auto snapshot = index::Snapshot::Open(tablet + "/index");
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
