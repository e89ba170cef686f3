// SPDX-License-Identifier: Apache-2.0
// All codes on any bytes: writing the numbers read must give the consumed bits.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bits/bit_stream.h"
#include "bits/code_table.h"
#include "bits/codes.h"

namespace crivello::bits {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

template <typename Code>
void TryCode(const Code& code, Bytes bytes, uint64_t bits, uint64_t from, bool by_table) {
  BitReader one(bytes, bits);
  one.SkipBits(from);
  const uint64_t start = one.position();
  BitReader skip = one;
  BitReader bulk = one;
  BitWriter writer;
  writer.WriteZeros(start % 8);
  std::vector<uint64_t> numbers;
  uint64_t end = start;
  while (one.ok() && numbers.size() < 4096) {
    const uint64_t x = code.Read(one);
    if (!one.ok()) break;
    numbers.push_back(x);
    code.Write(writer, x);
    code.Skip(skip);
    end += code.Length(x);
    Require(one.position() == end && skip.position() == end && skip.ok());
  }
  if (!one.ok()) Require(code.Read(one) == 0 && !one.Check().ok() && one.position() == one.size());
  std::vector<uint64_t> decoded(numbers.size());
  Require(Decode(code, bulk, decoded).ok() && decoded == numbers && bulk.position() == end);

  if (by_table) {
    BitReader reader(bytes, bits);
    reader.SkipBits(from);
    std::fill(decoded.begin(), decoded.end(), 77);
    Require(CodeTable(code).Decode(reader, decoded).ok() && decoded == numbers && reader.position() == end);
  }

  const uint64_t written = writer.position();
  Require(written - start % 8 == end - start);
  const Bytes again = writer.Finish();
  BitReader left(bytes, bits);
  left.SkipBits(start);
  BitReader right(again, written);
  right.SkipBits(start % 8);
  for (uint64_t at = start; at < end; at++) Require(left.ReadBits(1) == right.ReadBits(1));
}

}  // namespace
}  // namespace crivello::bits

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::bits;
  if (size < 3) return 0;
  const uint64_t parameter = uint64_t{1} + data[0] + (uint64_t{data[1]} << (data[1] % 56));
  const crivello::Bytes bytes = std::as_bytes(std::span(data + 3, size - 3));
  const uint64_t bits = 8 * bytes.size() - (bytes.empty() ? 0 : data[2] / 70);
  const uint64_t from = std::min<uint64_t>(data[2] % 70, bits);
  int left = data[0] % 9;  // building a table costs more than all the rest, so only one code's at a time
  const auto try_code = [&](const auto& code) { TryCode(code, bytes, bits, from, left-- == 0); };
  try_code(UnaryCode());
  try_code(GammaCode());
  try_code(DeltaCode());
  try_code(ZetaCode(static_cast<unsigned>(parameter % 64) + 1));
  try_code(GolombCode(parameter));
  try_code(MinimalBinaryCode(parameter));
  try_code(NibbleCode());
  try_code(ByteCode());
  try_code(PrefixByteCode());
  return 0;
}
