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
#include "fetch/fetcher.h"

namespace crivello::fetch {

enum class CertificatePolicy : uint8_t {
  kRequire,  // a fetch from a server without a valid certificate fails
  kNote,     // it succeeds, and the response says what was wrong; costs a handshake on the first request
};

struct CurlFetcherOptions {
  AddressGuard guard = {};
  int loops = 1;
  std::string user_agent = "crivello";
  // Sent with each request, in this order, after Host and User-Agent.  Accept-Encoding lists what
  // web/http/decompress.h decodes.
  std::vector<RequestField> fields = {{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"},
                                      {"Accept-Encoding", "gzip, deflate, br, zstd"}};
  CertificatePolicy certificates = CertificatePolicy::kRequire;
  // PEM file of trusted authorities; empty: the system's.
  std::string authorities = {};
  // "http://host:3128", "https://...", "socks5h://user:password@host:1080"; empty: none.  The environment
  // variable http_proxy is not read.
  std::string proxy = {};
  bool http2 = true;
  // The maximum number of open connections, busy and idle, on all loops together.  If it is reached, a host
  // without a connection gets one for a single request (its Request::keep_alive becomes false), so that many
  // hosts visited in turns still find theirs open.  libcurl asks the kernel about each of them once a second.
  uint32_t max_connections = 4000;
  Duration idle_time = std::chrono::seconds(60);
  // Busy or idle, per loop; further requests wait.  Ignored behind a proxy.
  uint32_t connections_per_address = 16;
  // The maximum total size of bodies that are still arriving, on all loops (0: unlimited).  Beyond it they
  // wait, except one per loop and the first kFreeBodyBytes of each.  So a server that sends much slows down
  // only others that do.
  uint64_t arriving_bytes = 0;
  // Stamps responses, and measures time for Limits and retries.  libcurl's own timers use the system clock.
  const Clock* clock = &SystemClock();
};

// The Fetcher for the web: thousands of HTTP transfers on few threads (libcurl's multi interface on our own
// epoll; one loop per thread, a host always on the same loop).
//
// The body keeps its content coding as transferred, and the head is kept byte for byte: archives need both.
//
// Connections are kept and reused for the same host, port and address; TLS sessions are resumed; HTTP/2 is
// used if the server offers it in TLS.  Every socket is opened through the AddressGuard, whatever name or DNS
// answer led there.  With a proxy, the guard checks IP literals and the addresses given with a request (the
// proxy may resolve the name differently and must protect its own side), but never the proxy itself, which
// the operator chose and which is often on this machine.
//
// Unavailable if the system has no more descriptors or threads.  The destructor calls Abort(), then waits
// until the loops have delivered the rest.
Result<std::unique_ptr<Fetcher>> OpenCurlFetcher(CurlFetcherOptions options);

}  // namespace crivello::fetch
