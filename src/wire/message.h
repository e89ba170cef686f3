// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::wire {

// How processes of this program communicate (docs/formats/wire.md).  A message is a type and a payload; it is
// sent as one or more frames of at most 64 KiB, so that a long message is never sent in one piece.  A frame
// is a header of 16 bytes, little-endian, and its part of the payload:
//
//   0  4  "CRVW"
//   4  2  version of the protocol
//   6  2  type of the message
//   8  4  flags: bit 0 says that the message continues in the next frame
//  12  4  bytes of payload in this frame

// Increased with every change of a message or of the encoding.  Both sides must use the same version.
inline constexpr uint16_t kProtocolVersion = 4;
inline constexpr size_t kHeaderBytes = 16;
inline constexpr size_t kMaxFrameBytes = size_t{64} << 10;  // with its header
inline constexpr size_t kMaxPayloadBytes = kMaxFrameBytes - kHeaderBytes;

// Numbers keep their meaning: never renumber or reuse one.
enum class MessageType : uint16_t {
  // From the process that answers.  After a request come any number of kProgress and kWarning, then one
  // kAnswer or one kError.
  kAnswer = 1,
  kError = 2,
  kProgress = 3,
  kWarning = 4,

  // Requests (service.h has them all).
  kGet = 16,
  kRecord = 17,
  kArchived = 18,
  kScan = 19,
  kWhy = 20,
  kHostReports = 21,
  kSeedReports = 22,
  kCounts = 23,
  kQueues = 24,
  kSurvey = 25,
  kForgotten = 26,
  kForgetPreview = 27,
  kForget = 28,
  kFinishForgetting = 29,
  kBackup = 30,
  kCheck = 31,
  kImport = 32,
  kRelease = 33,
  kOrder = 34,
  kExport = 35,
  kGraphBuild = 36,
  kSchedule = 40,
  kScheduleSummary = 41,
  kListFeeds = 60,
  kChangeFeeds = 61,
};

struct Message {
  uint16_t version = kProtocolVersion;
  uint16_t type = 0;  // a MessageType, or a number that this version does not know
  std::string payload = {};
};

// Appends a message as frames of this version.
void AppendFrames(MessageType type, std::string_view payload, std::string* out);

// Extracts messages from the bytes of a stream, which may come in pieces of any size.  One thread at a time.
class MessageReader {
 public:
  // Refuses messages with a longer payload.  Memory is allocated only for bytes that have arrived, not for
  // those the other side announces.
  explicit MessageReader(size_t max_message_bytes) : max_message_bytes_(max_message_bytes) {}

  void Feed(std::string_view bytes) { buffer_.append(bytes); }
  // The next complete message; nullopt if more bytes are needed.  Corruption if the bytes are not frames,
  // InvalidArgument if a message is too long.  After an error the stream cannot be read further.  A message
  // of another version is returned as soon as its first header has arrived, without its payload, so that the
  // caller can refuse it by name.
  Result<std::optional<Message>> Next();
  // Whether no message has begun.
  bool empty() const { return buffer_.size() == taken_ && !begun_; }

 private:
  const size_t max_message_bytes_;
  std::string buffer_;
  size_t taken_ = 0;  // bytes at the front of buffer_ that were consumed
  bool begun_ = false;
  Message message_;  // its frames so far
};

}  // namespace crivello::wire
