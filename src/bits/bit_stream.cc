// SPDX-License-Identifier: Apache-2.0
#include "bits/bit_stream.h"

#include <string>

namespace crivello::bits {

void BitWriter::WriteZeros(uint64_t count) {
  for (; count > 64; count -= 64) WriteBits(0, 64);
  WriteBits(0, static_cast<unsigned>(count));
}

Bytes BitWriter::Finish() {
  PadToByte();
  const size_t last_bytes = (64 - free_) / 8;
  const size_t bytes = 8 * words_.size() + last_bytes;
  if (last_bytes > 0) WriteBits(0, free_);
  return std::as_bytes(std::span(words_)).first(bytes);
}

Status BitReader::ToStatus(Error error, uint64_t size_bits) {
  switch (error) {
    case Error::kNone:
      return Status::Ok();
    case Error::kOverrun:
      return Status::Corruption("bit stream: truncated: a codeword crosses the end at bit " +
                                std::to_string(size_bits));
    case Error::kNotACodeword:
      return Status::Corruption("bit stream: corrupt: found bits that are not a codeword");
    case Error::kTooLarge:
      return Status::Corruption("bit stream: corrupt: found the codeword of a number of more than 64 bits");
  }
  return Status::Ok();
}

// Appends the last bytes one by one, then the bits of a partial last byte.
uint64_t BitReader::RefillTail() {
  while (available_ < kRefilled && next_ < whole_end_) {
    window_ |= std::to_integer<uint64_t>(*next_++) << (kRefilled - available_);
    available_ += 8;
  }
  const unsigned last_bits = size_bits_ % 8;
  if (last_bits != 0 && next_ == whole_end_ && available_ + last_bits < 64) {
    const uint64_t last = std::to_integer<uint64_t>(*next_++) >> (8 - last_bits);
    window_ |= last << (64 - last_bits) >> available_;
    available_ += last_bits;
  }
  return 0;
}

uint64_t BitReader::ReadBitsSlow(unsigned n) {
  if (size_bits_ - position() < n) {
    Fail(Error::kOverrun);
    return 0;
  }
  const uint64_t high = ReadBits(n - 32);  // n > kRefilled here, or the stream would end earlier
  return high << 32 | ReadBits(32);
}

uint64_t BitReader::PeekBitsSlow(unsigned n) const {
  BitReader copy = *this;
  const uint64_t rest = size_bits_ - position();
  if (n <= rest) return copy.ReadBits(n);
  const unsigned left = static_cast<unsigned>(rest);
  return copy.ReadBits(left) << (n - left - 1) << 1;
}

uint64_t BitReader::SkipBitsSlow(uint64_t n) {
  const uint64_t from = position();
  if (size_bits_ - from < n) {
    Fail(Error::kOverrun);
  } else {
    SeekTo(from + n);
  }
  return 0;
}

}  // namespace crivello::bits
