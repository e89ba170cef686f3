// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a stream of frames: the messages are the same whether it is read at once or byte by
// byte, and after a round trip.

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "wire/message.h"

namespace {

using crivello::wire::Message;
using crivello::wire::MessageReader;

constexpr size_t kLimit = 1 << 20;

// The messages up to the end or the first error.
void Drain(MessageReader& reader, bool* failed, std::vector<Message>* messages) {
  while (!*failed) {
    auto message = reader.Next();
    *failed = !message.ok();
    if (*failed || !*message) return;
    // The bytes after a message of another version cannot be interpreted.
    *failed = (*message)->version != crivello::wire::kProtocolVersion;
    messages->push_back(**std::move(message));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  MessageReader whole(kLimit);
  MessageReader pieces(kLimit);
  std::vector<Message> at_once, bit_by_bit;
  bool failed = false, failed_in_pieces = false;
  whole.Feed(bytes);
  Drain(whole, &failed, &at_once);
  for (size_t i = 0; i < size && !failed_in_pieces; ++i) {
    pieces.Feed(bytes.substr(i, 1));
    Drain(pieces, &failed_in_pieces, &bit_by_bit);
  }
  if (failed != failed_in_pieces || at_once.size() != bit_by_bit.size()) std::abort();
  for (size_t i = 0; i < at_once.size(); ++i) {
    if (at_once[i].type != bit_by_bit[i].type || at_once[i].payload != bit_by_bit[i].payload) std::abort();
    if (at_once[i].version != crivello::wire::kProtocolVersion) continue;
    std::string again;
    AppendFrames(static_cast<crivello::wire::MessageType>(at_once[i].type), at_once[i].payload, &again);
    MessageReader reader(kLimit);
    reader.Feed(again);
    const auto read = reader.Next();
    if (!read.ok() || !*read || (*read)->payload != at_once[i].payload) std::abort();
  }
  return 0;
}
