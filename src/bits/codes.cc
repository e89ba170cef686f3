// SPDX-License-Identifier: Apache-2.0
#include "bits/codes.h"

#include <cmath>

#include "base/hash.h"

namespace crivello::bits {

using internal::kAllOnes;
using internal::LowBits;
using Error = BitReader::Error;

namespace {

uint64_t Refuse(BitReader& reader, Error error) {
  reader.Fail(error);
  return 0;
}

// Numbers of n bits with n up to 128.
void WriteWide(BitWriter& writer, Uint128 value, unsigned n) {
  if (n > 64) writer.WriteBits(static_cast<uint64_t>(value >> 64), n - 64);
  writer.WriteBits(static_cast<uint64_t>(value), n < 64 ? n : 64);
}
Uint128 ReadWide(BitReader& reader, unsigned n) {
  Uint128 value = 0;
  if (n > 64) value = static_cast<Uint128>(reader.ReadBits(n - 64)) << 64;
  return value | reader.ReadBits(n < 64 ? n : 64);
}

}  // namespace

uint64_t UnaryCode::ReadSlow(BitReader& reader) {
  uint64_t x = 0;
  for (;;) {
    reader.Refill();
    const unsigned available = reader.available();
    const unsigned zeros = reader.zeros();
    if (zeros < available) {
      reader.Consume(zeros + 1);
      return x + zeros;
    }
    if (available == 0) return Refuse(reader, Error::kOverrun);
    x += available;
    reader.Consume(available);
  }
}

uint64_t GammaCode::ReadSlow(BitReader& reader) {
  const uint64_t log = UnaryCode::ReadSlow(reader);
  if (log > 64) return Refuse(reader, Error::kTooLarge);
  const uint64_t low = reader.ReadBits(static_cast<unsigned>(log));
  if (log < 64) return (uint64_t{1} << log | low) - 1;
  return low == 0 ? kAllOnes : Refuse(reader, Error::kTooLarge);
}

uint64_t DeltaCode::ReadSlow(BitReader& reader) {
  const uint64_t log = GammaCode::Read(reader);
  if (log > 64) return Refuse(reader, Error::kTooLarge);
  const uint64_t low = reader.ReadBits(static_cast<unsigned>(log));
  if (log < 64) return (uint64_t{1} << log | low) - 1;
  return low == 0 ? kAllOnes : Refuse(reader, Error::kTooLarge);
}

void ZetaCode::Write(BitWriter& writer, uint64_t x) const {
  const unsigned h = internal::Log2OfSuccessor(x) / k_;
  const Uint128 successor = static_cast<Uint128>(x) + 1;
  const Uint128 left = static_cast<Uint128>(1) << (h * k_);
  UnaryCode::Write(writer, h);
  if (successor - left < left) {
    WriteWide(writer, successor - left, h * k_ + k_ - 1);
  } else {
    WriteWide(writer, successor, h * k_ + k_);
  }
}

uint64_t ZetaCode::Length(uint64_t x) const {
  const unsigned h = internal::Log2OfSuccessor(x) / k_;
  const bool is_long = static_cast<Uint128>(x) + 1 >= static_cast<Uint128>(2) << (h * k_);
  return h * (k_ + 1) + k_ + (is_long ? 1 : 0);
}

uint64_t ZetaCode::ReadSlow(BitReader& reader) const {
  const uint64_t h = UnaryCode::ReadSlow(reader);
  if (h > 64 / k_) return Refuse(reader, Error::kTooLarge);
  const unsigned low = static_cast<unsigned>(h) * k_;
  const Uint128 left = static_cast<Uint128>(1) << low;
  Uint128 successor = ReadWide(reader, low + k_ - 1);
  if (successor < left) {
    successor += left;
  } else {
    successor = successor << 1 | reader.ReadBits(1);
  }
  if (successor - 1 > kAllOnes) return Refuse(reader, Error::kTooLarge);
  return static_cast<uint64_t>(successor - 1);
}

uint64_t MinimalBinaryCode::ReadSlow(BitReader& reader) const {
  const uint64_t head = reader.ReadBits(bits_ - 1);  // without any bits, this path is never taken
  if (head < short_words_) return head;
  return (head << 1 | reader.ReadBits(1)) - short_words_;
}

uint64_t GolombCode::ReadSlow(BitReader& reader) const {
  const uint64_t quotient = UnaryCode::ReadSlow(reader);
  const uint64_t remainder = remainder_.Read(reader);
  const Uint128 x = static_cast<Uint128>(quotient) * modulus_ + remainder;
  return x > kAllOnes ? Refuse(reader, Error::kTooLarge) : static_cast<uint64_t>(x);
}

uint64_t GolombCode::OptimalModulus(uint64_t f, uint64_t n) {
  assert(1 <= f && f <= n);
  const double p = static_cast<double>(f) / static_cast<double>(n);
  const double b = std::ceil(-std::log(2 - p) / std::log1p(-p));
  return b < 1 ? 1 : static_cast<uint64_t>(b);
}

template <unsigned kBits>
uint64_t BlockCode<kBits>::ReadSlow(BitReader& reader) {
  uint64_t x = 0;
  for (unsigned blocks = 0;; blocks++) {
    const uint64_t block = reader.ReadBits(kBits);
    if (!reader.ok()) return 0;
    if (blocks == 0 && block == kContinue) return Refuse(reader, Error::kNotACodeword);
    if (x >> (64 - kData) != 0) return Refuse(reader, Error::kTooLarge);
    x = x << kData | (block & LowBits(kData));
    if ((block & kContinue) == 0) return x;
  }
}

template class BlockCode<4>;
template class BlockCode<8>;

uint64_t PrefixByteCode::ReadSlow(BitReader& reader) {
  const uint64_t first = reader.ReadBits(8);
  const unsigned further = static_cast<unsigned>(std::countl_one(first << 56));
  uint64_t x = reader.ReadBits(8 * further);
  if (further < 8) x |= (first & LowBits(7 - further)) << (8 * further);
  if (reader.ok() && Bytes(x) != further + 1) return Refuse(reader, Error::kNotACodeword);
  return x;
}

}  // namespace crivello::bits
