// SPDX-License-Identifier: Apache-2.0
#include "wire/unix_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>

namespace crivello::wire {
namespace {

constexpr int kWaitingConnections = 16;

// The address of a path.  A path longer than the system allows (some 100 bytes) goes through the descriptor
// of its folder, which stays open as long as this object.
class SocketAddress {
 public:
  explicit SocketAddress(const std::string& path) {
    address_.sun_family = AF_UNIX;
    std::string name = path;
    if (path.size() >= sizeof address_.sun_path) {
      const size_t slash = path.rfind('/');
      folder_ = open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
      name = fmt::format("/proc/self/fd/{}{}", folder_, path.substr(slash));
    }
    name.copy(address_.sun_path, sizeof address_.sun_path - 1);
  }
  ~SocketAddress() {
    if (folder_ >= 0) close(folder_);
  }
  SocketAddress(const SocketAddress&) = delete;
  SocketAddress& operator=(const SocketAddress&) = delete;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  static constexpr socklen_t size() { return sizeof(sockaddr_un); }

 private:
  sockaddr_un address_ = {};
  int folder_ = -1;
};

}  // namespace

Result<int> ConnectUnixSocket(const std::string& path) {
  const SocketAddress address(path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return Status::FromErrno("make a socket for", path, errno);
  if (connect(socket, address.get(), address.size()) != 0) {
    // Missing, left by a dead process, or owned by another user.
    const int error = errno;
    close(socket);
    return Status::NotFound(Status::FromErrno("connect to", path, error).message());
  }
  return socket;
}

Result<int> ListenOnUnixSocket(const std::string& path) {
  const SocketAddress address(path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return Status::FromErrno("make a socket for", path, errno);
  unlink(path.c_str());
  // On Linux, the file of a socket gets the mode that the socket has when it is bound; changing the umask
  // would affect other threads.
  if (fchmod(socket, 0600) != 0 || bind(socket, address.get(), address.size()) != 0 ||
      listen(socket, kWaitingConnections) != 0) {
    const int error = errno;
    close(socket);
    return Status::FromErrno("bind", path, error);
  }
  return socket;
}

}  // namespace crivello::wire
