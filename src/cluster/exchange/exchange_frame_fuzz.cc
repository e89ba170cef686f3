// SPDX-License-Identifier: Apache-2.0
// Any bytes as a frame of messages between agents: what is read is written, and read back the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cluster/exchange/frame.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const auto frame = cluster::DecodeFrame({reinterpret_cast<const char*>(data), size});
  if (!frame.ok()) return 0;
  cluster::FrameWriter out(frame->agent);
  for (const cluster::ExchangeMessage& message : frame->messages) out.Add(message);
  const auto again = cluster::DecodeFrame(out.bytes());
  if (!again.ok() || again->agent != frame->agent || again->messages != frame->messages) std::abort();
  return 0;
}
