// SPDX-License-Identifier: Apache-2.0
// A bus within one process, for tests of agents; included by _test.cc files only.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

// Never fails, unless it is told to.  A thread delivers messages in their order.  Thread-safe.
class MemoryBus final : public Bus {
 public:
  MemoryBus() : thread_([this](std::stop_token stop) { DeliverAll(std::move(stop)); }) {}

  // From now on nothing is answered, or everything again.
  void SetDown(bool down) {
    MutexLock lock(mu_);
    down_ = down;
  }
  // As if JetStream lost its disk.
  void Forget() {
    MutexLock lock(mu_);
    entries_.clear();
    revision_ = 0;
  }

  Result<std::vector<BusEntry>> ReadAll() override {
    MutexLock lock(mu_);
    if (down_) return Status::Unavailable("down");
    std::vector<BusEntry> entries;
    for (const auto& [key, entry] : entries_) entries.push_back(entry);
    return entries;
  }
  Result<uint64_t> Put(const std::string& key, std::string_view value) override {
    MutexLock lock(mu_);
    if (down_) return Status::Unavailable("down");
    return Write(key, value);
  }
  UpdateReply Update(const std::string& key, std::string_view value, uint64_t revision) override {
    MutexLock lock(mu_);
    if (down_) return {.outcome = UpdateOutcome::kUnknown, .error = "down"};
    const auto at = entries_.find(key);
    if ((at == entries_.end() ? 0 : at->second.revision) != revision) {
      return {.outcome = UpdateOutcome::kConflict};
    }
    return {.outcome = UpdateOutcome::kDone, .revision = Write(key, value)};
  }

  Status Publish(const std::string& subject, std::string_view bytes) override {
    Send({.subject = subject, .bytes = std::string(bytes), .reply_to = ""});
    return Status::Ok();
  }
  Result<std::unique_ptr<Subscription>> Subscribe(const std::string& subject, Handler handler) override {
    MutexLock lock(mu_);
    const uint64_t id = ++subscriptions_;
    subscribers_[id] = {.subject = subject, .handler = std::move(handler)};
    return std::unique_ptr<Subscription>(std::make_unique<Ends>(*this, id));
  }
  // Not from a handler.
  Result<std::string> Request(const std::string& subject, std::string_view bytes, Duration limit) override {
    std::string answer;
    bool answered = false;
    std::string inbox;
    {
      MutexLock lock(mu_);
      if (!HasSubscriber(subject)) return Status::Unavailable("nobody listens");
      inbox = "inbox." + std::to_string(subscriptions_);
    }
    CRV_ASSIGN(const auto reply, Subscribe(inbox, [&](const Message& message) {
                 MutexLock lock(mu_);
                 answer = message.bytes;
                 answered = true;
                 changed_.notify_all();
               }));
    Send({.subject = subject, .bytes = std::string(bytes), .reply_to = inbox});
    MutexLock lock(mu_);
    changed_.wait_for(mu_, limit, [&] { return answered; });
    if (!answered) return Status::Unavailable("nobody answers");
    return answer;
  }

 private:
  struct Subscriber {
    std::string subject;
    Handler handler;
  };
  class Ends final : public Subscription {
   public:
    Ends(MemoryBus& bus, uint64_t id) : bus_(bus), id_(id) {}
    ~Ends() override { bus_.Unsubscribe(id_); }

   private:
    MemoryBus& bus_;
    const uint64_t id_;
  };

  bool HasSubscriber(const std::string& subject) CRV_REQUIRES(mu_) {
    return std::any_of(subscribers_.begin(), subscribers_.end(),
                       [&](const auto& one) { return one.second.subject == subject; });
  }
  void Send(Message message) {
    MutexLock lock(mu_);
    if (down_) return;
    messages_.push_back(std::move(message));
    changed_.notify_all();
  }
  void Unsubscribe(uint64_t id) {
    MutexLock lock(mu_);
    subscribers_.erase(id);
    changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return running_ != id; });
  }
  void DeliverAll(std::stop_token stop) {
    mu_.lock();
    while (changed_.wait(mu_, stop, [this]() CRV_REQUIRES(mu_) { return !messages_.empty(); })) {
      const Message message = std::move(messages_.front());
      messages_.pop_front();
      std::map<uint64_t, Handler> handlers;
      for (const auto& [id, one] : subscribers_) {
        if (one.subject == message.subject) handlers[id] = one.handler;
      }
      for (const auto& [id, handler] : handlers) {
        if (!subscribers_.contains(id)) continue;
        running_ = id;
        mu_.unlock();
        handler(message);
        mu_.lock();
        running_ = 0;
        changed_.notify_all();
      }
    }
    mu_.unlock();
  }
  uint64_t Write(const std::string& key, std::string_view value) CRV_REQUIRES(mu_) {
    entries_[key] = {.key = key, .value = std::string(value), .revision = ++revision_};
    return revision_;
  }

  Mutex mu_;
  std::condition_variable_any changed_;
  std::map<std::string, BusEntry> entries_ CRV_GUARDED_BY(mu_);
  uint64_t revision_ CRV_GUARDED_BY(mu_) = 0;
  bool down_ CRV_GUARDED_BY(mu_) = false;
  uint64_t subscriptions_ CRV_GUARDED_BY(mu_) = 0;
  std::map<uint64_t, Subscriber> subscribers_ CRV_GUARDED_BY(mu_);
  std::deque<Message> messages_ CRV_GUARDED_BY(mu_);
  uint64_t running_ CRV_GUARDED_BY(mu_) = 0;  // the subscription whose handler runs
  std::jthread thread_;                       // the last member
};

}  // namespace crivello::cluster
