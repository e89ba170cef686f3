// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/counter.h"
#include "base/status.h"
#include "serve/http/access_line.h"
#include "serve/http/http.h"

namespace crivello::serve {

// What a server has done.  Thread-safe.
struct HttpStats {
  Counter connections;          // open now
  Counter streams;              // of those, with an answer that stays open (events)
  Counter connections_total;    // accepted, in total
  Counter connections_refused;  // because the maximum were open, and none was idle
  Counter requests;             // answered, in any way
  Counter overloaded;           // of those, with 503 because too many waited
  Counter malformed;            // of those, refused by the server itself: invalid HTTP, too large, wrong host
  Counter bytes_sent;
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 8765;                 // 0: any free port
  std::vector<std::string> names = {};  // by which clients may address it, besides loopback: see host_names.h

  size_t threads = 4;          // that run handlers
  uint32_t queue = 128;        // requests that may wait for one of these threads
  size_t row_threads = 1;      // that run handlers of requests that read rows (HttpHandler::ReadsRows)
  uint32_t row_queue = 16;     // such requests that may wait for one of these threads
  size_t connections = 10000;  // open at a time

  uint32_t header_bytes = 16 << 10;
  uint64_t body_bytes = 8 << 20;     // of one request
  uint64_t bodies_bytes = 64 << 20;  // of all requests together

  Duration idle_timeout = std::chrono::seconds(75);  // between two requests
  Duration head_timeout =
      std::chrono::seconds(10);  // from the first byte of a request to the end of its head
  Duration body_timeout = std::chrono::seconds(60);   // from there to its end
  Duration write_timeout = std::chrono::seconds(60);  // for the whole answer
  Duration queue_timeout = std::chrono::seconds(5);   // a request that waited longer gets a 503
  Duration stop_timeout = std::chrono::seconds(10);   // for requests in progress when Stop() is called

  std::function<void(const AccessLine&)> access_log =
      {};                         // called in the thread of all connections: be quick
  HttpStats* counters = nullptr;  // optional; must outlive the server
};

// HTTP/1.1 (and 1.0) over TCP.  One thread moves the bytes of all connections, and a fixed number of others
// run the handler, so a slow or silent client costs a few kilobytes and blocks nobody.  If the queue of the
// handlers is full, a request gets a 503 at once.  Requests that read rows of the collection have their own
// queue and thread, so they never hold up a search.  Answers of a connection are sent in the order of its
// requests.
//
// A response with events stays open and has the connection to itself.  It ends when its client falls behind
// or disconnects, and at once in Stop().
//
// A handler sees HEAD as GET, and the server omits the body.  http_answer.h describes what the server adds to
// the handler's answer.  A request for a name that is not the server's is refused: host_names.h.
class HttpServer {
 public:
  // Starts listening.  The handler must outlive the server.  IoError if the address is taken or does not
  // belong to this machine.
  static Result<std::unique_ptr<HttpServer>> Open(const HttpServerOptions& options, HttpHandler& handler);
  ~HttpServer();  // as Stop()

  uint16_t port() const;
  // "http://127.0.0.1:8765/"
  std::string url() const;
  // HostNames::AdmitsAll()
  bool answers_any_name() const;

  // Accepts no more connections and closes idle ones; requests in progress are answered, within stop_timeout.
  // Then all is closed.  No handler runs when this returns, because it waits even for one that hangs.
  void Stop();

 private:
  class Core;
  explicit HttpServer(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace crivello::serve
