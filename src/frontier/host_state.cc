// SPDX-License-Identifier: Apache-2.0
#include "frontier/host_state.h"

#include <algorithm>
#include <limits>

#include "base/record.h"

namespace crivello::frontier {
namespace {

constexpr uint64_t kHostStateVersion = 1;

// Bits of the number after the name: which of the fields that most hosts lack are present.
constexpr uint64_t kGivenUp = 1;
constexpr uint64_t kLastError = 2;
constexpr uint64_t kCrawlDelay = 4;
constexpr uint64_t kHasAddress = 8;
constexpr uint64_t kRobots = 16;
constexpr uint64_t kExtra = 32;
constexpr uint64_t kFailures = 64;
constexpr uint64_t kAllFlags = 127;

constexpr uint64_t kMaxField = std::numeric_limits<uint32_t>::max();
constexpr int64_t kMaxMillis = std::numeric_limits<int64_t>::max() / 1'000'000;

int64_t Millis(Duration duration) { return std::chrono::floor<std::chrono::milliseconds>(duration).count(); }

void PutTime(RecordWriter& writer, WallTime time) { writer.Signed(Millis(time.time_since_epoch())); }

// A value that a Duration cannot hold is read as the nearest possible one: we did not write this record.
Duration GetDuration(RecordReader& reader) {
  return std::chrono::milliseconds(std::clamp(reader.Signed(), -kMaxMillis, kMaxMillis));
}
WallTime GetTime(RecordReader& reader) { return WallTime(GetDuration(reader)); }

// The origins to keep: those that expire last, in the given order.
std::vector<HostState::Robots> MostLasting(std::vector<HostState::Robots> robots) {
  while (robots.size() > kMaxOrigins) {
    robots.erase(std::min_element(robots.begin(), robots.end(),
                                  [](const auto& a, const auto& b) { return a.until < b.until; }));
  }
  return robots;
}

bool ReadRest(std::string_view bytes, HostState& state) {
  RecordReader in(bytes);
  if (in.Number() != kHostStateVersion) return false;
  state.name = in.Text();
  const uint64_t flags = in.NumberAtMost(kAllFlags);
  state.given_up = (flags & kGivenUp) != 0;
  state.fetched = in.Number();
  state.failed = in.Number();
  state.refused = in.Number();
  state.bytes = in.Number();
  state.next_fetch = GetTime(in);
  if ((flags & kFailures) != 0) state.failures = static_cast<uint32_t>(in.NumberAtMost(kMaxField));
  if ((flags & kLastError) != 0) state.last_error = in.Text();
  if ((flags & kCrawlDelay) != 0) state.crawl_delay = GetDuration(in);
  if ((flags & kHasAddress) != 0) {
    state.address = in.Text();
    state.address_until = GetTime(in);
  }
  if ((flags & kRobots) != 0) {
    const uint64_t origins = in.NumberAtMost(kMaxOrigins);
    for (uint64_t i = 0; i < origins; i++) {
      HostState::Robots& origin = state.robots.emplace_back();
      origin.origin = in.Text();
      origin.until = GetTime(in);
    }
  }
  if ((flags & kExtra) != 0) state.extra = in.Text();
  return in.finished() && state.extra.size() <= kMaxExtraBytes;
}

}  // namespace

std::string EncodeHostRest(const HostState& state, std::string_view name) {
  constexpr size_t kUsualBytes = 192;
  std::string bytes;
  bytes.reserve(kUsualBytes);
  RecordWriter out(&bytes);
  out.Number(kHostStateVersion);
  out.Text(name);
  out.Number((state.given_up ? kGivenUp : 0) | (!state.last_error.empty() ? kLastError : 0) |
             (state.crawl_delay != Duration{} ? kCrawlDelay : 0) |
             (!state.address.empty() ? kHasAddress : 0) | (!state.robots.empty() ? kRobots : 0) |
             (!state.extra.empty() ? kExtra : 0) | (state.failures != 0 ? kFailures : 0));
  out.Number(state.fetched);
  out.Number(state.failed);
  out.Number(state.refused);
  out.Number(state.bytes);
  PutTime(out, state.next_fetch);
  if (state.failures != 0) out.Number(state.failures);
  if (!state.last_error.empty()) out.Text(state.last_error);
  if (state.crawl_delay != Duration{}) out.Signed(Millis(state.crawl_delay));
  if (!state.address.empty()) {
    out.Text(state.address);
    PutTime(out, state.address_until);
  }
  if (!state.robots.empty()) {
    const auto robots = MostLasting(state.robots);
    out.Number(robots.size());
    for (const HostState::Robots& origin : robots) {
      out.Text(origin.origin);
      PutTime(out, origin.until);
    }
  }
  if (!state.extra.empty()) out.Text(std::string_view(state.extra).substr(0, kMaxExtraBytes));
  return std::move(out).bytes();
}

HostRestHead ReadHostRestHead(std::string_view rest) {
  RecordReader in(rest);
  in.Number();
  const std::string_view name = in.Text();
  return {name, (in.Number() & kGivenUp) != 0};
}

std::string JoinHostRecord(const HostRecord& record) {
  constexpr size_t kQueuesBytes = 48;  // for one or two queues
  std::string bytes;
  bytes.reserve(record.rest.size() + kQueuesBytes);
  RecordWriter out(&bytes);
  out.Text(record.rest);
  const QueuePart& part = record.queues;
  uint64_t used = 0;
  for (size_t i = 0; i < part.queues.size(); i++) used |= uint64_t{part.queues[i] != ClassQueue{}} << i;
  out.Number(used);
  for (const ClassQueue& queue : part.queues) {
    if (queue == ClassQueue{}) continue;
    out.Number(queue.head.block);
    out.Number(queue.head.index);
    out.Number(queue.tail - queue.head.block);
    out.Number(queue.tail_bytes);
    out.Number(queue.items);
  }
  out.Number(part.enqueued);
  PutTime(out, part.wake);
  return std::move(out).bytes();
}

std::optional<HostRecord> SplitHostRecord(std::string_view bytes) {
  RecordReader in(bytes);
  HostRecord record;
  record.rest = in.Text();
  QueuePart& part = record.queues;
  const uint64_t used = in.NumberAtMost((uint64_t{1} << kPriorityClasses) - 1);
  for (size_t i = 0; i < part.queues.size(); i++) {
    if ((used >> i & 1) == 0) continue;
    ClassQueue& queue = part.queues[i];
    queue.head.block = static_cast<uint32_t>(in.NumberAtMost(kMaxField));
    queue.head.index = static_cast<uint32_t>(in.NumberAtMost(kMaxField));
    queue.tail = queue.head.block + static_cast<uint32_t>(in.NumberAtMost(kMaxField - queue.head.block));
    queue.tail_bytes = static_cast<uint32_t>(in.NumberAtMost(kMaxField));
    queue.items = static_cast<uint32_t>(in.NumberAtMost(kMaxField));
  }
  part.enqueued = in.Number();
  part.wake = GetTime(in);
  if (!in.finished()) return std::nullopt;
  return record;
}

bool HostState::ForgetImpossibleTimes(WallTime now) {
  // Times are rounded up when they are stored.
  const WallTime latest = now + kLongestRest + std::chrono::minutes(1);
  bool any = false;
  const auto judge = [&](WallTime* time) {
    if (*time <= latest) return;
    *time = {};
    any = true;
  };
  judge(&next_fetch);
  judge(&address_until);
  for (Robots& origin : robots) judge(&origin.until);
  return any;
}

std::string EncodeHostState(const HostState& state) {
  return JoinHostRecord({EncodeHostRest(state, state.name), state.queue_part()});
}

std::optional<HostState> DecodeHostState(std::string_view bytes) {
  const auto record = SplitHostRecord(bytes);
  HostState state;
  if (!record || !ReadRest(record->rest, state)) return std::nullopt;
  state.queues = record->queues.queues;
  state.enqueued = record->queues.enqueued;
  state.wake = record->queues.wake;
  return state;
}

}  // namespace crivello::frontier
