// SPDX-License-Identifier: Apache-2.0
// Any bytes as the record of a feed: what was read is written back unchanged, and has a time of the next
// poll.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "feeds/feed_record.h"
#include "feeds/poll_time.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::feeds;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto record = FeedRecord::Decode(bytes);
  if (!record.ok()) return 0;
  // The first byte is the version: a record of an earlier version is written in the current one.
  const std::string again = record->Encode();
  if (again.substr(1) != bytes.substr(1)) std::abort();
  const int64_t interval = PollInterval(*record);
  if (interval < kShortest || interval > kLongestDeclared) std::abort();
  return 0;
}
