// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"

namespace crivello::engine {

// One process owns a collection; others that want to read it, or to have it cared for, send their command
// line to the owner's Unix socket (COLLECTION/socket), and the owner runs it and sends back what it prints.
// So every reading command works the same on a collection that is being crawled, and there is one code that
// reads rows.
//
// A request is the arguments, each after its length.  The answer is a sequence of frames: a byte that says
// what it is (standard output, standard error, exit code), a length, bytes.  The socket belongs to the user
// who owns the collection, and no other may write to it.

// Runs the command lines that other processes send.
class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  // Returns the exit code.  Called in the thread of the socket, one command after the other.
  virtual int Run(const std::vector<std::string>& arguments, std::FILE* out, std::FILE* err) = 0;
};

// Answers until destroyed; requests one after the other.
class OwnerSocket {
 public:
  // In the folder of a collection that this process has locked.  The runner outlives it.
  static Result<std::unique_ptr<OwnerSocket>> Open(const std::string& directory, CommandRunner& runner);
  ~OwnerSocket();
  OwnerSocket(const OwnerSocket&) = delete;
  OwnerSocket& operator=(const OwnerSocket&) = delete;

 private:
  OwnerSocket(CommandRunner& runner, std::string path, int listener);
  void Serve();
  void Answer(int connection);

  CommandRunner& runner_;
  const std::string path_;
  const int listener_;
  const int wake_;  // an eventfd: the destructor's word to the thread
  std::thread thread_;
};

// Has the owner of the collection in `directory` run a command line, and writes what it prints.  The exit
// code; nothing if no owner answers there.  Unavailable if the owner ends in the middle.
Result<std::optional<int>> AskOwner(const std::string& directory, const std::vector<std::string>& arguments,
                                    std::FILE* out, std::FILE* err);

}  // namespace crivello::engine
