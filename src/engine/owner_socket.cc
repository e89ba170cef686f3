// SPDX-License-Identifier: Apache-2.0
#include "engine/owner_socket.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace crivello::engine {
namespace {

constexpr uint32_t kMaxArguments = 1000;
constexpr uint32_t kMaxFrame = 1 << 20;

enum Frame : uint8_t { kOut = 1, kErr = 2, kExit = 3 };

bool SendAll(int socket, const void* bytes, size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

bool ReceiveAll(int socket, void* bytes, size_t size) {
  auto* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

bool SendFrame(int socket, Frame kind, std::string_view bytes) {
  const uint8_t type = kind;
  const auto size = static_cast<uint32_t>(bytes.size());
  return SendAll(socket, &type, 1) && SendAll(socket, &size, sizeof size) &&
         SendAll(socket, bytes.data(), bytes.size());
}

// A FILE whose writes become frames of one kind.
struct FramedFile {
  int socket;
  Frame kind;
};

ssize_t WriteFrames(void* cookie, const char* bytes, size_t size) {
  const auto* file = static_cast<FramedFile*>(cookie);
  for (size_t at = 0; at < size; at += kMaxFrame) {
    if (!SendFrame(file->socket, file->kind, {bytes + at, std::min<size_t>(size - at, kMaxFrame)})) return 0;
  }
  return static_cast<ssize_t>(size);
}

std::FILE* OpenFramed(FramedFile* file) {
  return fopencookie(file, "w", {.read = nullptr, .write = WriteFrames, .seek = nullptr, .close = nullptr});
}

Result<sockaddr_un> SocketAddress(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Status::InvalidArgument(fmt::format("{}: too long a path for a socket", path));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

std::optional<std::vector<std::string>> ReceiveArguments(int connection) {
  uint32_t count = 0;
  if (!ReceiveAll(connection, &count, sizeof count) || count > kMaxArguments) return std::nullopt;
  std::vector<std::string> arguments(count);
  for (std::string& argument : arguments) {
    uint32_t size = 0;
    if (!ReceiveAll(connection, &size, sizeof size) || size > kMaxFrame) return std::nullopt;
    argument.resize(size);
    if (!ReceiveAll(connection, argument.data(), size)) return std::nullopt;
  }
  return arguments;
}

}  // namespace

Result<std::unique_ptr<OwnerSocket>> OwnerSocket::Open(const std::string& directory, CommandRunner& runner) {
  const std::string path = directory + "/socket";
  CRV_ASSIGN(const sockaddr_un address, SocketAddress(path));
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return Status::FromErrno("make a socket for", path, errno);
  // What a process left that was killed; ours is the collection, by its lock.
  unlink(path.c_str());
  // Linux gives the file of a socket the mode that the socket has when it is bound; the mask of the process
  // would be that of its other threads too.
  if (fchmod(listener, 0600) != 0 ||
      bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 16) != 0) {
    const int error = errno;
    close(listener);
    return Status::FromErrno("bind", path, error);
  }
  return std::unique_ptr<OwnerSocket>(new OwnerSocket(runner, path, listener));
}

OwnerSocket::OwnerSocket(CommandRunner& runner, std::string path, int listener)
    : runner_(runner), path_(std::move(path)), listener_(listener), wake_(eventfd(0, EFD_CLOEXEC)) {
  thread_ = std::thread([this] { Serve(); });
}

OwnerSocket::~OwnerSocket() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  thread_.join();
  close(listener_);
  close(wake_);
  unlink(path_.c_str());
}

void OwnerSocket::Serve() {
  while (true) {
    std::array<pollfd, 2> polled = {pollfd{listener_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    if (polled[1].revents != 0) return;
    if (polled[0].revents == 0) continue;
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    // A client that stops reading must not stop the others for good.
    const timeval patience = {.tv_sec = 10, .tv_usec = 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    Answer(connection);
    close(connection);
  }
}

void OwnerSocket::Answer(int connection) {
  const auto arguments = ReceiveArguments(connection);
  if (!arguments) return;
  FramedFile out = {connection, kOut};
  FramedFile err = {connection, kErr};
  std::FILE* out_file = OpenFramed(&out);
  std::FILE* err_file = OpenFramed(&err);
  const auto code = static_cast<uint32_t>(runner_.Run(*arguments, out_file, err_file));
  std::fclose(out_file);
  std::fclose(err_file);
  SendFrame(connection, kExit, {reinterpret_cast<const char*>(&code), sizeof code});
}

Result<std::optional<int>> AskOwner(const std::string& directory, const std::vector<std::string>& arguments,
                                    std::FILE* out, std::FILE* err) {
  CRV_ASSIGN(const sockaddr_un address, SocketAddress(directory + "/socket"));
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return std::optional<int>();
  struct Closer {
    int socket;
    ~Closer() { close(socket); }
  } closer{connection};
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return std::optional<int>();
  }
  const auto count = static_cast<uint32_t>(arguments.size());
  bool sent = SendAll(connection, &count, sizeof count);
  for (const std::string& argument : arguments) {
    const auto size = static_cast<uint32_t>(argument.size());
    sent = sent && SendAll(connection, &size, sizeof size) && SendAll(connection, argument.data(), size);
  }
  std::string bytes;
  while (sent) {
    uint8_t kind = 0;
    uint32_t size = 0;
    if (!ReceiveAll(connection, &kind, 1) || !ReceiveAll(connection, &size, sizeof size) || size > kMaxFrame)
      break;
    bytes.resize(size);
    if (!ReceiveAll(connection, bytes.data(), size)) break;
    if (kind == kExit && size == sizeof(uint32_t)) {
      uint32_t code = 0;
      std::memcpy(&code, bytes.data(), sizeof code);
      return std::optional(static_cast<int>(code));
    }
    std::fwrite(bytes.data(), 1, bytes.size(), kind == kErr ? err : out);
  }
  return Status::Unavailable(directory + ": its owner broke off the answer");
}

}  // namespace crivello::engine
