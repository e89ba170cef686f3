// SPDX-License-Identifier: Apache-2.0
#include "engine/collection_access.h"

#include <thread>

#include "engine/local_service.h"
#include "engine/open_collection.h"
#include "wire/remote_service.h"

namespace crivello::engine {

std::string SocketPath(const std::string& directory) { return directory + "/socket"; }

Result<CollectionAccess> CollectionAccess::Open(const std::string& directory, Use use, Listener& listener) {
  CollectionAccess access;
  const MonotonicTime until = SystemClock().Now() + kChangeOfOwner;
  const auto open = [&] {
    switch (use) {
      case Use::kImport:
        return OpenToImport(directory, listener);
      case Use::kChange:
        return OpenToCare(directory);
      case Use::kRead:
        break;
    }
    return OpenToRead(directory);
  };
  auto store = open();
  while (store.status().code() == StatusCode::kUnavailable) {
    auto remote = wire::RemoteService::Connect(SocketPath(directory), {});
    if (remote.ok()) {
      access.service_ = *std::move(remote);
      return access;
    }
    // The other modes have waited already.
    if (use != Use::kRead || SystemClock().Now() >= until) break;
    std::this_thread::sleep_for(kOwnerPoll);
    store = open();
  }
  if (!store.ok()) return store.status();
  if (use != Use::kImport) WarnOfUnfinished(**store, listener);
  access.store_ = *std::move(store);
  access.index_ = std::make_unique<StoredIndex>();
  access.service_ = std::make_unique<LocalService>(*access.store_, *access.index_);
  return access;
}

Status CollectionAccess::Close() { return store_ == nullptr ? Status::Ok() : store_->Close(); }

}  // namespace crivello::engine
