// SPDX-License-Identifier: Apache-2.0
#include "wire/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace crivello::wire {
namespace {

constexpr std::string_view kMagic = "CRVW";
constexpr uint32_t kContinues = 1;

void AppendNumber(uint32_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

uint32_t NumberAt(std::string_view bytes, size_t at, size_t size) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    value |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  }
  return value;
}

}  // namespace

void AppendFrames(MessageType type, std::string_view payload, std::string* out) {
  do {
    const std::string_view part = payload.substr(0, kMaxPayloadBytes);
    payload.remove_prefix(part.size());
    out->append(kMagic);
    AppendNumber(kProtocolVersion, 2, out);
    AppendNumber(static_cast<uint16_t>(type), 2, out);
    AppendNumber(payload.empty() ? 0 : kContinues, 4, out);
    AppendNumber(static_cast<uint32_t>(part.size()), 4, out);
    out->append(part);
  } while (!payload.empty());
}

Result<std::optional<Message>> MessageReader::Next() {
  while (true) {
    const std::string_view rest = std::string_view(buffer_).substr(taken_);
    // Refuse an invalid start at once, because the rest may never arrive.
    const size_t start = std::min(rest.size(), kMagic.size());
    if (rest.substr(0, start) != kMagic.substr(0, start)) {
      return Status::Corruption(
          "received bytes that are not a message: expected a frame that begins with CRVW");
    }
    if (rest.size() < kHeaderBytes) return std::optional<Message>();
    const auto version = static_cast<uint16_t>(NumberAt(rest, 4, 2));
    const auto type = static_cast<uint16_t>(NumberAt(rest, 6, 2));
    const uint32_t flags = NumberAt(rest, 8, 4);
    const uint32_t size = NumberAt(rest, 12, 4);
    if (version != kProtocolVersion) return std::optional(Message{.version = version, .type = type});
    if (size > kMaxPayloadBytes || (flags & ~kContinues) != 0) {
      return Status::Corruption(
          fmt::format("received a frame with flags {:#x} and {} bytes: at most {} are allowed", flags, size,
                      kMaxPayloadBytes));
    }
    if (begun_ && type != message_.type) {
      return Status::Corruption(
          fmt::format("received a frame of message {} inside a message {}", type, message_.type));
    }
    if (message_.payload.size() + size > max_message_bytes_) {
      return Status::InvalidArgument(
          fmt::format("message {} is longer than {} bytes", type, max_message_bytes_));
    }
    if (rest.size() < kHeaderBytes + size) return std::optional<Message>();
    message_.type = type;
    message_.payload.append(rest.substr(kHeaderBytes, size));
    begun_ = (flags & kContinues) != 0;
    taken_ += kHeaderBytes + size;
    if (taken_ == buffer_.size() || taken_ > kMaxFrameBytes) {
      buffer_.erase(0, taken_);
      taken_ = 0;
    }
    if (!begun_) return std::optional(std::exchange(message_, {}));
  }
}

}  // namespace crivello::wire
