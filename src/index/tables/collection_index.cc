// SPDX-License-Identifier: Apache-2.0
#include "index/tables/collection_index.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "base/folder.h"
#include "index/segments/manifest.h"
#include "web/url/tablet_id.h"

namespace crivello::index {

Result<std::vector<std::string>> IndexFolders(const std::string& collection) {
  const std::string tablets = collection + "/tablets";
  std::error_code error;
  if (!std::filesystem::is_directory(tablets, error)) {
    return Status::NotFound(fmt::format(
        "'{}' is not a Crivello collection; create one with 'crivello up URL' or 'crivello import FILE'",
        collection));
  }
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(tablets));
  const Result<web::TabletMap> map = web::TabletMap::OfNames(names);
  if (!map.ok()) return Status::Corruption(fmt::format("{}: {}", tablets, map.status().message()));
  std::vector<std::string> folders;
  for (uint32_t slot = 0; slot < map->size(); ++slot) {
    folders.push_back(fmt::format("{}/{}/index", tablets, map->id(slot).Name()));
  }
  return folders;
}

Result<uint64_t> CollectionGeneration(const std::string& collection) {
  uint64_t generation = 0;
  CRV_ASSIGN(const std::vector<std::string> folders, IndexFolders(collection));
  for (const std::string& folder : folders) {
    CRV_ASSIGN(const Manifest manifest, Manifest::Read(folder));
    generation += manifest.generation;
  }
  return generation;
}

Result<std::shared_ptr<const Snapshot>> OpenCollectionIndex(const std::string& collection) {
  std::vector<std::shared_ptr<const Snapshot>> tablets;
  CRV_ASSIGN(const std::vector<std::string> folders, IndexFolders(collection));
  for (const std::string& folder : folders) {
    auto snapshot = Snapshot::Open(folder);
    if (snapshot.status().code() == StatusCode::kNotFound) {
      return Status::NotFound(collection + " has no index; create one with 'crivello index'");
    }
    if (!snapshot.ok()) return snapshot.status();
    tablets.push_back(*std::move(snapshot));
  }
  return Snapshot::Join(tablets);
}

}  // namespace crivello::index
