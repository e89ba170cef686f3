// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "fetch/address_guard.h"
#include "fetch/fetch.h"

namespace crivello::fetch {

// Where finished exchanges go.
class ExchangeSink {
 public:
  virtual ~ExchangeSink() = default;
  // On the thread of a loop, which does nothing else meanwhile: hand it on to a queue.  May call the Fetcher.
  virtual void OnFetched(std::unique_ptr<Exchange> exchange) = 0;
};

// A URL becomes a response: thousands of HTTP transfers on few threads (libcurl's multi interface on an epoll
// of ours; one loop per thread, a host always on the same loop).
//
// One request, one response: redirects are the caller's, who must look at each hop; so are cookies
// (cookie_jar.h), politeness, names (resolver.h) and the number of exchanges in flight, which bounds the
// memory.  The body is kept in the content coding it came in, the head byte for byte: an archive wants them
// so.
//
// Connections are kept and used again for the same host, port and address; TLS sessions are resumed; HTTP/2
// is used where the server offers it in TLS.  Every socket is opened through the AddressGuard, whatever name
// or DNS answer led there.  With a proxy the guard looks at IP literals and at the addresses given with a
// request (the proxy may resolve the name differently: it must guard its own side), never at the proxy
// itself, which the operator chose and which is often on this machine.
//
// Every Submit ends in one OnFetched, also after Abort and in the destructor; a sink must not submit again
// what was cancelled. Thread-safe.
class Fetcher {
 public:
  enum class Certificates : uint8_t {
    kRequire,  // an exchange with a server of no valid certificate fails
    kNote,     // it goes on, and the response says what was wrong: one more handshake for the first request
  };

  struct Options {
    ExchangeSink* sink = nullptr;  // must outlive the Fetcher
    AddressGuard guard = {};
    int loops = 1;
    std::string user_agent = "crivello";
    // Sent with each request, in this order, after Host and User-Agent.  Accept-Encoding names what
    // web/http/decompress.h undoes.
    std::vector<RequestField> fields = {{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"},
                                        {"Accept-Encoding", "gzip, deflate, br, zstd"}};
    Certificates certificates = Certificates::kRequire;
    // PEM file of trusted authorities; empty: the system's.
    std::string authorities = {};
    // "http://host:3128", "https://...", "socks5h://user:password@host:1080"; empty: none.  The environment's
    // http_proxy is not read.
    std::string proxy = {};
    bool http2 = true;
    // Kept open on all loops together, busy ones counted.  Beyond it a host that has none gets one for a
    // single request (its Request::keep_alive becomes false), so that of hosts visited in turns many find
    // theirs still open.  libcurl asks the kernel about each of them once a second.
    uint32_t max_connections = 4000;
    Duration idle_time = std::chrono::seconds(60);
    // Busy or idle, on each loop; further ones wait.  Not behind a proxy.
    uint32_t connections_per_address = 16;
  };
  // Unavailable if the system gives no more descriptors or threads.
  static Result<std::unique_ptr<Fetcher>> Open(Options options);
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;
  // Abort(), then waits for the loops to deliver what is left.
  ~Fetcher();

  // Takes the exchange; its response is cleared.  Never blocks.
  void Submit(std::unique_ptr<Exchange> exchange);
  // Ends the exchange of this id, if it is in flight, with kCancelled.
  void Cancel(uint64_t id);
  // Ends all that is in flight with kCancelled, and whatever is submitted later.  Returns at once.
  void Abort();

  // Submitted and not yet delivered.
  uint64_t in_flight() const;

  struct Stats {
    uint64_t exchanges = 0;    // delivered
    uint64_t connections = 0;  // opened
    uint64_t open = 0;         // sockets now
    uint64_t received_bytes = 0;
  };
  Stats stats() const;
  // CPU time of the loops so far, with what they did in the sink.
  Duration Cpu() const;

 private:
  class Impl;
  explicit Fetcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crivello::fetch
