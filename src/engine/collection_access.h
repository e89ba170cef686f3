// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "engine/stored_index.h"
#include "wire/service.h"

namespace crivello::engine {

// The socket of the process that has a collection open (docs/formats/wire.md).
std::string SocketPath(const std::string& directory);

// How long a process that has a collection open may take to start or stop listening, and how often to
// check.
inline constexpr Duration kChangeOfOwner = std::chrono::seconds(5);
inline constexpr Duration kOwnerPoll = std::chrono::milliseconds(10);

// Access to the service of a collection for one task.  Either this process opens the collection for as long
// as this object lives, or it connects to the process that has it open.
class CollectionAccess {
 public:
  enum class Use {
    kRead,    // writes nothing
    kChange,  // changes what is there, but does not add to its archive
    kImport,  // creates the collection if there is none
  };
  // Unavailable, with the process id, if another process has it open and does not listen.  Reports problems
  // found while opening it as warnings.
  static Result<CollectionAccess> Open(const std::string& directory, Use use, Listener& listener);

  wire::CollectionService& service() { return *service_; }
  // Whether this process has the collection open, so that the message size does not limit requests.
  bool is_local() const { return store_ != nullptr; }
  // Closes the files of the archive, if this process has written to them.
  Status Close();

 private:
  CollectionAccess() = default;

  std::unique_ptr<collection::Collection> store_;  // null: another process has it open
  std::unique_ptr<StoredIndex> index_;
  std::unique_ptr<wire::CollectionService> service_;
};

}  // namespace crivello::engine
