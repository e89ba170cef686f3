// SPDX-License-Identifier: Apache-2.0
#include "serve/http/event_stream.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace crivello::serve {
namespace {

bool HasGone(const std::weak_ptr<EventSubscription>& weak) {
  const auto subscriber = weak.lock();
  return subscriber == nullptr || subscriber->ended();
}

}  // namespace

std::string EventSubscription::Take() {
  MutexLock lock(mu_);
  return std::exchange(waiting_, {});
}

bool EventSubscription::ended() const {
  MutexLock lock(mu_);
  return ended_;
}

void EventSubscription::Watch(std::function<void()> wake) {
  MutexLock lock(mu_);
  wake_ = std::move(wake);
}

void EventSubscription::Unwatch() {
  MutexLock lock(mu_);
  wake_ = nullptr;
}

void EventSubscription::Add(std::string_view bytes) {
  MutexLock lock(mu_);
  if (ended_) return;
  if (waiting_.size() + bytes.size() > max_bytes_) {
    ended_ = true;
    waiting_.clear();
  } else {
    waiting_ += bytes;
  }
  if (wake_) wake_();
}

void EventSubscription::End() {
  MutexLock lock(mu_);
  ended_ = true;
  if (wake_) wake_();
}

EventStream::~EventStream() {
  MutexLock lock(mu_);
  for (const auto& weak : subscribers_) {
    if (const auto subscriber = weak.lock()) subscriber->End();
  }
}

std::shared_ptr<EventSubscription> EventStream::Subscribe() {
  MutexLock lock(mu_);
  Prune();
  if (subscribers_.size() >= options_.subscribers) return nullptr;
  auto subscriber = std::make_shared<EventSubscription>(options_.backlog_bytes);
  if (!last_.empty()) subscriber->Add(last_);
  subscribers_.push_back(subscriber);
  return subscriber;
}

void EventStream::Publish(std::string_view name, std::string_view data) {
  assert(name.find('\n') == name.npos && data.find('\n') == data.npos);
  MutexLock lock(mu_);
  last_ = "event: ";
  last_ += name;
  last_ += "\ndata: ";
  last_ += data;
  last_ += "\n\n";
  Prune();
  for (const auto& weak : subscribers_) {
    if (const auto subscriber = weak.lock()) subscriber->Add(last_);
  }
}

size_t EventStream::subscribers() const {
  MutexLock lock(mu_);
  return static_cast<size_t>(std::count_if(subscribers_.begin(), subscribers_.end(),
                                           [](const auto& subscriber) { return !HasGone(subscriber); }));
}

void EventStream::Prune() { std::erase_if(subscribers_, HasGone); }

}  // namespace crivello::serve
