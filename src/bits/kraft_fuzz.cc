// SPDX-License-Identifier: Apache-2.0
// Any lengths are rejected, or give a code that reads any bits as its own words.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bits/kraft.h"

namespace {
void Require(bool condition) {
  if (!condition) std::abort();
}
}  // namespace

// The input: a count, that many lengths (a byte above 64 means one of 1 to 16), and the stream.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::bits;
  if (size == 0 || data[0] >= size) return 0;
  std::vector<unsigned> lengths(data + 1, data + 1 + data[0]);
  for (unsigned& length : lengths) {
    if (length > 70) length = 1 + length % 16;
  }
  const auto code = KraftCode::FromLengths(lengths);
  if (!code.ok()) return 0;
  const crivello::Bytes bytes = std::as_bytes(std::span(data, size).subspan(1 + lengths.size()));
  BitReader reader(bytes);
  for (int i = 0; i < 10000 && reader.ok(); i++) {
    const uint64_t at = reader.position();
    const size_t symbol = code->Read(reader);
    if (!reader.ok()) break;
    const KraftCode::Word word = code->word(symbol);
    Require(word.length == lengths[symbol] && reader.position() == at + word.length);
    BitReader again(bytes);
    again.SeekTo(at);
    Require(again.ReadBits(word.length) == word.bits);
  }
  if (code->complete() && !reader.ok()) Require(reader.error() == BitReader::Error::kOverrun);
  return 0;
}
