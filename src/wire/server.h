// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/status.h"
#include "wire/connection.h"
#include "wire/service.h"

namespace crivello::wire {

struct ServerOptions {
  size_t connections = 32;                            // at a time; more are refused with an error message
  Duration first_request = std::chrono::seconds(10);  // for the first request to begin
  Duration idle = std::chrono::minutes(5);            // between two requests
  Duration request = std::chrono::seconds(30);        // from the first byte of a request to its last
  Duration send_frame = std::chrono::seconds(60);     // for a client to take one frame of an answer
};

// Answers the requests of one connection until it ends.  An unknown message or version is refused by
// name.  If a client is slow or gone, only its own connection ends; changes that it requested are
// completed.
void ServeConnection(Connection& connection, CollectionService& service, const ServerOptions& options);

// Answers the requests of other processes over a Unix socket, each connection in its own thread.  Only the
// user of this process can connect.
class Server {
 public:
  // Replaces an existing socket file: the caller must hold the lock of the collection.  The service must
  // outlive this.
  static Result<std::unique_ptr<Server>> Open(std::string path, CollectionService& service,
                                              const ServerOptions& options = {});
  // Ends all connections.  Waits for answers in progress.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  size_t connections() const { return open_; }

 private:
  struct Client {
    std::unique_ptr<Connection> connection;
    std::atomic<bool> ended = false;
    std::thread thread;
  };

  Server(std::string path, CollectionService& service, const ServerOptions& options, int listener);
  void Accept();
  void Admit(int socket);
  void JoinEnded();

  const std::string path_;
  CollectionService& service_;
  const ServerOptions options_;
  const int listener_;
  const int wake_;  // an eventfd: tells the thread to end
  std::atomic<size_t> open_ = 0;
  std::list<Client> clients_;  // used by the accepting thread, and then by the destructor
  std::thread thread_;
};

}  // namespace crivello::wire
