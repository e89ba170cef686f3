// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cluster/exchange/message.h"

namespace crivello::cluster {

// Messages from one agent to another, joined to save what each message of the bus costs.  Format:
// docs/formats/exchange.md.
struct ExchangeFrame {
  std::string agent;  // that sends it
  std::vector<ExchangeMessage> messages;
};

// Grows by one message at a time.  One thread at a time.
class FrameWriter {
 public:
  explicit FrameWriter(std::string_view agent);
  void Add(const ExchangeMessage& message);
  size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Corruption if the bytes are not a frame.  Messages that are damaged are left out: they come again.
Result<ExchangeFrame> DecodeFrame(std::string_view bytes);

}  // namespace crivello::cluster
