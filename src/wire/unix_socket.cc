// SPDX-License-Identifier: Apache-2.0
#include "wire/unix_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace crivello::wire {
namespace {

constexpr int kWaitingConnections = 16;

Result<sockaddr_un> SocketAddress(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Status::InvalidArgument(
        fmt::format("cannot use the socket '{}': its path is longer than {} bytes; use a shorter path", path,
                    sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* Generic(const sockaddr_un& address) { return reinterpret_cast<const sockaddr*>(&address); }

}  // namespace

Result<int> ConnectUnixSocket(const std::string& path) {
  CRV_ASSIGN(const sockaddr_un address, SocketAddress(path));
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return Status::FromErrno("make a socket for", path, errno);
  if (connect(socket, Generic(address), sizeof address) != 0) {
    // Not there, left by a process that has died, or of another user.
    const int error = errno;
    close(socket);
    return Status::NotFound(Status::FromErrno("connect to", path, error).message());
  }
  return socket;
}

Result<int> ListenOnUnixSocket(const std::string& path) {
  CRV_ASSIGN(const sockaddr_un address, SocketAddress(path));
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return Status::FromErrno("make a socket for", path, errno);
  unlink(path.c_str());
  // Linux gives the file of a socket the mode that the socket has when it is bound; the mask of the process
  // would be that of its other threads too.
  if (fchmod(socket, 0600) != 0 || bind(socket, Generic(address), sizeof address) != 0 ||
      listen(socket, kWaitingConnections) != 0) {
    const int error = errno;
    close(socket);
    return Status::FromErrno("bind", path, error);
  }
  return socket;
}

}  // namespace crivello::wire
