// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "fetch/fetch.h"

namespace crivello::fetch {

// Receives finished fetches.
class FetchSink {
 public:
  virtual ~FetchSink() = default;
  // Called on a thread of the fetcher, which does nothing else meanwhile: pass it to a queue.  May call the
  // Fetcher.
  virtual void OnFetched(std::unique_ptr<Fetch> fetch) = 0;
};

// Turns URLs into responses.  The interface between code that decides what is fetched and code that moves
// bytes: curl_fetcher.h implements it for the web; a test may implement it without sockets.
//
// One request, one response: the caller follows redirects itself, because it must check each hop.  The caller
// also handles cookies (cookie_jar.h), politeness, names (resolver.h), and the number of fetches in flight,
// which bounds the memory.
//
// Every Submit() leads to one OnFetched(), even after Abort() and in the destructor; a sink must not resubmit
// cancelled fetches.  Thread-safe.
class Fetcher {
 public:
  virtual ~Fetcher() = default;  // cancels and delivers what is in flight, like Abort()

  // Call once, before the first Submit().  The sink must outlive the fetcher.
  virtual void Start(FetchSink& sink) = 0;

  // Takes the fetch and clears its response.  Never blocks.
  virtual void Submit(std::unique_ptr<Fetch> fetch) = 0;
  // Cancels the fetch with this id, if it is in flight, with kCancelled.
  virtual void Cancel(uint64_t id) = 0;
  // Cancels everything in flight, and all later submissions, with kCancelled.  Returns at once.
  virtual void Abort() = 0;

  // Submitted and not yet delivered.
  virtual uint64_t in_flight() const = 0;

  struct Stats {
    uint64_t fetches = 0;      // delivered
    uint64_t connections = 0;  // opened
    uint64_t open = 0;         // sockets now
    uint64_t arriving = 0;     // bytes of bodies not yet delivered, as of about a tenth of a second ago
    uint64_t waiting = 0;      // bodies that wait until others are delivered
    uint64_t received_bytes = 0;
  };
  virtual Stats stats() const = 0;
  // CPU time of its threads so far, including time spent in the sink.
  virtual Duration Cpu() const = 0;
};

}  // namespace crivello::fetch
