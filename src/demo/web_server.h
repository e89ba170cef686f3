// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "demo/built_in_web.h"

namespace crivello::demo {

// A request that was answered.
struct LoggedRequest {
  MonotonicTime start;  // when its head was complete
  std::string method;
  std::string host;
  std::string target;  // path and query
  int status = 0;
};

struct WebServerOptions {
  uint16_t port = 0;                    // on every address; 0: any port that is free on all of them
  const Clock* clock = &SystemClock();  // must outlive the server
};

// Serves the built-in web over HTTP/1.1 on loopback, in its own thread.  Connections are kept alive for
// kIdleSeconds; if there are kMaxConnections, new ones wait.  The destructor stops the thread and closes all.
//
// Keeps the last kMaxLogged requests, for tests of a crawler's behaviour: which hosts, when, how often.
//
// Thread-safe.
class WebServer {
 public:
  static constexpr int kIdleSeconds = 30;
  static constexpr size_t kMaxConnections = 256;
  static constexpr size_t kMaxLogged = size_t{1} << 16;

  // IoError if listening on an address fails.
  static Result<std::unique_ptr<WebServer>> Start(const WebServerOptions& options = {});
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  uint16_t port() const;
  // The pages, with this server's port in their links.
  const BuiltInWeb& web() const;
  // The addresses that a resolver must know.
  const std::vector<HostAddress>& hosts() const { return BuiltInWeb::hosts(); }
  // In the order in which they were answered.  Returns a copy.
  std::vector<LoggedRequest> Log() const;

 private:
  class Loop;
  explicit WebServer(std::unique_ptr<Loop> loop);
  const std::unique_ptr<Loop> loop_;
};

}  // namespace crivello::demo
