// SPDX-License-Identifier: Apache-2.0
#include "demo/listeners.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

namespace crivello::demo {
namespace {

constexpr int kBacklog = 128;
// A port that is free on the first address may be taken on another; if that happens this often in a row,
// there is another cause.
constexpr int kAttempts = 32;

// The socket and its port, or errno.
struct Bound {
  Fd socket;
  uint16_t port = 0;
  int error = 0;
};

Bound Bind(const std::string& address, uint16_t port) {
  Bound bound;
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  if (::inet_pton(AF_INET, address.c_str(), &name.sin_addr) != 1) {
    bound.error = EINVAL;
    return bound;
  }
  bound.socket = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  socklen_t length = sizeof(name);
  const bool done = bound.socket.ok() &&
                    ::setsockopt(bound.socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
                    ::bind(bound.socket.get(), reinterpret_cast<sockaddr*>(&name), sizeof(name)) == 0 &&
                    ::listen(bound.socket.get(), kBacklog) == 0 &&
                    ::getsockname(bound.socket.get(), reinterpret_cast<sockaddr*>(&name), &length) == 0;
  bound.error = done ? 0 : errno;
  bound.port = ntohs(name.sin_port);
  return bound;
}

}  // namespace

Result<Listeners> Listen(const std::vector<std::string>& addresses, uint16_t port) {
  Status failure;
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    Listeners listeners;
    listeners.port = port;
    for (const std::string& address : addresses) {
      Bound bound = Bind(address, listeners.port);
      if (bound.error != 0) {
        failure = Status::FromErrno("listen", address + ":" + std::to_string(listeners.port), bound.error);
        if (bound.error != EADDRINUSE || port != 0) return failure;
        break;
      }
      listeners.port = bound.port;
      listeners.sockets.push_back(std::move(bound.socket));
    }
    if (listeners.sockets.size() == addresses.size()) return listeners;
  }
  return failure;
}

}  // namespace crivello::demo
