// SPDX-License-Identifier: Apache-2.0
#include "frontier/queue_check.h"

#include <fmt/format.h>

#include <optional>

#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

constexpr size_t kItemsAtOnce = 1024;
constexpr int kTries = 3;

// The problems of a host's queue, provided that it did not change during the check.
struct QueueVerdict {
  uint64_t items = 0;
  std::optional<std::string> problem = {};
};

Result<QueueVerdict> ReadQueue(const HostQueues& queues, uint64_t host, const HostState& state) {
  QueueVerdict verdict;
  if (web::HostHash(state.name) != host) verdict.problem = fmt::format("it is the state of {}", state.name);
  QueueCursor cursor = HostQueues::Start(state);
  while (true) {
    const auto items = queues.Read(host, cursor, kItemsAtOnce);
    if (items.status().code() == StatusCode::kCorruption) verdict.problem = items.status().message();
    if (!items.ok() && !verdict.problem) return items.status();
    if (!items.ok() || items->empty()) break;
    verdict.items += items->size();
  }
  if (!verdict.problem && verdict.items != state.queued()) {
    verdict.problem = fmt::format("{} URLs are queued, its state says {}", verdict.items, state.queued());
  }
  return verdict;
}

}  // namespace

Result<QueueCheck> CheckQueues(const HostQueues& queues,
                               const std::function<void(std::string sentence)>& note) {
  QueueCheck check;
  Status failure;
  const Status walked = queues.ForEachHost([&](uint64_t host, const HostState& listed) {
    check.hosts++;
    HostState state = listed;
    for (int i = 0; i < kTries; i++) {
      const Result<QueueVerdict> verdict = ReadQueue(queues, host, state);
      const auto now = queues.Load(host);
      if (!verdict.ok() || !now.ok()) {
        failure = verdict.ok() ? now.status() : verdict.status();
        return false;
      }
      if (*now && (*now)->queue_part() != state.queue_part()) {
        state = **now;
        continue;
      }
      check.items += verdict->items;
      if (verdict->problem) note(fmt::format("queue of {}: {}", state.name, *verdict->problem));
      break;
    }
    return true;
  });
  if (walked.code() == StatusCode::kCorruption) {
    note(walked.message());
  } else {
    CRV_TRY(walked);
  }
  CRV_TRY(failure);
  return check;
}

}  // namespace crivello::frontier
