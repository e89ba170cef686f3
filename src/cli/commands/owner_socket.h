// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "base/status.h"
#include "cli/command.h"
#include "collection/collection.h"

namespace crivello::cli {

// One process owns a collection; others that want to read it, or to have it cared for, send their command
// line to the owner's Unix socket (COLLECTION/socket), and the owner runs it and sends back what it prints.
// So every reading command works the same on a collection that is being crawled, and there is one code that
// reads rows.
//
// A request is the arguments, each after its length, and before them, as a shell has it, CRIVELLO_X=value for
// what the environment and files of the asking process have set; the answer is a sequence of frames: a byte
// that says what it is (standard output, standard error, exit code), a length, bytes.  Only commands that
// read are run, and those that are safe beside a crawl (forget, backup).
// The socket belongs to the user who owns the collection, and no other may write to it.

// Serves until destroyed; requests one after the other.  The store outlives it.
class OwnerSocket {
 public:
  static Result<std::unique_ptr<OwnerSocket>> Open(collection::Collection& store);
  ~OwnerSocket();
  OwnerSocket(const OwnerSocket&) = delete;
  OwnerSocket& operator=(const OwnerSocket&) = delete;

 private:
  OwnerSocket(collection::Collection& store, std::string path, int listener);
  void Serve();
  void Answer(int connection);

  collection::Collection& store_;
  const std::string path_;
  const int listener_;
  const int wake_;  // an eventfd: the destructor's word to the thread
  std::thread thread_;
};

// Has the owner run the session's command line; `busy` is the error if it cannot be reached.
Result<int> AskOwner(const Session& session, const Status& busy);

}  // namespace crivello::cli
