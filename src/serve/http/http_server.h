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
  Counter streams;              // of those, with an answer that goes on (events)
  Counter connections_total;    // accepted, ever
  Counter connections_refused;  // because as many as may be were open, and busy
  Counter requests;             // answered, in whatever way
  Counter overloaded;           // of those, with 503 because too many waited
  Counter malformed;            // of those, refused by the server itself: no HTTP, too large, a wrong host
  Counter bytes_sent;
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 8765;                 // 0: any that is free
  std::vector<std::string> names = {};  // by which it may be called, beside loopback's: see host_names.h

  size_t threads = 4;          // that run handlers
  uint32_t queue = 128;        // requests that may wait for one of them
  size_t row_threads = 1;      // that run handlers of requests that read rows (HttpHandler::ReadsRows)
  uint32_t row_queue = 16;     // such requests that may wait for one of them
  size_t connections = 10000;  // open at a time

  uint32_t header_bytes = 16 << 10;
  uint64_t body_bytes = 8 << 20;     // of one request
  uint64_t bodies_bytes = 64 << 20;  // of all requests together

  Duration idle_timeout = std::chrono::seconds(75);  // between two requests
  Duration head_timeout =
      std::chrono::seconds(10);  // from the first byte of a request to the end of its head
  Duration body_timeout = std::chrono::seconds(60);   // from there to its end
  Duration write_timeout = std::chrono::seconds(60);  // for the whole answer
  Duration queue_timeout = std::chrono::seconds(5);   // then it is too late to begin
  Duration stop_timeout = std::chrono::seconds(10);   // for what is under way when Stop() is called

  std::function<void(const AccessLine&)> access_log =
      {};                         // called in the thread of all connections: be quick
  HttpStats* counters = nullptr;  // if anyone wants them; outlives the server
};

// HTTP/1.1 (and 1.0) over TCP: one thread moves the bytes of all connections, and a fixed number of others
// run the handler, so that a client that is slow, or silent, costs some kilobytes and nobody's time. Requests
// that find the queue of the handlers full are answered 503 at once.  Those that read rows of the collection
// have a queue and a thread of their own: they never hold up a search.  Answers of one connection come in the
// order of its requests.
//
// An answer with events goes on, and has the connection for itself.  It ends when its client falls behind or
// goes, and at once in Stop().
//
// A handler sees HEAD as GET, and the server leaves the body out.  What answers carry beside what the handler
// put in them: http_answer.h.  A request by a name that is not the server's is refused: host_names.h.
class HttpServer {
 public:
  // Listens at once.  The handler outlives the server.  IoError if the address is taken or not of this
  // machine.
  static Result<std::unique_ptr<HttpServer>> Open(const HttpServerOptions& options, HttpHandler& handler);
  ~HttpServer();  // as Stop()

  uint16_t port() const;
  // "http://127.0.0.1:8765/"
  std::string url() const;
  // HostNames::AdmitsAll()
  bool answers_any_name() const;

  // Accepts no more and closes idle connections; requests under way are answered, within stop_timeout.  Then
  // all is closed, and when this returns no handler runs: one that does not come back is waited for.
  void Stop();

 private:
  class Core;
  explicit HttpServer(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace crivello::serve
