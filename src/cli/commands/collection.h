// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "collection/collection.h"
#include "base/listener.h"
#include "engine/owner_socket.h"

namespace crivello::index {
class Snapshot;
}

namespace crivello::cli {

// Runs `action` on the collection of the session (-C), for commands that only read it.  If another process
// has it open, that one is asked to run the whole command instead (engine/owner_socket.h), and the answer is
// the same.
Result<int> OnCollection(const Session& session,
                         const std::function<Result<int>(collection::Collection&)>& action);

// Opens a collection that is there, to change its rows.  Unavailable if another process has it open.
Result<std::unique_ptr<collection::Collection>> OpenExisting(const Session& session);

// The index of the collection as it was committed last, of all tablets: read from its files, whoever has the
// collection open.  NotFound says how to make one.
Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session);

// Writes what the engine has to say to the log of a session, which outlives it.
class SessionListener final : public Listener {
 public:
  explicit SessionListener(const Session& session) : session_(session) {}
  void Warn(std::string_view event, const std::string& sentence) override;
  std::unique_ptr<Progress> NewProgress() override;

 private:
  const Session& session_;
};

// Runs the commands of other processes in the one that owns the collection: those that read it, and those
// that are safe beside a crawl.  Before the arguments come, as in a shell, CRIVELLO_X=value for what
// environment and files of the asking process have set.
class OwnerCommands final : public engine::CommandRunner {
 public:
  // The engine outlives it.
  explicit OwnerCommands(engine::Engine& engine) : engine_(engine) {}
  int Run(const std::vector<std::string>& arguments, std::FILE* out, std::FILE* err) override;

 private:
  engine::Engine& engine_;
};

}  // namespace crivello::cli
