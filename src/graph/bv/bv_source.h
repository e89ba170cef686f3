// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "bits/bit_stream.h"
#include "bits/codes.h"
#include "graph/bv/bv_format.h"
#include "graph/bv/little_bit_reader.h"

namespace crivello::graph {

// The source of a BVGraph's numbers: a bit reader and the code of each part.  A source is a value of a few
// words; a decoder works on a copy and assigns it back, so that the copy stays in registers.  After damage it
// fails, and returns 0 for every number.
//
// FastSource supports the codes of nearly all graphs, AnySource all others.

// Big-endian; gamma for everything except unary references and zeta residuals.  kZeta is k, or 0 if k is
// known only at run time.
template <unsigned kZeta>
class FastSource {
 public:
  FastSource(Bytes bytes, const BvCodes& codes) : reader_(bytes), k_(codes.residuals.parameter) {}

  static bool Reads(const BvParameters& parameters) {
    BvCodes expected;
    expected.residuals.parameter = kZeta != 0 ? kZeta : parameters.codes.residuals.parameter;
    return !parameters.little_endian && parameters.codes == expected;
  }

  uint64_t position() const { return reader_.position(); }
  bool ok() const { return reader_.ok(); }
  void SeekTo(uint64_t bit) { reader_.SeekTo(bit); }

  [[gnu::always_inline]] uint64_t Outdegree() { return Gamma(); }
  [[gnu::always_inline]] uint64_t Reference() { return bits::UnaryCode::Read(reader_); }
  [[gnu::always_inline]] uint64_t BlockCount() { return Gamma(); }
  [[gnu::always_inline]] uint64_t Block() { return Gamma(); }
  [[gnu::always_inline]] uint64_t Interval() { return Gamma(); }
  [[gnu::always_inline]] uint64_t Residual() { return bits::ZetaCode(kZeta != 0 ? kZeta : k_).Read(reader_); }

 private:
  [[gnu::always_inline]] uint64_t Gamma() { return bits::GammaCode::Read(reader_); }

  bits::BitReader reader_;
  unsigned k_;
};

// The two operations from which all codes are composed, for big-endian streams.
class BigBitReader {
 public:
  explicit BigBitReader(Bytes bytes) : reader_(bytes) {}
  uint64_t position() const { return reader_.position(); }
  bool ok() const { return reader_.ok(); }
  void Fail() { reader_.Fail(bits::BitReader::Error::kNotACodeword); }
  void SeekTo(uint64_t bit) { reader_.SeekTo(bit); }
  uint64_t ReadBits(unsigned n) { return reader_.ReadBits(n); }
  uint64_t ReadUnary() { return bits::UnaryCode::Read(reader_); }

 private:
  bits::BitReader reader_;
};

// Reads the next number in any code, from either kind of stream; a value above 2^64 - 1 is damage.
template <typename Reader>
uint64_t ReadBvCode(BvCode code, Reader& reader) {
  // The low `width` bits of x + 1, whose highest bit is implied.
  const auto below_one = [&reader](uint64_t width) -> uint64_t {
    if (width > 63) {
      reader.Fail();
      return 0;
    }
    const uint64_t x = (uint64_t{1} << width | reader.ReadBits(static_cast<unsigned>(width))) - 1;
    return reader.ok() ? x : 0;
  };
  const auto minimal_binary = [&reader](uint64_t count) -> uint64_t {
    const auto width = static_cast<unsigned>(std::bit_width(count)) - 1;
    const uint64_t shorts = (uint64_t{1} << width << 1) - count;
    const uint64_t x = reader.ReadBits(width);
    return x < shorts ? x : (x << 1 | reader.ReadBits(1)) - shorts;
  };
  switch (code.kind) {
    case BvCode::Kind::kUnary:
      return reader.ReadUnary();
    case BvCode::Kind::kGamma:
      return below_one(reader.ReadUnary());
    case BvCode::Kind::kDelta:
      return below_one(below_one(reader.ReadUnary()));
    case BvCode::Kind::kZeta: {
      const uint64_t h = reader.ReadUnary();
      if (h > 63 / code.parameter) {
        reader.Fail();
        return 0;
      }
      const auto low = static_cast<unsigned>(h * code.parameter);
      // 2^(h+1)k - 2^hk words; if the first power is 2^64 or more, as many as 64 bits allow.
      const uint64_t left = uint64_t{1} << low;
      const uint64_t right = low + code.parameter > 63 ? 0 : uint64_t{1} << (low + code.parameter);
      const uint64_t x = left + minimal_binary(right - left) - 1;
      return reader.ok() ? x : 0;
    }
    case BvCode::Kind::kGolomb: {
      const uint64_t quotient = reader.ReadUnary();
      const uint64_t rest = minimal_binary(code.parameter);
      return reader.ok() ? quotient * code.parameter + rest : 0;  // both below 2^32 times the number of bits
    }
    case BvCode::Kind::kNibble: {
      uint64_t x = 0;
      for (int nibble = 0; nibble < 22 && reader.ok(); nibble++) {
        const uint64_t last = reader.ReadBits(1);
        x = x << 3 | reader.ReadBits(3);
        if (last != 0) return reader.ok() ? x : 0;
      }
      reader.Fail();
      return 0;
    }
    case BvCode::Kind::kOmega: {
      uint64_t x = 1;
      while (reader.ReadBits(1) != 0) {
        if (x > 63) {
          reader.Fail();
          return 0;
        }
        x = uint64_t{1} << x | reader.ReadBits(static_cast<unsigned>(x));
      }
      return reader.ok() ? x - 1 : 0;
    }
    case BvCode::Kind::kPi: {
      const uint64_t high = reader.ReadUnary();
      if (high > 63u >> code.parameter) {
        reader.Fail();
        return 0;
      }
      return below_one(high << code.parameter | reader.ReadBits(code.parameter));
    }
  }
  reader.Fail();
  return 0;
}

template <typename Reader>
class AnySource {
 public:
  AnySource(Bytes bytes, const BvCodes& codes) : reader_(bytes), codes_(&codes) {}

  uint64_t position() const { return reader_.position(); }
  bool ok() const { return reader_.ok(); }
  void SeekTo(uint64_t bit) { reader_.SeekTo(bit); }

  uint64_t Outdegree() { return ReadBvCode(codes_->outdegrees, reader_); }
  uint64_t Reference() { return ReadBvCode(codes_->references, reader_); }
  uint64_t BlockCount() { return ReadBvCode(codes_->block_counts, reader_); }
  uint64_t Block() { return ReadBvCode(codes_->blocks, reader_); }
  uint64_t Interval() { return ReadBvCode(codes_->intervals, reader_); }
  uint64_t Residual() { return ReadBvCode(codes_->residuals, reader_); }

 private:
  Reader reader_;
  const BvCodes* codes_;
};

}  // namespace crivello::graph
