// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as an increasing sequence; writing it again must give the consumed bits.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bits/interpolative.h"

namespace {
void Require(bool condition) {
  if (!condition) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::bits;
  if (size < 18) return 0;
  uint64_t lo = 0;
  uint64_t hi = 0;
  std::memcpy(&lo, data, 8);
  std::memcpy(&hi, data + 8, 8);
  std::vector<uint64_t> values(data[16] + 256 * (data[17] % 16));
  const crivello::Bytes bytes = std::as_bytes(std::span(data + 18, size - 18));
  BitReader reader(bytes);
  const crivello::Status status = ReadInterpolative(reader, lo, hi, values);
  if (status.code() == crivello::StatusCode::kInvalidArgument) return 0;
  BitWriter writer;
  Require(WriteInterpolative(writer, values, lo, hi).ok());
  Require(InterpolativeLength(values, lo, hi) == writer.position());
  if (!status.ok()) return 0;
  Require(writer.position() == reader.position());
  const uint64_t written = writer.position();
  BitReader left(bytes);
  BitReader right(writer.Finish());
  for (uint64_t at = 0; at < written; at++) Require(left.ReadBits(1) == right.ReadBits(1));
  return 0;
}
