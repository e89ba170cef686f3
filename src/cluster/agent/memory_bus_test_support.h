// SPDX-License-Identifier: Apache-2.0
// A bus within one process, for tests of agents; included by _test.cc files only.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/wakeup.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

// Never fails, unless it is told to.  Thread-safe.
class MemoryBus final : public Bus {
 public:
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
  // Of messages, every so many-th is lost; 0: none.
  void LoseEvery(uint64_t nth) {
    MutexLock lock(mu_);
    lose_every_ = nth;
  }
  uint64_t messages() {
    MutexLock lock(mu_);
    return messages_;
  }

  Status Publish(const std::string& subject, std::string_view bytes) override {
    return Send({.subject = subject, .bytes = std::string(bytes), .reply_to = ""});
  }
  Result<std::unique_ptr<Subscription>> Subscribe(const std::string& subject, Handler handler) override {
    auto mailbox = std::make_unique<Mailbox>(*this, subject, std::move(handler));
    MutexLock lock(mu_);
    mailboxes_.insert(mailbox.get());
    return std::unique_ptr<Subscription>(std::move(mailbox));
  }
  Result<std::string> Request(const std::string& subject, std::string_view bytes, Duration limit) override {
    Wakeup arrived;
    Mutex mu;
    std::optional<std::string> answer;
    std::string inbox;
    {
      MutexLock lock(mu_);
      inbox = "inbox." + std::to_string(++inboxes_);
    }
    auto waiting = Subscribe(inbox, [&](const Message& message) {
      MutexLock lock(mu);
      answer = message.bytes;
      arrived.Notify();
    });
    CRV_TRY(Send({.subject = subject, .bytes = std::string(bytes), .reply_to = inbox}));
    arrived.WaitFor(limit);
    *waiting = nullptr;
    MutexLock lock(mu);
    return answer ? Result<std::string>(*answer) : Status::Unavailable("no answer from " + subject);
  }

 private:
  // Hands messages to a handler in a thread of its own, as NATS does.
  class Mailbox final : public Subscription {
   public:
    Mailbox(MemoryBus& bus, std::string subject, Handler handler)
        : bus_(bus), subject_(std::move(subject)), handler_(std::move(handler)) {
      thread_ = std::jthread([this](std::stop_token stop) { Deliver(std::move(stop)); });
    }
    ~Mailbox() override {
      {
        MutexLock lock(bus_.mu_);
        bus_.mailboxes_.erase(this);
      }
      thread_ = {};
    }
    const std::string& subject() const { return subject_; }
    void Take(const Message& message) {
      MutexLock lock(mu_);
      messages_.push_back(message);
      changed_.notify_all();
    }

   private:
    void Deliver(std::stop_token stop) {
      for (;;) {
        Message next;
        {
          MutexLock lock(mu_);
          if (!changed_.wait(mu_, stop, [this]() CRV_REQUIRES(mu_) { return !messages_.empty(); })) return;
          next = std::move(messages_.front());
          messages_.pop_front();
        }
        handler_(next);
      }
    }

    MemoryBus& bus_;
    const std::string subject_;
    const Handler handler_;
    Mutex mu_;
    std::condition_variable_any changed_;
    std::deque<Message> messages_ CRV_GUARDED_BY(mu_);
    std::jthread thread_;
  };

  Status Send(const Message& message) {
    MutexLock lock(mu_);
    if (down_) return Status::Unavailable("down");
    messages_++;
    if (lose_every_ > 0 && messages_ % lose_every_ == 0) return Status::Ok();
    for (Mailbox* const mailbox : mailboxes_) {
      if (mailbox->subject() == message.subject) mailbox->Take(message);
    }
    return Status::Ok();
  }
  uint64_t Write(const std::string& key, std::string_view value) CRV_REQUIRES(mu_) {
    entries_[key] = {.key = key, .value = std::string(value), .revision = ++revision_};
    return revision_;
  }

  Mutex mu_;
  std::map<std::string, BusEntry> entries_ CRV_GUARDED_BY(mu_);
  uint64_t revision_ CRV_GUARDED_BY(mu_) = 0;
  bool down_ CRV_GUARDED_BY(mu_) = false;
  std::set<Mailbox*> mailboxes_ CRV_GUARDED_BY(mu_);
  uint64_t inboxes_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t messages_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t lose_every_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace crivello::cluster
