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
  kNote,     // it succeeds, and the response says what was wrong: one more handshake for the first request
};

struct CurlFetcherOptions {
  AddressGuard guard = {};
  int loops = 1;
  std::string user_agent = "crivello";
  // Sent with each request, in this order, after Host and User-Agent.  Accept-Encoding names what
  // web/http/decompress.h undoes.
  std::vector<RequestField> fields = {{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"},
                                      {"Accept-Encoding", "gzip, deflate, br, zstd"}};
  CertificatePolicy certificates = CertificatePolicy::kRequire;
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
  // What the bodies that are still arriving may take together, on all loops (0: no bound).  Beyond it they
  // wait, all but one of each loop and the first kFreeBodyBytes of each: so a server that sends much slows
  // down others that do, and nobody else.
  uint64_t arriving_bytes = 0;
  // Stamps responses, and measures what Limits and retries bound.  libcurl's own timers follow the machine's.
  const Clock* clock = &SystemClock();
};

// The Fetcher for the web: thousands of HTTP transfers on few threads (libcurl's multi interface on an epoll
// of ours; one loop per thread, a host always on the same loop).
//
// The body is kept in the content coding it came in, the head byte for byte, as an archive needs them.
//
// Connections are kept and used again for the same host, port and address; TLS sessions are resumed; HTTP/2
// is used where the server offers it in TLS.  Every socket is opened through the AddressGuard, whatever name
// or DNS answer led there.  With a proxy the guard looks at IP literals and at the addresses given with a
// request (the proxy may resolve the name differently: it must guard its own side), never at the proxy
// itself, which the operator chose and which is often on this machine.
//
// Unavailable if the system gives no more descriptors or threads.  The destructor calls Abort(), then waits
// for the loops to deliver what is left.
Result<std::unique_ptr<Fetcher>> OpenCurlFetcher(CurlFetcherOptions options);

}  // namespace crivello::fetch
