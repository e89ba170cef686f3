// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

// An agent that starts asks another one, over the bus, to try a lock that it holds on the shared file system.
// Where both get it, locks are local to each machine, and the databases of the tablets have lost their second
// guard; where the other one does not see the file, the two have different folders.

struct LockQuestion {
  std::string scope = {};   // the name of the cluster in subjects: that of its bucket
  std::string folder = {};  // of the collection
  std::string agent = {};
  uint64_t process = 0;                      // random, differs each time that the agent starts
  Duration limit = std::chrono::seconds(5);  // for an answer
};

// What came of it, for people: "agent blue cannot take a lock ...".  Nothing if no other agent answered.
// InvalidArgument if an agent got the lock or does not see the file; Unavailable if the bucket cannot be
// read. It asks one agent after the other until one answers.
Result<std::optional<std::string>> AskAnotherAgentToLock(Bus& bus, const LockQuestion& question);

// Answers such questions, as long as the subscription exists.
Result<std::unique_ptr<Bus::Subscription>> AnswerLockQuestions(Bus& bus, const std::string& scope,
                                                               const std::string& agent,
                                                               const std::string& folder);

}  // namespace crivello::cluster
