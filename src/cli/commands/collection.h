// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/progress.h"
#include "base/status.h"
#include "cli/command.h"
#include "collection/collection.h"
#include "wire/service.h"

namespace crivello::index {
class Snapshot;
}

namespace crivello::cli {

// Calls `ask` with the service of the session's collection (-C): in this process, or in the one that has it
// open (engine/collection_access.h).  The answers are the same.
Result<int> WithService(const Session& session,
                        const std::function<Result<int>(wire::CollectionService&, Listener&)>& ask);
// The same for commands that change it: forget, backup.
Result<int> WithServiceToChange(const Session& session,
                                const std::function<Result<int>(wire::CollectionService&, Listener&)>& ask);

// Opens an existing collection to change its rows.  Unavailable if another process has it open.
Result<std::unique_ptr<collection::Collection>> OpenExisting(const Session& session);

// The last committed index of the collection, of all tablets: reads its files, whichever process has the
// collection open.  NotFound says how to create one.
Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session);

// Writes the messages of the engine to the log of a session, which must outlive it.
class SessionListener final : public Listener {
 public:
  explicit SessionListener(const Session& session) : session_(session) {}
  void Warn(std::string_view event, const std::string& sentence) override;
  std::unique_ptr<Progress> NewProgress() override;

 private:
  const Session& session_;
};

}  // namespace crivello::cli
