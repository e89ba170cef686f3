// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "wire/message.h"

namespace crivello::wire {

// The size limits for messages from the other side.
inline constexpr size_t kMaxRequestBytes = size_t{16} << 20;
inline constexpr size_t kMaxAnswerBytes = size_t{256} << 20;

// Messages over a connected stream socket.  No call waits longer than its limit, whatever the other side
// does.  Errors are Unavailable (the other side is gone, or too slow), or those of MessageReader; after an
// error the connection cannot be used any more.
//
// Only one thread may receive; any thread may send.
class Connection {
 public:
  struct Limits {
    size_t message_bytes = kMaxAnswerBytes;              // of a received message
    Duration send_frame = std::chrono::seconds(60);      // for the other side to take one frame
    Duration receive_message = std::chrono::minutes(5);  // from the first byte of a message to the last
  };

  // Takes ownership of the descriptor.
  Connection(int socket, const Limits& limits);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Connects to the process that listens at a path.  NotFound if there is none.
  static Result<std::unique_ptr<Connection>> Connect(const std::string& path, const Limits& limits);

  // Returns when the system has accepted all of it.
  Status Send(MessageType type, std::string_view payload) CRV_EXCLUDES(mu_);
  // Never waits: if the other side is too slow, drops the whole message.  For messages that may be lost.
  void TrySend(MessageType type, std::string_view payload) CRV_EXCLUDES(mu_);
  // The next message; it must begin within `idle` (zero: no limit).
  Result<Message> Receive(Duration idle);

  // Whether the other side has closed the connection, or it broke.
  bool PeerGone() const;
  // Makes all calls in progress, and all later ones, return with an error.  From any thread.
  void Close();

 private:
  Status SendAll(std::string_view bytes) CRV_REQUIRES(mu_);
  // Sends as much of pending_ as can be sent without waiting.  False if the connection is broken.
  bool SendPending() CRV_REQUIRES(mu_);

  const int socket_;
  const Limits limits_;
  Mutex mu_;
  std::string pending_ CRV_GUARDED_BY(mu_);  // the rest of what TrySend() has begun
  MessageReader reader_;
};

}  // namespace crivello::wire
