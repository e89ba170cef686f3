// SPDX-License-Identifier: Apache-2.0
#include "demo/web_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "demo/listeners.h"
#include "demo/responder.h"

namespace crivello::demo {
namespace {

constexpr int kSweepMs = 1000;
constexpr size_t kReadBytes = 16384;
// If a client sends requests but does not read answers, reading from it stops at this size.
constexpr size_t kMaxUnsentBytes = size_t{1} << 20;

struct Connection {
  Fd socket;
  std::string in = {};     // not answered yet
  std::string out = {};    // not sent yet
  MonotonicTime active;    // when bytes last moved
  bool finishing = false;  // no more requests; close once `out` is sent
};

std::vector<std::string> Addresses() {
  std::vector<std::string> addresses;
  for (const HostAddress& host : BuiltInWeb::hosts()) addresses.push_back(host.address);
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

}  // namespace

class WebServer::Loop {
 public:
  Loop(Listeners listeners, Fd wake, const Clock& clock)
      : listeners_(std::move(listeners)),
        wake_(std::move(wake)),
        clock_(clock),
        web_(listeners_.port),
        responder_(web_, clock),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  ~Loop() {
    thread_.request_stop();
    // Writing to an eventfd succeeds unless its counter is near 2^64.
    while (::eventfd_write(wake_.get(), 1) != 0 && errno == EINTR) {
    }
  }

  const BuiltInWeb& web() const { return web_; }

  std::vector<LoggedRequest> Log() const CRV_EXCLUDES(mu_) {
    const MutexLock lock(mu_);
    return {log_.begin(), log_.end()};
  }

 private:
  void Run(const std::stop_token& stop) {
    std::vector<pollfd> waits;
    while (!stop.stop_requested()) {
      FillWaits(waits);
      // If poll() fails (ENOMEM), it may work later.
      if (::poll(waits.data(), waits.size(), kSweepMs) < 0) continue;
      const size_t count = connections_.size();
      for (size_t i = 0; i < count; i++) Serve(connections_[i], waits[i].revents);
      for (size_t i = count + 1; i < waits.size(); i++) {
        if (waits[i].revents != 0) Accept(waits[i].fd);
      }
      Sweep();
    }
  }

  // The connections, the wake-up, then the listeners if more connections are allowed.
  void FillWaits(std::vector<pollfd>& waits) const {
    waits.clear();
    for (const Connection& connection : connections_) {
      const int events = (connection.out.empty() ? 0 : POLLOUT) | (Reads(connection) ? POLLIN : 0);
      waits.push_back({connection.socket.get(), static_cast<short>(events), 0});
    }
    waits.push_back({wake_.get(), POLLIN, 0});
    if (connections_.size() >= kMaxConnections) return;
    for (const Fd& socket : listeners_.sockets) waits.push_back({socket.get(), POLLIN, 0});
  }

  static bool Reads(const Connection& connection) {
    return !connection.finishing && connection.out.size() < kMaxUnsentBytes;
  }

  void Accept(int listener) {
    while (connections_.size() < kMaxConnections) {
      Fd socket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!socket.ok()) return;  // nobody is waiting any more, or the client is gone
      connections_.push_back(Connection{.socket = std::move(socket), .active = clock_.Now()});
    }
  }

  void Serve(Connection& connection, int events) {
    if ((events & (POLLIN | POLLHUP | POLLERR)) != 0 && Reads(connection)) Read(connection);
    while (Reads(connection) && !connection.in.empty() && Answer(connection)) {
    }
    if (!connection.out.empty()) Write(connection);
  }

  void Read(Connection& connection) {
    char buffer[kReadBytes];
    const ssize_t got = ::recv(connection.socket.get(), buffer, sizeof(buffer), 0);
    if (got > 0) {
      connection.in.append(buffer, static_cast<size_t>(got));
      connection.active = clock_.Now();
    } else if (got == 0) {
      connection.finishing = true;
    } else if (errno != EAGAIN && errno != EINTR) {
      connection.finishing = true;
      connection.out.clear();
    }
  }

  // False if there is no complete request.
  bool Answer(Connection& connection) CRV_EXCLUDES(mu_) {
    Exchange exchange = responder_.Respond(connection.in);
    if (exchange.consumed == 0) return false;
    connection.in.erase(0, exchange.consumed);
    connection.out += exchange.response;
    connection.finishing = exchange.close;
    const MutexLock lock(mu_);
    log_.push_back({clock_.Now(), std::move(exchange.method), std::move(exchange.host),
                    std::move(exchange.target), exchange.status});
    if (log_.size() > kMaxLogged) log_.pop_front();
    return true;
  }

  void Write(Connection& connection) {
    const ssize_t sent =
        ::send(connection.socket.get(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      connection.out.erase(0, static_cast<size_t>(sent));
      connection.active = clock_.Now();
    } else if (errno != EAGAIN && errno != EINTR) {
      connection.finishing = true;
      connection.out.clear();
    }
  }

  void Sweep() {
    const MonotonicTime oldest = clock_.Now() - std::chrono::seconds(kIdleSeconds);
    std::erase_if(connections_, [&](const Connection& connection) {
      return (connection.finishing && connection.out.empty()) || connection.active < oldest;
    });
  }

  const Listeners listeners_;
  const Fd wake_;
  const Clock& clock_;
  const BuiltInWeb web_;
  mutable Mutex mu_;
  std::deque<LoggedRequest> log_ CRV_GUARDED_BY(mu_);

  // Used by the thread only.
  Responder responder_;
  std::vector<Connection> connections_;
  std::jthread thread_;  // declared last: it uses the others, and ends before them
};

Result<std::unique_ptr<WebServer>> WebServer::Start(const WebServerOptions& options) {
  CRV_ASSIGN(Listeners listeners, Listen(Addresses(), options.port));
  Fd wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake.ok()) return Status::FromErrno("make", "an eventfd", errno);
  return std::unique_ptr<WebServer>(
      new WebServer(std::make_unique<Loop>(std::move(listeners), std::move(wake), *options.clock)));
}

WebServer::WebServer(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
WebServer::~WebServer() = default;
uint16_t WebServer::port() const { return loop_->web().port(); }
const BuiltInWeb& WebServer::web() const { return loop_->web(); }
std::vector<LoggedRequest> WebServer::Log() const { return loop_->Log(); }

}  // namespace crivello::demo
