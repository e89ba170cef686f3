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

// Where the process that has a collection open listens (docs/formats/wire.md).
std::string SocketPath(const std::string& directory);

// How long a process that has a collection open may take to begin or to stop listening, and how often to
// look.
inline constexpr Duration kChangeOfOwner = std::chrono::seconds(5);
inline constexpr Duration kOwnerPoll = std::chrono::milliseconds(10);

// The service of a collection, for one piece of work: in this process, which opens the collection for as long
// as this object lives; or, if another process has it open, over a connection to that one.
class CollectionAccess {
 public:
  enum class Use {
    kRead,    // nothing is written
    kChange,  // work on what is there, but for adding to its archive
    kImport,  // makes the collection if there is none
  };
  // Unavailable, with the number of the process, if one has it open that does not listen.  Warns of what was
  // found in opening it.
  static Result<CollectionAccess> Open(const std::string& directory, Use use, Listener& listener);

  wire::CollectionService& service() { return *service_; }
  // Whether this process has the collection open, so that no message limits the size of what is asked.
  bool is_local() const { return store_ != nullptr; }
  // Ends the files of the archive, if this process has written to them.
  Status Close();

 private:
  CollectionAccess() = default;

  std::unique_ptr<collection::Collection> store_;  // null: another process has it
  std::unique_ptr<StoredIndex> index_;
  std::unique_ptr<wire::CollectionService> service_;
};

}  // namespace crivello::engine
