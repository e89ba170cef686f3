// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "fetch/fetch.h"

namespace crivello::fetch {

// Where finished fetches go.
class FetchSink {
 public:
  virtual ~FetchSink() = default;
  // On a thread of the fetcher, which does nothing else meanwhile: hand it on to a queue.  May call the
  // Fetcher.
  virtual void OnFetched(std::unique_ptr<Fetch> fetch) = 0;
};

// A URL becomes a response.  The interface between those who decide what is fetched and those who move bytes:
// curl_fetcher.h is the one for the web, a test may have one without sockets.
//
// One request, one response: the caller follows redirects itself, because it must look at each hop.  Cookies
// (cookie_jar.h), politeness, names (resolver.h) and the number of fetches in flight, which bounds the
// memory, are the caller's too.
//
// Every Submit() ends in one OnFetched(), also after Abort() and in the destructor; a sink must not submit
// again what was cancelled.  Thread-safe.
class Fetcher {
 public:
  virtual ~Fetcher() = default;  // ends what is in flight as Abort() does, and delivers it

  // Called once, before the first Submit().  The sink must outlive the fetcher.
  virtual void Start(FetchSink& sink) = 0;

  // Takes the fetch; its response is cleared.  Never blocks.
  virtual void Submit(std::unique_ptr<Fetch> fetch) = 0;
  // Ends the fetch of this id, if it is in flight, with kCancelled.
  virtual void Cancel(uint64_t id) = 0;
  // Ends all that is in flight with kCancelled, and whatever is submitted later.  Returns at once.
  virtual void Abort() = 0;

  // Submitted and not yet delivered.
  virtual uint64_t in_flight() const = 0;

  struct Stats {
    uint64_t fetches = 0;      // delivered
    uint64_t connections = 0;  // opened
    uint64_t open = 0;         // sockets now
    uint64_t arriving = 0;     // bytes of bodies that are not delivered yet, as of some tenth of a second ago
    uint64_t waiting = 0;      // bodies that wait until others have been delivered
    uint64_t received_bytes = 0;
  };
  virtual Stats stats() const = 0;
  // CPU time of its threads so far, including what they did in the sink.
  virtual Duration Cpu() const = 0;
};

}  // namespace crivello::fetch
