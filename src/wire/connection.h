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

// What one side takes from the other.
inline constexpr size_t kMaxRequestBytes = size_t{16} << 20;
inline constexpr size_t kMaxAnswerBytes = size_t{256} << 20;

// Messages over a connected stream socket.  No call waits for longer than it is told to, whatever the other
// side does or does not do.  Errors are Unavailable (the other side has gone, or is too slow), or those of
// MessageReader; after one the connection is of no more use.
//
// One thread receives; any thread may send.
class Connection {
 public:
  struct Limits {
    size_t message_bytes = kMaxAnswerBytes;              // of a message that is received
    Duration send_frame = std::chrono::seconds(60);      // for the other side to take one frame
    Duration receive_message = std::chrono::minutes(5);  // from the first byte of a message to its last
  };

  // Takes the descriptor.
  Connection(int socket, const Limits& limits);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // To whoever listens at a path.  NotFound if nobody does.
  static Result<std::unique_ptr<Connection>> Connect(const std::string& path, const Limits& limits);

  // Returns when the system has taken all of it.
  Status Send(MessageType type, std::string_view payload) CRV_EXCLUDES(mu_);
  // Never waits: what the other side is too slow for is dropped, whole.  For messages that may be missed.
  void TrySend(MessageType type, std::string_view payload) CRV_EXCLUDES(mu_);
  // The next message; it has to begin within `idle`, zero: at any time.
  Result<Message> Receive(Duration idle);

  // The other side has closed the connection, or broken it.
  bool PeerGone() const;
  // Whoever waits in a call returns with an error, and so do all calls from now on.  From any thread.
  void Close();

 private:
  Status SendAll(std::string_view bytes) CRV_REQUIRES(mu_);
  // Sends as much of pending_ as can be sent without waiting.  False if the connection is broken.
  bool SendPending() CRV_REQUIRES(mu_);

  const int socket_;
  const Limits limits_;
  Mutex mu_;
  std::string pending_ CRV_GUARDED_BY(mu_);  // the end of what TrySend() has begun
  MessageReader reader_;
};

}  // namespace crivello::wire
