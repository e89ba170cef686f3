// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace crivello::cluster {

// One key of the bucket.  Revisions differ for each write to the bucket; they rise, unless the bus loses
// history.
struct BusEntry {
  std::string key;
  std::string value;
  uint64_t revision = 0;
};

// How a compare-and-set ended.
enum class UpdateOutcome : uint8_t {
  kDone,
  kConflict,  // the key has another revision; nothing was written
  kUnknown,   // no answer in time: it was written, or not, or will be a moment later
};
struct UpdateReply {
  UpdateOutcome outcome = UpdateOutcome::kUnknown;
  uint64_t revision = 0;   // kDone: of what was written
  std::string error = {};  // kUnknown: for people
};

// What agents share besides the file system: a bucket of small values and messages by subject.  The bus may
// lose, delay or repeat anything, and forget the whole bucket; callers stay correct, they only have more
// work. Thread-safe.  Every call returns within the time limit that the implementation was given.
class Bus {
 public:
  struct Message {
    std::string subject;
    std::string bytes;
    std::string reply_to;  // empty if nobody waits for an answer
  };
  // Called in a thread of the bus; it must return soon.
  using Handler = std::function<void(const Message& message)>;
  // Ends the subscription.  When the destructor returns, the handler does not run and will not run again.
  class Subscription {
   public:
    virtual ~Subscription() = default;
  };

  virtual ~Bus() = default;

  // All keys.  They may be stale: only Update() tells for sure.
  virtual Result<std::vector<BusEntry>> ReadAll() = 0;
  // Unconditionally.
  virtual Result<uint64_t> Put(const std::string& key, std::string_view value) = 0;
  // Writes if the key has this revision; 0: if there is no such key.
  virtual UpdateReply Update(const std::string& key, std::string_view value, uint64_t revision) = 0;

  // To whoever listens now.
  virtual Status Publish(const std::string& subject, std::string_view bytes) = 0;
  virtual Result<std::unique_ptr<Subscription>> Subscribe(const std::string& subject, Handler handler) = 0;
  // Unavailable if nobody listens or nobody answers in time.
  virtual Result<std::string> Request(const std::string& subject, std::string_view bytes, Duration limit) = 0;
};

}  // namespace crivello::cluster
