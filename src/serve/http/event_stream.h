// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"

namespace crivello::serve {

// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): one publisher, a
// bounded number of subscribers, each with a bounded backlog.  Publishing waits for no one: a subscriber
// whose backlog is full has fallen behind for good, and its answer ends.  (Browsers ask again by themselves.)
//
// That a client is gone shows when it is written to: publish something every few seconds.

// What one subscriber has yet to be sent: the body of an answer that goes on (HttpResponse::events).
// Thread-safe.
class EventSubscription {
 public:
  explicit EventSubscription(size_t max_bytes) : max_bytes_(max_bytes) {}

  // For the server.  What has come since the last call; empty if nothing has.
  std::string Take() CRV_EXCLUDES(mu_);
  // Whether there will be nothing more: it fell behind, or the stream was closed.
  bool ended() const CRV_EXCLUDES(mu_);
  // `wake` is called when there is something to Take(), or it has ended: in the publisher's thread, so it is
  // quick and calls nothing of this class.  Never again when Unwatch() has returned.
  void Watch(std::function<void()> wake) CRV_EXCLUDES(mu_);
  void Unwatch() CRV_EXCLUDES(mu_);

  // For the stream.
  void Add(std::string_view bytes) CRV_EXCLUDES(mu_);
  void End() CRV_EXCLUDES(mu_);

 private:
  const size_t max_bytes_;
  mutable Mutex mu_;
  std::string waiting_ CRV_GUARDED_BY(mu_);
  bool ended_ CRV_GUARDED_BY(mu_) = false;
  std::function<void()> wake_ CRV_GUARDED_BY(mu_);
};

struct EventStreamOptions {
  size_t subscribers = 32;
  size_t backlog_bytes = 512 << 10;  // of each
};

// Thread-safe.
class EventStream {
 public:
  using Options = EventStreamOptions;
  explicit EventStream(Options options = {}) : options_(options) {}
  ~EventStream();

  // Null if as many are there as may be.  It begins with the last event, if there was one.
  std::shared_ptr<EventSubscription> Subscribe() CRV_EXCLUDES(mu_);
  // REQUIRES: neither has a line break.
  void Publish(std::string_view name, std::string_view data) CRV_EXCLUDES(mu_);
  // How many would get what is published now.
  size_t subscribers() const CRV_EXCLUDES(mu_);

 private:
  // Forgets those that have gone.
  void Prune() CRV_REQUIRES(mu_);

  const Options options_;
  mutable Mutex mu_;
  std::vector<std::weak_ptr<EventSubscription>> subscribers_ CRV_GUARDED_BY(mu_);
  std::string last_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::serve
