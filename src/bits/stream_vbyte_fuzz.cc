// SPDX-License-Identifier: Apache-2.0
// The first two bytes are a number of integers: decodes that many from the rest, with and without vectors,
// which must agree. Then encodes the rest, which must decode to the same integers.
#include <cstdlib>
#include <cstring>

#include "bits/stream_vbyte.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::bits;
  if (size < 2) return 0;
  const std::span rest(data + 2, size - 2);
  std::vector<uint32_t> with(data[0] + 256u * data[1]), without(with.size());
  const auto a = StreamVByteDecode(std::as_bytes(rest), with);
  const auto b = StreamVByteDecodeScalar(std::as_bytes(rest), without);
  if (a.ok() != b.ok()) std::abort();
  if (a.ok() && (*a != *b || *a > rest.size() || with != without)) std::abort();

  std::vector<uint32_t> values(rest.size() / 4), got(values.size());
  if (!values.empty()) std::memcpy(values.data(), rest.data(), 4 * values.size());
  std::vector<uint8_t> code, scalar_code;
  StreamVByteEncode(values, &code);
  StreamVByteEncodeScalar(values, &scalar_code);
  if (code != scalar_code || code.size() > StreamVByteMaxBytes(values.size())) std::abort();
  const auto read = StreamVByteDecode(std::as_bytes(std::span(code)), got);
  if (!read.ok() || *read != code.size() || got != values) std::abort();
  return 0;
}
