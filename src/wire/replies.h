// SPDX-License-Identifier: Apache-2.0
// Messages that accompany or replace an answer.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "wire/message.h"

namespace crivello::wire {

// Why there is no answer.
struct ErrorReply {
  static constexpr const char* kName = "error";
  static constexpr MessageType kType = MessageType::kError;
  enum class Code : uint8_t {
    kInvalidArgument,
    kNotFound,
    kCorruption,
    kUnavailable,
    kIoError,
    kLast = kIoError
  };

  Code code = Code::kIoError;
  std::string message = {};

  // REQUIRES: !status.ok().
  static ErrorReply Of(const Status& status);
  Status ToStatus() const;

  static void Fields(auto& visit, auto& self) { visit(self.code, self.message); }
  friend bool operator==(const ErrorReply&, const ErrorReply&) = default;
};

// A call of a Progress (base/progress.h).
struct ProgressReply {
  static constexpr const char* kName = "progress";
  static constexpr MessageType kType = MessageType::kProgress;
  enum class Call : uint8_t { kStart, kAdvance, kFinish, kLast = kFinish };

  Call call = Call::kStart;
  std::string what = {};  // kStart
  uint64_t units = 0;     // kStart: the total; kAdvance: the increment

  static void Fields(auto& visit, auto& self) { visit(self.call, self.what, self.units); }
  friend bool operator==(const ProgressReply&, const ProgressReply&) = default;
};

// A call of Listener::Warn (base/listener.h).
struct WarningReply {
  static constexpr const char* kName = "warning";
  static constexpr MessageType kType = MessageType::kWarning;
  std::string event = {};
  std::string sentence = {};

  static void Fields(auto& visit, auto& self) { visit(self.event, self.sentence); }
  friend bool operator==(const WarningReply&, const WarningReply&) = default;
};

}  // namespace crivello::wire
