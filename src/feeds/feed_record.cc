// SPDX-License-Identifier: Apache-2.0
#include "feeds/feed_record.h"

#include <fmt/format.h>

#include "base/record.h"
#include "feeds/item_memory.h"

namespace crivello::feeds {
namespace {

constexpr uint64_t kFeedRecordVersion = 2;
// Like version 2, without the flag kPush.
constexpr uint64_t kRecordWithoutPush = 1;
constexpr uint64_t kLastFormat = static_cast<uint64_t>(web::FeedFormat::kJson);
// Some 35,000 years: sums of times do not overflow.
constexpr uint64_t kMostSeconds = uint64_t{1} << 40;
constexpr uint64_t kHasInterval = 1;
constexpr uint64_t kHasLastModified = 2;
constexpr uint64_t kPush = 4;

}  // namespace

std::string FeedRecord::Encode() const {
  RecordWriter out;
  out.Number(kFeedRecordVersion);
  out.Number(static_cast<uint64_t>(origin));
  out.Number(format ? 1 + static_cast<uint64_t>(*format) : 0);
  out.Text(title);
  out.Text(site);
  out.Number(hubs.size());
  for (const std::string& hub : hubs) out.Text(hub);
  out.Text(topic);
  out.Number(depth);
  out.Number(static_cast<uint64_t>(last_poll));
  out.Number(static_cast<uint64_t>(next_poll));
  out.Number(static_cast<uint64_t>(last_status));
  out.Text(trouble);
  out.Number(failures);
  out.Number(polls);
  out.Number(items);
  out.Number(last_new);
  out.Number(static_cast<uint64_t>(last_news));
  out.Number((hints.interval_s ? kHasInterval : 0) | (last_modified ? kHasLastModified : 0) |
             (push ? kPush : 0));
  if (hints.interval_s) out.Number(static_cast<uint64_t>(*hints.interval_s));
  out.Number(static_cast<uint64_t>(hints.fresh_s));
  out.Number(hints.skip_hours.to_ulong());
  out.Number(hints.skip_days.to_ulong());
  out.Number(static_cast<uint64_t>(history.seconds));
  out.Number(static_cast<uint64_t>(history.thousandths));
  out.Text(etag);
  if (last_modified) out.Signed(*last_modified);
  out.Number(seen.size());
  for (const uint64_t key : seen) out.Word(key);
  return std::move(out).bytes();
}

Result<FeedRecord> FeedRecord::Decode(std::string_view bytes) {
  RecordReader in(bytes);
  const uint64_t version = in.Number();
  if (in.ok() && version != kFeedRecordVersion && version != kRecordWithoutPush) {
    return Status::Corruption(
        fmt::format("found a feed record of version {}, but this program reads versions {} and {}", version,
                    kRecordWithoutPush, kFeedRecordVersion));
  }
  FeedRecord record;
  record.origin = static_cast<Origin>(in.NumberAtMost(static_cast<uint64_t>(Origin::kGuess)));
  if (const uint64_t format = in.NumberAtMost(1 + kLastFormat); format > 0) {
    record.format = static_cast<web::FeedFormat>(format - 1);
  }
  record.title = in.Text();
  record.site = in.Text();
  const uint64_t hubs = in.NumberAtMost(kMaxHubs);
  for (uint64_t i = 0; i < hubs; ++i) record.hubs.emplace_back(in.Text());
  record.topic = in.Text();
  record.depth = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
  record.last_poll = static_cast<int64_t>(in.NumberAtMost(kMostSeconds));
  record.next_poll = static_cast<int64_t>(in.NumberAtMost(kMostSeconds));
  record.last_status = static_cast<int>(in.NumberAtMost(999));
  record.trouble = in.Text();
  record.failures = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
  record.polls = in.Number();
  record.items = in.Number();
  record.last_new = in.Number();
  record.last_news = static_cast<int64_t>(in.NumberAtMost(kMostSeconds));
  const uint64_t flags =
      in.NumberAtMost(kHasInterval | kHasLastModified | (version == kRecordWithoutPush ? 0 : kPush));
  record.push = (flags & kPush) != 0;
  if (flags & kHasInterval) record.hints.interval_s = static_cast<int64_t>(in.NumberAtMost(kMostSeconds));
  record.hints.fresh_s = static_cast<int64_t>(in.NumberAtMost(kMostSeconds));
  record.hints.skip_hours = in.NumberAtMost((1U << 24) - 1);
  record.hints.skip_days = in.NumberAtMost((1U << 7) - 1);
  record.history.seconds = static_cast<int64_t>(in.NumberAtMost(kMostSeconds));
  record.history.thousandths = static_cast<int64_t>(in.NumberAtMost(kMostSeconds));
  record.etag = in.Text();
  if (flags & kHasLastModified) record.last_modified = in.Signed();
  const uint64_t seen = in.NumberAtMost(ItemMemory::kMaxKeys);
  // A list that is longer than the rest of the bytes is damage; no memory is reserved for it.
  for (uint64_t i = 0; i < seen && in.ok(); ++i) record.seen.push_back(in.Word());
  if (!in.finished()) return Status::Corruption("damaged feed record");
  return record;
}

}  // namespace crivello::feeds
