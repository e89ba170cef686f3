// SPDX-License-Identifier: Apache-2.0
// A server for tests that sends exactly the scripted bytes; included by _test.cc, _bench.cc and _fuzz.cc
// files only.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace crivello::fetch {

// Ends a test program if its own infrastructure failed.
inline void Require(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::abort();
}

inline sockaddr_in LoopbackAddress(const std::string& address, uint16_t port) {
  sockaddr_in in{};
  in.sin_family = AF_INET;
  in.sin_port = htons(port);
  Require(::inet_pton(AF_INET, address.c_str(), &in.sin_addr) == 1, "inet_pton");
  return in;
}

// A bound socket, and its port.
inline std::pair<int, uint16_t> BindLoopback(int type, const std::string& address, uint16_t port = 0) {
  const int fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
  Require(fd >= 0, "socket");
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in in = LoopbackAddress(address, port);
  Require(::bind(fd, reinterpret_cast<sockaddr*>(&in), sizeof in) == 0, "bind");
  socklen_t size = sizeof in;
  Require(::getsockname(fd, reinterpret_cast<sockaddr*>(&in), &size) == 0, "getsockname");
  return {fd, ntohs(in.sin_port)};
}

// Listens on a loopback address and passes each connection to a script, on a thread of its own.  The
// destructor cuts all connections and waits for their scripts, whose pauses and reads then end.
class ScriptedServer {
 public:
  class Connection {
   public:
    // Reads up to and including the next empty line; "" if the client is gone.  Keeps the rest for later.
    std::string ReadHead() {
      while (true) {
        const size_t end = buffer_.find("\r\n\r\n");
        if (end != buffer_.npos) {
          std::string head = buffer_.substr(0, end + 4);
          buffer_.erase(0, end + 4);
          server_.Record(head);
          return head;
        }
        if (!Fill()) return "";
      }
    }
    // Some bytes; "" if the client is gone.
    std::string ReadSome() {
      if (buffer_.empty() && !Fill()) return "";
      return std::exchange(buffer_, "");
    }
    // False if the client is gone.
    bool Write(std::string_view bytes) {
      while (!bytes.empty()) {
        const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<size_t>(sent));
      }
      return true;
    }
    // Waits, but not longer than the server exists.
    void Pause(std::chrono::milliseconds time) const {
      pollfd stop{server_.stop_, POLLIN, 0};
      ::poll(&stop, 1, static_cast<int>(time.count()));
    }
    // Waits until the client or the server is gone.
    void WaitForEnd() {
      while (Fill()) buffer_.clear();
    }
    // Makes the connection end with RST instead of FIN.
    void Reset() {
      const linger now{1, 0};
      ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    int fd() const { return fd_; }
    int number() const { return number_; }  // of the connection, starting at 0

   private:
    friend class ScriptedServer;
    Connection(ScriptedServer& server, int fd, int number) : server_(server), fd_(fd), number_(number) {}
    bool Fill() {
      char bytes[16384];
      pollfd waits[2] = {{fd_, POLLIN, 0}, {server_.stop_, POLLIN, 0}};
      if (::poll(waits, 2, -1) < 0 || waits[1].revents != 0) return false;
      const ssize_t got = ::recv(fd_, bytes, sizeof bytes, 0);
      if (got <= 0) return false;
      buffer_.append(bytes, static_cast<size_t>(got));
      return true;
    }

    ScriptedServer& server_;
    int fd_;
    int number_;
    std::string buffer_;
  };
  using Script = std::function<void(Connection&)>;

  explicit ScriptedServer(Script script, const std::string& address = "127.0.0.1")
      : script_(std::move(script)), address_(address) {
    stop_ = ::eventfd(0, EFD_CLOEXEC);
    Require(stop_ >= 0, "eventfd");
    std::tie(listener_, port_) = BindLoopback(SOCK_STREAM, address);
    Require(::listen(listener_, 1024) == 0, "listen");
    acceptor_ = std::thread([this] { Accept(); });
  }
  // Answers each request of each connection with the same bytes.
  static Script Always(std::string response) {
    return [response = std::move(response)](Connection& connection) {
      while (!connection.ReadHead().empty()) {
        if (!connection.Write(response)) return;
      }
    };
  }
  // Answers one request, then closes.
  static Script Once(std::string response) {
    return [response = std::move(response)](Connection& connection) {
      connection.ReadHead();
      connection.Write(response);
    };
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ~ScriptedServer() {
    const uint64_t one = 1;
    Require(::write(stop_, &one, sizeof one) == sizeof one, "write");
    acceptor_.join();
    for (Worker& worker : workers_) worker.thread.join();
    ::close(listener_);
    ::close(stop_);
  }

  uint16_t port() const { return port_; }
  std::string Url(std::string_view path = "/") const {
    return "http://" + address_ + ":" + std::to_string(port_) + std::string(path);
  }
  int connections() const { return connections_; }
  // The request heads that were read, in order.
  std::vector<std::string> requests() const {
    MutexLock lock(mu_);
    return requests_;
  }

 private:
  struct Worker {
    std::atomic<bool> ended = false;  // except for its return
    std::thread thread;
  };

  void Record(const std::string& head) {
    MutexLock lock(mu_);
    requests_.push_back(head);
  }
  // Joins threads as soon as they end: until then a thread keeps its stack, and a fuzzer creates 100,000 of
  // them.
  void JoinEnded() {
    workers_.remove_if([](Worker& worker) {
      if (!worker.ended) return false;
      worker.thread.join();
      return true;
    });
  }
  void Accept() {
    while (true) {
      pollfd waits[2] = {{listener_, POLLIN, 0}, {stop_, POLLIN, 0}};
      if (::poll(waits, 2, -1) < 0 || waits[1].revents != 0) return;
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      const int number = connections_++;
      JoinEnded();
      Worker& worker = workers_.emplace_back();
      worker.thread = std::thread([this, &worker, fd, number] {
        Connection connection(*this, fd, number);
        script_(connection);
        ::close(fd);
        worker.ended = true;
      });
    }
  }

  Script script_;
  std::string address_;
  int stop_ = -1;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  mutable Mutex mu_;
  std::vector<std::string> requests_ CRV_GUARDED_BY(mu_);
  std::list<Worker> workers_;  // used by the acceptor until it has ended
  std::thread acceptor_;
};

}  // namespace crivello::fetch
