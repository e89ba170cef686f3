// SPDX-License-Identifier: Apache-2.0
// nats-server on loopback, for tests; included by _test.cc files only.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/test_support.h"

extern char** environ;

namespace crivello::cluster {

// The first of what a test has to skip for, or "".
inline std::string MissingForNats() {
  setenv("PATH", (std::string(std::getenv("PATH")) + ":/usr/sbin").c_str(), 1);
  return std::system("command -v nats-server >/dev/null 2>&1") == 0 ? "" : "nats-server";
}

// A port of 127.0.0.1 that was free a moment ago.
inline uint16_t FreeNatsPort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

// One server with JetStream in a folder of its own.  It may be killed and started again on the same port.
class NatsServer {
 public:
  // `more` are lines of its configuration, such as authorization or a cluster.
  explicit NatsServer(const std::string& more = "") : port_(FreeNatsPort()) {
    std::ofstream(folder_ / "nats.conf") << "listen: 127.0.0.1:" << port_ << "\n"
                                         << "jetstream { store_dir: \"" << folder_.path() << "/js\" }\n"
                                         << more << "\n";
    Start();
  }
  NatsServer(const NatsServer&) = delete;
  ~NatsServer() { Kill(); }

  std::string url(const std::string& user = "") const {
    return "nats://" + (user.empty() ? "" : user + "@") + "127.0.0.1:" + std::to_string(port_);
  }
  uint16_t port() const { return port_; }
  void Kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  void Start() {
    std::string program = "nats-server", option = "-c", file = folder_ / "nats.conf";
    char* arguments[] = {program.data(), option.data(), file.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const std::string log = folder_ / "log";
    posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (::posix_spawnp(&pid_, "nats-server", &actions, nullptr, arguments, environ) != 0) pid_ = 0;
    posix_spawn_file_actions_destroy(&actions);
  }
  // As if the disk of JetStream was lost.  REQUIRES: it does not run.
  void LoseJetStream() const { std::filesystem::remove_all(folder_ / "js"); }
  std::string log() const {
    std::ifstream file(folder_ / "log", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  TemporaryFolder folder_;
  const uint16_t port_;
  pid_t pid_ = 0;
};

// Three servers that replicate among themselves.
class NatsTrio {
 public:
  NatsTrio() {
    uint16_t routes[3];
    for (uint16_t& port : routes) port = FreeNatsPort();
    for (int i = 0; i < 3; i++) {
      std::string more = "server_name: s" + std::to_string(i) +
                         "\ncluster { name: test, listen: 127.0.0.1:" + std::to_string(routes[i]) +
                         ", routes: [";
      for (int k = 0; k < 3; k++) {
        if (k != i) more += " nats://127.0.0.1:" + std::to_string(routes[k]) + ",";
      }
      more.back() = ' ';  // for the last comma
      servers_.push_back(std::make_unique<NatsServer>(more + "] }"));
    }
  }
  NatsServer& operator[](size_t i) { return *servers_[i]; }
  static constexpr size_t size() { return 3; }
  // Of all, separated by commas.
  std::string urls() const {
    return servers_[0]->url() + "," + servers_[1]->url() + "," + servers_[2]->url();
  }
  std::string logs() const { return servers_[0]->log() + servers_[1]->log() + servers_[2]->log(); }

 private:
  std::vector<std::unique_ptr<NatsServer>> servers_;
};

}  // namespace crivello::cluster
