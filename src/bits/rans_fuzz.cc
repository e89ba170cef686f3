// SPDX-License-Identifier: Apache-2.0
// The first two bytes are a number of integers: decodes that many from the rest. Then encodes the rest as
// integers of as many bytes as the first byte says, and decodes them again.
#include <cstdlib>
#include <cstring>

#include "bits/rans.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::bits;
  if (size < 2) return 0;
  const std::span rest(data + 2, size - 2);
  std::vector<uint32_t> whatever(data[0] + 256u * data[1]);
  const auto decoded = RansDecode(std::as_bytes(rest), whatever);
  if (decoded.ok() && *decoded > rest.size()) std::abort();

  const size_t width = 1 + data[0] % 4;
  std::vector<uint32_t> values(rest.size() / width), got(values.size());
  for (size_t i = 0; i < values.size(); i++) std::memcpy(&values[i], rest.data() + i * width, width);
  std::vector<uint8_t> code;
  RansEncode(values, &code);
  const auto read = RansDecode(std::as_bytes(std::span(code)), got);
  if (!read.ok() || *read != code.size() || got != values) std::abort();
  return 0;
}
