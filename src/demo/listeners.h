// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace crivello::demo {

// A file descriptor that closes with its owner.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

struct Listeners {
  std::vector<Fd> sockets;
  uint16_t port = 0;
};

// Listens, without blocking, on the same port of all these IPv4 addresses; on a port that is free on all of
// them if `port` is 0.
Result<Listeners> Listen(const std::vector<std::string>& addresses, uint16_t port);

}  // namespace crivello::demo
