// SPDX-License-Identifier: Apache-2.0
#include "index/tables/collection_index.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "index/segments/manifest.h"

namespace crivello::index {
namespace {

// The folders of the tablets' indexes.
std::vector<std::string> IndexFolders(const std::string& collection) {
  std::vector<std::string> folders;
  for (uint32_t i = 0;; i++) {
    const std::string tablet = fmt::format("{}/tablets/{:04}", collection, i);
    std::error_code error;
    if (!std::filesystem::is_directory(tablet, error)) return folders;
    folders.push_back(tablet + "/index");
  }
}

}  // namespace

Result<uint64_t> CollectionGeneration(const std::string& collection) {
  uint64_t generation = 0;
  for (const std::string& folder : IndexFolders(collection)) {
    CRV_ASSIGN(const Manifest manifest, Manifest::Read(folder));
    generation += manifest.generation;
  }
  return generation;
}

Result<std::shared_ptr<const Snapshot>> OpenCollectionIndex(const std::string& collection) {
  std::vector<std::shared_ptr<const Snapshot>> tablets;
  for (const std::string& folder : IndexFolders(collection)) {
    auto snapshot = Snapshot::Open(folder);
    if (snapshot.status().code() == StatusCode::kNotFound) {
      return Status::NotFound(collection + " has no index: 'crivello index' makes one");
    }
    if (!snapshot.ok()) return snapshot.status();
    tablets.push_back(*std::move(snapshot));
  }
  if (tablets.empty()) {
    return Status::NotFound(collection + " is no collection: 'crivello crawl' makes one");
  }
  return Snapshot::Join(tablets);
}

}  // namespace crivello::index
