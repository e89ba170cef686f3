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
// bounded number of subscribers, each with a bounded backlog.  Publishing never blocks: if a subscriber's
// backlog is full, its response ends. (Browsers reconnect by themselves.)
//
// A disconnected client is noticed only when it is written to, so publish something every few seconds.

// The backlog of one subscriber: the body of a response that stays open (HttpResponse::events).
// Thread-safe.
class EventSubscription {
 public:
  explicit EventSubscription(size_t max_bytes) : max_bytes_(max_bytes) {}

  // For the server.  What was added since the last call; empty if nothing was.
  std::string Take() CRV_EXCLUDES(mu_);
  // Whether nothing more will come, because it fell behind or the stream was closed.
  bool ended() const CRV_EXCLUDES(mu_);
  // `wake` is called when there is something to Take(), or the stream has ended.  It runs in the publisher's
  // thread: be quick, call nothing of this class.  Not called after Unwatch() has returned.
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

  // Null if there are too many subscribers already.  It begins with the last event, if there was one.
  std::shared_ptr<EventSubscription> Subscribe() CRV_EXCLUDES(mu_);
  // REQUIRES: neither contains a line break.
  void Publish(std::string_view name, std::string_view data) CRV_EXCLUDES(mu_);
  // How many subscribers would get an event published now.
  size_t subscribers() const CRV_EXCLUDES(mu_);

 private:
  // Removes subscribers that have gone.
  void Prune() CRV_REQUIRES(mu_);

  const Options options_;
  mutable Mutex mu_;
  std::vector<std::weak_ptr<EventSubscription>> subscribers_ CRV_GUARDED_BY(mu_);
  std::string last_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::serve
