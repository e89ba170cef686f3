// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::bits {

// A bit stream is a sequence of bytes, each read from its most significant bit. This is the order of
// WebGraph's and dsiutils' files: a number in n bits has its most significant bit first. The codes on top of
// it are in codes.h. Format: docs/formats/bit-streams.md.

namespace internal {
inline uint64_t ToBigEndian(uint64_t word) { return __builtin_bswap64(word); }
inline uint64_t LoadBigEndian(const std::byte* from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return ToBigEndian(word);
}
static_assert(std::endian::native == std::endian::little);
}  // namespace internal

// Writes bits into memory that it owns and grows; a long stream goes to a file in pieces (DrainTo). A write
// costs a shift and an or, plus a store every 64 bits. One thread at a time.
class BitWriter {
 public:
  // Appends the low n bits of `value`, highest first. REQUIRES: n <= 64, value < 2^n.
  void WriteBits(uint64_t value, unsigned n) {
    assert(n <= 64 && (n == 64 || value >> n == 0));
    if (n < free_) {
      buffer_ = buffer_ << n | value;
      free_ -= n;
      return;
    }
    // Bits of `buffer_` above its valid ones are shifted out before it is stored, so no mask is needed.
    const unsigned rest = n - free_;
    words_.push_back(internal::ToBigEndian(buffer_ << (free_ - 1) << 1 | value >> rest));
    buffer_ = value;
    free_ = 64 - rest;
  }
  // Appends `count` zeros, which use as many bits of memory: limit an untrusted count first.
  void WriteZeros(uint64_t count);
  // Appends zeros up to the next multiple of 8 bits.
  void PadToByte() { WriteBits(0, free_ % 8); }

  // The number of bits written, including drained ones.
  uint64_t position() const { return 8 * drained_bytes_ + 64 * words_.size() + (64 - free_); }

  // The bytes held in memory; a caller that drains should do so when this exceeds some chunk size.
  size_t buffered_bytes() const { return 8 * words_.size(); }
  // Passes all whole words to sink.Append(Bytes) (AppendFile, AtomicFile, FormatFileWriter) and drops them,
  // even if that fails.
  template <typename Sink>
  Status DrainTo(Sink& sink) {
    const Status status = sink.Append(std::as_bytes(std::span(words_)));
    drained_bytes_ += 8 * words_.size();
    words_.clear();
    return status;
  }

  // Drops everything written or drained, and keeps the memory for another stream.
  void Clear() {
    words_.clear();
    buffer_ = 0;
    free_ = 64;
    drained_bytes_ = 0;
  }

  // Ends the stream: pads the last byte with zeros and returns the undrained bytes, which are valid as long
  // as this object. Afterwards nothing may be written until Clear(); query position() before.
  Bytes Finish();
  // Like Finish(), for a stream that is written to a file.
  template <typename Sink>
  Status FinishTo(Sink& sink) {
    return sink.Append(Finish());
  }

 private:
  std::vector<uint64_t> words_;  // big-endian
  uint64_t buffer_ = 0;          // its low 64 - free_ bits come next
  unsigned free_ = 64;           // 1 to 64
  uint64_t drained_bytes_ = 0;
};

// Reads bits from bytes that it does not own (a mapped file, a buffer); they must outlive it.
//
// Safe on any bytes: it never reads outside the span. A read that would cross the end, or that meets bits
// that are not a codeword, returns 0 and makes the reader fail. A failed reader stays at the end and keeps
// returning 0, so a loop needs to check ok() only once, at the end.
//
// A value type of a few words, meant to be kept in registers: the hot paths are inline and never take its
// address. A loop over a reader that is reached through a reference should work on a copy and assign it back,
// as Decode() in codes.h does. A read waits only for the window to be shifted by the length of the previous
// word. The window is refilled by an unaligned 8-byte load (Giesen, "Reading bits in far too many ways",
// 2018, variant 4) after a branch that is taken once in about 50 bits: without the branch the load would
// become part of every read's dependency chain. One thread at a time; copies are independent.
class BitReader {
 public:
  enum class Error : uint8_t { kNone, kOverrun, kNotACodeword, kTooLarge };

  BitReader() : BitReader(Bytes()) {}
  explicit BitReader(Bytes bytes) : BitReader(bytes, 8 * uint64_t{bytes.size()}) {}
  // The first `size_bits` bits of `bytes`, or all of them if there are fewer.
  BitReader(Bytes bytes, uint64_t size_bits)
      : next_(bytes.data()),
        begin_(bytes.data()),
        size_bits_(size_bits < 8 * uint64_t{bytes.size()} ? size_bits : 8 * uint64_t{bytes.size()}) {
    whole_end_ = begin_ + size_bits_ / 8;
  }

  uint64_t size() const { return size_bits_; }
  // The number of bits consumed.
  uint64_t position() const { return loaded_bits() - available_; }
  bool ok() const { return error_ == Error::kNone; }
  Error error() const { return error_; }
  // Corruption with the reason, unless ok().
  Status Check() const { return ToStatus(error_, size_bits_); }

  // Reads the next n bits as a number. REQUIRES: n <= 64.
  uint64_t ReadBits(unsigned n) {
    if (n > available_) [[unlikely]] {
      Refill();
      if (n > available_) [[unlikely]]
        return Detour([n](BitReader& r) { return r.ReadBitsSlow(n); });
    }
    const uint64_t value = Top(n);
    Consume(n);
    return value;
  }
  // The same without consuming them; beyond the end, zeros.
  uint64_t PeekBits(unsigned n) const {
    BitReader copy = *this;
    if (n > copy.available_) [[unlikely]] {
      copy.Refill();
      if (n > copy.available_) [[unlikely]]
        return copy.PeekBitsSlow(n);
    }
    return copy.Top(n);
  }
  void SkipBits(uint64_t n) {
    if (n <= available_) [[likely]] {
      Consume(static_cast<unsigned>(n));
    } else {
      Detour([n](BitReader& r) { return r.SkipBitsSlow(n); });
    }
  }
  // Moves to a bit, counted from the first; fails beyond the end. Does nothing on a failed reader.
  void SeekTo(uint64_t bit) {
    if (!ok()) return;
    if (bit > size_bits_) return Fail(Error::kOverrun);
    window_ = 0;
    available_ = 0;
    next_ = begin_ + bit / 8;
    if (bit % 8 != 0) {
      Refill();
      Consume(bit % 8);
    }
  }

  // For decoders: the window has the next available() bits on top; below them is either what follows in the
  // stream or zeros.
  uint64_t window() const { return window_; }
  unsigned available() const { return available_; }
  // Leading zeros of the window: 64 if it has no one.
  unsigned zeros() const { return static_cast<unsigned>(std::countl_zero(window_)); }
  // The n highest bits of the window.  REQUIRES: n <= 63.
  uint64_t Top(unsigned n) const { return window_ >> 1 >> (63 - n); }
  // REQUIRES: n <= available().
  void Consume(unsigned n) {
    window_ <<= n;
    available_ -= n;
  }
  // Makes at least kRefilled bits available, or all that are left.
  static constexpr unsigned kRefilled = 56;
  [[gnu::always_inline]] void Refill() {
    if (whole_end_ - next_ >= 8) [[likely]] {
      window_ |= internal::LoadBigEndian(next_) >> available_;
      next_ += (63 - available_) >> 3;
      available_ |= kRefilled;
    } else {
      Detour([](BitReader& r) { return r.RefillTail(); });
    }
  }
  // Makes the reader fail.
  void Fail(Error error) {
    if (error_ == Error::kNone) error_ = error;
    window_ = 0;
    available_ = 0;
    next_ = whole_end_ + (size_bits_ % 8 != 0 ? 1 : 0);
  }

  // Runs a rare path, out of line, on a copy, so that the reader's own address never escapes: that would put
  // its members into memory and slow down every read by a store and a load. Returns the result of `path`, or
  // 0 if the reader has failed.
  template <typename Path>
  [[gnu::always_inline]] uint64_t Detour(Path path) {
    BitReader copy;
    copy.CopyFrom(*this);
    const uint64_t value = Run(copy, path);
    CopyFrom(copy);
    return value;
  }

 private:
  template <typename Path>
  [[gnu::noinline, gnu::cold]] static uint64_t Run(BitReader& reader, Path path) {
    const uint64_t value = path(reader);
    return reader.ok() ? value : 0;
  }

  // Copies member by member, which g++ 12 keeps in registers; it would copy a struct through memory.
  [[gnu::always_inline]] void CopyFrom(const BitReader& other) {
    window_ = other.window_;
    available_ = other.available_;
    error_ = other.error_;
    next_ = other.next_;
    whole_end_ = other.whole_end_;
    begin_ = other.begin_;
    size_bits_ = other.size_bits_;
  }
  static Status ToStatus(Error error, uint64_t size_bits);
  uint64_t loaded_bits() const {
    const uint64_t bits = 8 * static_cast<uint64_t>(next_ - begin_);
    return bits < size_bits_ ? bits : size_bits_;
  }
  uint64_t ReadBitsSlow(unsigned n);
  uint64_t PeekBitsSlow(unsigned n) const;
  uint64_t SkipBitsSlow(uint64_t n);
  uint64_t RefillTail();

  uint64_t window_ = 0;
  unsigned available_ = 0;  // 0 to 63
  Error error_ = Error::kNone;
  const std::byte* next_;       // the first byte not completely in the window
  const std::byte* whole_end_;  // the end of the whole bytes; the byte there may have the last bits
  const std::byte* begin_;
  uint64_t size_bits_;
};

}  // namespace crivello::bits
