// SPDX-License-Identifier: Apache-2.0
#include "bits/stream_vbyte.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bits/stream_vbyte.cc"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which includes this file again for each instruction set.
#include <hwy/highway.h>

#ifndef CRIVELLO_BITS_STREAM_VBYTE_TABLES
#define CRIVELLO_BITS_STREAM_VBYTE_TABLES

#include <array>
#include <cstring>
#include <string>

namespace crivello::bits {
namespace {

// The meaning of a control byte: the lengths of four integers, minus one, in pairs of bits from the lowest.
constexpr size_t LengthOf(size_t control, size_t i) { return (control >> 2 * i & 3) + 1; }

struct Tables {
  std::array<uint8_t, 256> bytes{};                               // total length of the four integers
  alignas(64) std::array<std::array<uint8_t, 16>, 256> spread{};  // where byte j of the result comes from
  alignas(64) std::array<std::array<uint8_t, 16>, 256> gather{};  // the inverse, for the encoder
  std::array<uint8_t, 16> pairs{};                                // bit i of the index as bit 2i
};

constexpr Tables MakeTables() {
  Tables tables;
  for (size_t control = 0; control < 256; control++) {
    size_t from = 0;
    for (size_t i = 0; i < 4; i++) {
      for (size_t j = 0; j < 4; j++) {
        const bool there = j < LengthOf(control, i);
        // An index with its high bit set produces a zero.
        tables.spread[control][4 * i + j] = there ? static_cast<uint8_t>(from) : uint8_t{0x80};
        if (there) tables.gather[control][from++] = static_cast<uint8_t>(4 * i + j);
      }
    }
    tables.bytes[control] = static_cast<uint8_t>(from);
  }
  for (size_t bits = 0; bits < 16; bits++) {
    tables.pairs[bits] =
        static_cast<uint8_t>((bits & 1) | (bits & 2) << 1 | (bits & 4) << 2 | (bits & 8) << 3);
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

// How far a kernel has got.
struct EncodePosition {
  const uint32_t* in;
  uint8_t* control;
  uint8_t* data;
};
struct DecodePosition {
  const uint8_t* control;
  const uint8_t* data;
  uint32_t* out;
};

}  // namespace
}  // namespace crivello::bits
#endif  // CRIVELLO_BITS_STREAM_VBYTE_TABLES

HWY_BEFORE_NAMESPACE();
namespace crivello::bits::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Four integers of at most 16 bytes take one 128-bit shuffle. Wider vectors would have to be assembled from
// these, with more instructions than they save.
using Words = hn::FixedTag<uint32_t, 4>;
using Octets = hn::Repartition<uint8_t, Words>;

// A bit for each lane that is at least 2^kBits.
template <int kBits>
HWY_INLINE uint8_t Above(hn::Vec<Words> values) {
  uint8_t bits[8] = {};
  hn::StoreMaskBits(Words(), hn::Ne(hn::ShiftRight<kBits>(values), hn::Zero(Words())), bits);
  return bits[0];
}

// Encodes `quads` groups of four. Writes 16 bytes for each; the next group overwrites the
// excess.
EncodePosition EncodeQuads(EncodePosition at, size_t quads) {
  for (; quads > 0; quads--) {
    const auto values = hn::LoadU(Words(), at.in);
    const auto control =
        static_cast<uint8_t>(kTables.pairs[Above<8>(values)] + kTables.pairs[Above<16>(values)] +
                             kTables.pairs[Above<24>(values)]);
    *at.control++ = control;
    const auto gather = hn::LoadU(Octets(), kTables.gather[control].data());
    hn::StoreU(hn::TableLookupBytes(hn::BitCast(Octets(), values), gather), Octets(), at.data);
    at.data += kTables.bytes[control];
    at.in += 4;
  }
  return at;
}

HWY_INLINE void DecodeQuad(DecodePosition& at) {
  const uint8_t control = *at.control++;
  const auto spread = hn::LoadU(Octets(), kTables.spread[control].data());
  const auto data = hn::LoadU(Octets(), at.data);
  hn::StoreU(hn::BitCast(Words(), hn::TableLookupBytesOr0(data, spread)), Words(), at.out);
  at.data += kTables.bytes[control];
  at.out += 4;
}

// Decodes groups of four while they are certainly before `end`, at most `quads`. A group reads 16 bytes
// regardless of its length; four groups share one check.
DecodePosition DecodeQuads(DecodePosition at, size_t quads, const uint8_t* end) {
  for (; quads >= 4 && end - at.data >= 64; quads -= 4) {
    DecodeQuad(at);
    DecodeQuad(at);
    DecodeQuad(at);
    DecodeQuad(at);
  }
  for (; quads > 0 && end - at.data >= 16; quads--) DecodeQuad(at);
  return at;
}

}  // namespace
}  // namespace crivello::bits::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crivello::bits {
namespace {

HWY_EXPORT(EncodeQuads);
HWY_EXPORT(DecodeQuads);

// Encodes the last `count` integers, which start a new control byte.
uint8_t* EncodeRest(EncodePosition at, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i % 4 == 0) at.control[i / 4] = 0;
    const uint32_t value = at.in[i];
    const size_t length = value < 1u << 8 ? 1 : value < 1u << 16 ? 2 : value < 1u << 24 ? 3 : 4;
    at.control[i / 4] = static_cast<uint8_t>(at.control[i / 4] | (length - 1) << i % 4 * 2);
    std::memcpy(at.data, &value, length);
    at.data += length;
  }
  return at.data;
}

// Decodes the last `count` integers, which start a new control byte.
Result<const uint8_t*> DecodeRest(DecodePosition at, size_t count, const uint8_t* end) {
  for (size_t i = 0; i < count; i++) {
    const size_t length = LengthOf(at.control[i / 4], i % 4);
    if (static_cast<size_t>(end - at.data) < length) {
      return Status::Corruption("stream-vbyte: truncated: the data ends " + std::to_string(count - i) +
                                " integers early");
    }
    uint32_t value = 0;
    std::memcpy(&value, at.data, length);
    at.out[i] = value;
    at.data += length;
  }
  return at.data;
}

size_t ControlBytes(size_t count) { return count / 4 + (count % 4 != 0); }

template <bool kVectors>
void Encode(std::span<const uint32_t> in, std::vector<uint8_t>* out) {
  const size_t start = out->size();
  out->resize(start + StreamVByteMaxBytes(in.size()));
  uint8_t* const control = out->data() + start;
  EncodePosition at = {in.data(), control, control + ControlBytes(in.size())};
  size_t rest = in.size();
  if constexpr (kVectors) {
    at = HWY_DYNAMIC_DISPATCH(EncodeQuads)(at, rest / 4);
    rest %= 4;
  }
  out->resize(static_cast<size_t>(EncodeRest(at, rest) - out->data()));
}

template <bool kVectors>
Result<size_t> Decode(Bytes in, std::span<uint32_t> out) {
  const size_t controls = ControlBytes(out.size());
  if (in.size() < controls) {
    return Status::Corruption("stream-vbyte: " + std::to_string(in.size()) + " bytes, of " +
                              std::to_string(controls) + " of lengths alone");
  }
  const auto* const start = reinterpret_cast<const uint8_t*>(in.data());
  const uint8_t* const end = start + in.size();
  DecodePosition at = {start, start + controls, out.data()};
  size_t rest = out.size();
  if constexpr (kVectors) {
    at = HWY_DYNAMIC_DISPATCH(DecodeQuads)(at, rest / 4, end);
    rest -= static_cast<size_t>(at.out - out.data());
  }
  CRV_ASSIGN(const uint8_t* const last, DecodeRest(at, rest, end));
  return static_cast<size_t>(last - start);
}

}  // namespace

void StreamVByteEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out) { Encode<true>(in, out); }
void StreamVByteEncodeScalar(std::span<const uint32_t> in, std::vector<uint8_t>* out) {
  Encode<false>(in, out);
}
Result<size_t> StreamVByteDecode(Bytes in, std::span<uint32_t> out) { return Decode<true>(in, out); }
Result<size_t> StreamVByteDecodeScalar(Bytes in, std::span<uint32_t> out) { return Decode<false>(in, out); }

}  // namespace crivello::bits
#endif  // HWY_ONCE
