// SPDX-License-Identifier: Apache-2.0
#include "wire/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "wire/unix_socket.h"

namespace crivello::wire {
namespace {

using Deadline = std::optional<MonotonicTime>;

Deadline After(Duration limit) {
  return limit > Duration::zero() ? Deadline(SystemClock().Now() + limit) : std::nullopt;
}

// Whether the socket becomes ready before the deadline.
bool AwaitReady(int socket, short what, const Deadline& deadline) {
  while (true) {
    int wait_ms = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - SystemClock().Now());
      if (left.count() <= 0) return false;
      wait_ms = static_cast<int>(std::min<int64_t>(left.count(), 60'000));
    }
    pollfd polled = {socket, what, 0};
    const int ready = poll(&polled, 1, wait_ms);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // the next call reports the error
  }
}

Status Broken(std::string_view what) {
  return Status::Unavailable(fmt::format("the connection to the other process ended: {}", what));
}

}  // namespace

Connection::Connection(int socket, const Limits& limits)
    : socket_(socket), limits_(limits), reader_(limits.message_bytes) {
  fcntl(socket_, F_SETFL, fcntl(socket_, F_GETFL) | O_NONBLOCK);
}

Connection::~Connection() { close(socket_); }

Result<std::unique_ptr<Connection>> Connection::Connect(const std::string& path, const Limits& limits) {
  CRV_ASSIGN(const int socket, ConnectUnixSocket(path));
  return std::make_unique<Connection>(socket, limits);
}

bool Connection::SendPending() {
  while (!pending_.empty()) {
    const ssize_t sent = send(socket_, pending_.data(), pending_.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    pending_.erase(0, static_cast<size_t>(sent));
  }
  return true;
}

Status Connection::SendAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view frame = bytes.substr(0, kMaxFrameBytes);
    bytes.remove_prefix(frame.size());
    const Deadline deadline = After(limits_.send_frame);
    for (size_t at = 0; at < frame.size();) {
      const ssize_t sent = send(socket_, frame.data() + at, frame.size() - at, MSG_NOSIGNAL);
      if (sent > 0) at += static_cast<size_t>(sent);
      if (sent > 0 || (sent < 0 && errno == EINTR)) continue;
      if (sent == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return Broken(std::strerror(errno));
      if (!AwaitReady(socket_, POLLOUT, deadline)) {
        return Broken(
            fmt::format("it has read nothing for {} s",
                        std::chrono::duration_cast<std::chrono::seconds>(limits_.send_frame).count()));
      }
    }
  }
  return Status::Ok();
}

Status Connection::Send(MessageType type, std::string_view payload) {
  MutexLock lock(mu_);
  std::string bytes = std::exchange(pending_, {});
  AppendFrames(type, payload, &bytes);
  return SendAll(bytes);
}

void Connection::TrySend(MessageType type, std::string_view payload) {
  MutexLock lock(mu_);
  if (!SendPending() || !pending_.empty()) return;
  AppendFrames(type, payload, &pending_);
  SendPending();
}

Result<Message> Connection::Receive(Duration idle) {
  Deadline deadline = After(reader_.empty() ? idle : limits_.receive_message);
  bool begun = !reader_.empty();
  while (true) {
    auto message = reader_.Next();
    if (!message.ok()) return message.status();
    if (*message) return **std::move(message);
    if (!begun && !reader_.empty()) {
      begun = true;
      deadline = After(limits_.receive_message);
    }
    std::array<char, 16384> bytes;
    const ssize_t got = recv(socket_, bytes.data(), bytes.size(), 0);
    if (got > 0) {
      reader_.Feed({bytes.data(), static_cast<size_t>(got)});
      continue;
    }
    if (got == 0) return Broken("it was closed");
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return Broken(std::strerror(errno));
    if (!AwaitReady(socket_, POLLIN, deadline)) return Broken("it has sent nothing for too long");
  }
}

bool Connection::PeerGone() const {
  pollfd polled = {socket_, POLLRDHUP, 0};
  return poll(&polled, 1, 0) > 0 && (polled.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void Connection::Close() { shutdown(socket_, SHUT_RDWR); }

}  // namespace crivello::wire
