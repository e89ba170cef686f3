// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as each of the messages (the first byte chooses): a round trip changes nothing.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wire/codec.h"
#include "wire/replies.h"
#include "wire/service.h"

namespace crivello::wire {
namespace {

template <typename T>
void TryMessage(std::string_view bytes) {
  const auto message = Decode<T>(bytes);
  if (message.ok() && Encode(*message) != bytes) std::abort();
}

template <typename... Requests>
void TryOne(size_t choice, std::string_view bytes, RequestList<Requests...>) {
  size_t number = 0;
  ((number++ == choice ? TryMessage<Requests>(bytes) : void()), ...);
  ((number++ == choice ? TryMessage<typename Requests::Answer>(bytes) : void()), ...);
  if (number++ == choice) TryMessage<ErrorReply>(bytes);
  if (number++ == choice) TryMessage<ProgressReply>(bytes);
  if (number++ == choice) TryMessage<WarningReply>(bytes);
}

}  // namespace
}  // namespace crivello::wire

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  crivello::wire::TryOne(data[0] % 64, bytes.substr(1), crivello::wire::AllRequests());
  return 0;
}
