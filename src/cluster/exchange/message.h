// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"

namespace crivello::cluster {

// What tablets tell each other about URLs that one found and the other owns.  Format:
// docs/formats/exchange.md.

// A stream of batches: from one tablet to another, numbered from 1 without a gap within an incarnation.  A
// higher incarnation replaces all lower ones.
struct StreamId {
  std::string from;
  std::string to;
  uint64_t incarnation = 0;
  friend auto operator<=>(const StreamId&, const StreamId&) = default;
};

struct UrlBatch {
  StreamId stream;
  uint64_t sequence = 0;
  // The sender has dropped all batches below this one, because they were confirmed.  A receiver that does not
  // have them has lost them.
  uint64_t oldest_kept = 0;
  // The question (below) that this incarnation answers; 0: none.
  uint64_t answers = 0;
  std::string urls = {};  // each behind its length
  friend bool operator==(const UrlBatch&, const UrlBatch&) = default;
};

struct Confirmation {
  StreamId stream;
  uint64_t through = 0;  // these, and all before, are durable at the receiver
  bool lacks = false;    // the receiver lost batches that were confirmed once: begin a new incarnation
  // With `lacks`, asked of whatever incarnation there is (its number is 0 here): the number of the question.
  uint64_t question = 0;
  friend bool operator==(const Confirmation&, const Confirmation&) = default;
};

using ExchangeMessage = std::variant<UrlBatch, Confirmation>;

// With a checksum over everything.
std::string EncodeMessage(const ExchangeMessage& message);
// Corruption if the bytes are not one message.
Result<ExchangeMessage> DecodeMessage(std::string_view bytes);

}  // namespace crivello::cluster
