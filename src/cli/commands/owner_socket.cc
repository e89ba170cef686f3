// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/owner_socket.h"

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
#include <vector>

namespace crivello::cli {
namespace {

constexpr std::array<std::string_view, 8> kCommands = {"get",      "scan",  "why",    "report",
                                                       "frontier", "check", "forget", "backup"};
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

Result<std::unique_ptr<OwnerSocket>> OwnerSocket::Open(collection::Collection& store) {
  const std::string path = store.directory() + "/socket";
  CRV_ASSIGN(const sockaddr_un address, SocketAddress(path));
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return Status::FromErrno("make a socket for", path, errno);
  // What a process left that was killed; ours is the collection, by its lock.
  unlink(path.c_str());
  const mode_t mask = umask(0077);
  const int bound = bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int error = errno;
  umask(mask);
  if (bound != 0 || listen(listener, 16) != 0) {
    close(listener);
    return Status::FromErrno("bind", path, bound != 0 ? error : errno);
  }
  return std::unique_ptr<OwnerSocket>(new OwnerSocket(store, path, listener));
}

OwnerSocket::OwnerSocket(collection::Collection& store, std::string path, int listener)
    : store_(store), path_(std::move(path)), listener_(listener), wake_(eventfd(0, EFD_CLOEXEC)) {
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
  uint32_t code = kWrongUsage;
  const bool known = std::any_of(kCommands.begin(), kCommands.end(), [&](std::string_view name) {
    return std::find(arguments->begin(), arguments->end(), name) != arguments->end();
  });
  if (known) {
    const auto words = std::find_if(arguments->begin(), arguments->end(), [](const std::string& argument) {
      return !argument.starts_with("CRIVELLO_");
    });
    std::vector<const char*> argv = {"crivello"};
    for (auto word = words; word != arguments->end(); ++word) argv.push_back(word->c_str());
    code = static_cast<uint32_t>(Main(static_cast<int>(argv.size()), argv.data(), out_file, err_file, &store_,
                                      {arguments->begin(), words}));
  }
  std::fclose(out_file);
  std::fclose(err_file);
  SendFrame(connection, kExit, {reinterpret_cast<const char*>(&code), sizeof code});
}

Result<int> AskOwner(const Session& session, const Status& busy) {
  CRV_ASSIGN(const sockaddr_un address, SocketAddress(session.collection + "/socket"));
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return busy;
  struct Closer {
    int socket;
    ~Closer() { close(socket); }
  } closer{connection};
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return busy;

  std::vector<std::string> arguments = session.settings;
  arguments.insert(arguments.end(), session.arguments.begin(), session.arguments.end());
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
      return static_cast<int>(code);
    }
    std::fwrite(bytes.data(), 1, bytes.size(), kind == kErr ? session.err : session.out);
  }
  return Status::Unavailable(session.collection + ": its owner broke off the answer");
}

}  // namespace crivello::cli
