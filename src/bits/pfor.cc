// SPDX-License-Identifier: Apache-2.0
#include "bits/pfor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "bits/bit_packing.h"
#include "bits/block_codec_bits.h"

namespace crivello::bits {
namespace {

using internal::BytesOf;
using internal::FieldsAt;
using internal::FieldWriter;
using internal::LowBits;

constexpr size_t kPositionBits = 7;
constexpr uint8_t kHasExceptions = 0x80;  // in the first byte of a block, above b
static_assert(kPackedBlock == size_t{1} << kPositionBits);

// The layout parameters of a block.
struct Shape {
  size_t bits = 0;        // b, the width of each integer
  size_t exceptions = 0;  // how many
  size_t high_bits = 0;   // width of each exception; 0 if there are none

  size_t HeaderBytes() const { return exceptions == 0 ? 1 : 3; }
  // A short last block is not laid out in lanes, which would pad it to 128 integers.
  size_t PackedBytesOf(size_t count) const { return BytesOf(count * bits); }
  size_t ExceptionBytes() const { return BytesOf(exceptions * (kPositionBits + high_bits)); }
  size_t Bytes(size_t count) const { return HeaderBytes() + PackedBytesOf(count) + ExceptionBytes(); }
};
static_assert(PackedBytes(1) == kPackedBlock / 8);

Shape ChooseWidth(std::span<const uint32_t> block, PForRule rule) {
  std::array<size_t, 33> with_width{};
  size_t width = 0;
  for (const uint32_t value : block) {
    const auto w = static_cast<size_t>(std::bit_width(value));
    with_width[w]++;
    width = std::max(width, w);
  }
  Shape best = {.bits = width};
  size_t exceptions = 0;
  for (size_t bits = width; bits-- > 0;) {
    exceptions += with_width[bits + 1];
    const Shape shape = {.bits = bits, .exceptions = exceptions, .high_bits = width - bits};
    const bool better = rule == PForRule::kCost ? shape.Bytes(block.size()) < best.Bytes(block.size())
                                                : 10 * exceptions <= block.size();
    if (better) best = shape;
  }
  return best;
}

void EncodeBlock(std::span<const uint32_t> block, const Shape& shape, const BitPackingKernels& kernels,
                 std::vector<uint8_t>* out) {
  const auto first = static_cast<uint8_t>(shape.bits);
  if (shape.exceptions == 0) {
    out->push_back(first);
  } else {
    out->push_back(first | kHasExceptions);
    out->push_back(static_cast<uint8_t>(shape.exceptions));
    out->push_back(static_cast<uint8_t>(shape.high_bits));
  }
  FieldWriter fields(out);
  if (block.size() == kPackedBlock) {
    out->resize(out->size() + PackedBytes(shape.bits));
    kernels.pack[shape.bits](block.data(), out->data() + out->size() - PackedBytes(shape.bits));
  } else {
    for (const uint32_t value : block) fields.Append(LowBits(value, shape.bits), shape.bits);
    fields.Finish();
  }
  if (shape.exceptions == 0) return;
  for (size_t i = 0; i < block.size(); i++) {
    const uint64_t high = uint64_t{block[i]} >> shape.bits;
    if (high != 0) fields.Append(high << kPositionBits | i, kPositionBits + shape.high_bits);
  }
  fields.Finish();
}

// Reads the shape of the block of `count` integers at the start of `in`. Returns the reason why it is
// invalid, or nullptr: then all its bytes are present.
const char* ReadShape(std::span<const uint8_t> in, size_t count, Shape* shape) {
  if (in.empty()) return "truncated before the block";
  *shape = {.bits = in[0] & ~size_t{kHasExceptions}};
  if (in[0] & kHasExceptions) {
    if (in.size() < 3) return "truncated in its header";
    shape->exceptions = in[1];
    shape->high_bits = in[2];
    if (shape->exceptions == 0 || shape->exceptions > count)
      return "corrupt: impossible number of exceptions";
    if (shape->high_bits == 0) return "corrupt: exceptions of zero bits";
  }
  if (shape->bits + shape->high_bits > kMaxPackedBits) return "corrupt: integers of more than 32 bits";
  if (in.size() < shape->Bytes(count)) return "truncated in the block";
  return nullptr;
}

// Adds the high bits of the exceptions, at the start of `in`, to a full block. Their number changes from
// block to block, and a mispredicted branch costs more than a dozen of them. So they are processed in groups
// of eight; missing ones in the last group add zeros at arbitrary positions.
void Patch(std::span<const uint8_t> in, const Shape& shape, uint32_t* block) {
  const size_t entry_bits = kPositionBits + shape.high_bits;
  size_t bit = 0;
  for (size_t i = 0; i < shape.exceptions; i += 8) {
    for (size_t j = i; j < i + 8; j++, bit += entry_bits) {
      const uint64_t fields = FieldsAt(in, bit);
      const uint64_t entry = j < shape.exceptions ? LowBits(fields, entry_bits) : 0;
      block[LowBits(entry, kPositionBits)] |= static_cast<uint32_t>(entry >> kPositionBits << shape.bits);
    }
  }
}

// Decodes a block of fewer than 128 integers. False if an exception is outside the block.
bool DecodeShort(std::span<const uint8_t> packed, const Shape& shape, std::span<uint32_t> block) {
  for (size_t i = 0; i < block.size(); i++) {
    block[i] = static_cast<uint32_t>(LowBits(FieldsAt(packed, i * shape.bits), shape.bits));
  }
  const std::span exceptions = packed.subspan(shape.PackedBytesOf(block.size()));
  const size_t entry_bits = kPositionBits + shape.high_bits;
  for (size_t i = 0; i < shape.exceptions; i++) {
    const uint64_t entry = LowBits(FieldsAt(exceptions, i * entry_bits), entry_bits);
    const size_t position = LowBits(entry, kPositionBits);
    if (position >= block.size()) return false;
    block[position] |= static_cast<uint32_t>(entry >> kPositionBits << shape.bits);
  }
  return true;
}

Status Damaged(size_t at, const char* why) {
  return Status::Corruption("pfor: block at byte " + std::to_string(at) + ": " + why);
}

template <bool kDeltas>
Result<size_t> Decode(Bytes bytes, uint32_t base, std::span<uint32_t> out) {
  const BitPackingKernels& kernels = VectorBitPacking();
  const std::span in(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  size_t at = 0;
  for (; out.size() >= kPackedBlock; out = out.subspan(kPackedBlock)) {
    Shape shape;
    if (const char* why = ReadShape(in.subspan(at), kPackedBlock, &shape)) return Damaged(at, why);
    const std::span packed = in.subspan(at + shape.HeaderBytes());
    if (kDeltas && shape.exceptions == 0) {
      kernels.unpack_deltas[shape.bits](packed.data(), base, out.data());
    } else {
      kernels.unpack[shape.bits](packed.data(), out.data());
      Patch(packed.subspan(PackedBytes(shape.bits)), shape, out.data());
      if (kDeltas) kernels.prefix_sum(base, out.data());
    }
    if (kDeltas) base = out[kPackedBlock - 1];
    at += shape.Bytes(kPackedBlock);
  }
  if (!out.empty()) {
    Shape shape;
    if (const char* why = ReadShape(in.subspan(at), out.size(), &shape)) return Damaged(at, why);
    if (!DecodeShort(in.subspan(at + shape.HeaderBytes()), shape, out)) {
      return Damaged(at, "corrupt: an exception outside of the block");
    }
    if (kDeltas) {
      for (uint32_t& value : out) value = base += value;
    }
    at += shape.Bytes(out.size());
  }
  return at;
}

}  // namespace

void PForEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out, PForRule rule) {
  const BitPackingKernels& kernels = VectorBitPacking();
  for (; !in.empty(); in = in.subspan(std::min(kPackedBlock, in.size()))) {
    const std::span block = in.first(std::min(kPackedBlock, in.size()));
    EncodeBlock(block, ChooseWidth(block, rule), kernels, out);
  }
}

Result<size_t> PForDecode(Bytes in, std::span<uint32_t> out) { return Decode<false>(in, 0, out); }
Result<size_t> PForDecodeDeltas(Bytes in, uint32_t base, std::span<uint32_t> out) {
  return Decode<true>(in, base, out);
}

size_t PForMaxBits(Bytes in) {
  if (in.size() < 3) return kMaxPackedBits;
  const auto first = static_cast<uint8_t>(in[0]);
  const size_t high_bits = first & kHasExceptions ? static_cast<size_t>(in[2]) : 0;
  return std::min(kMaxPackedBits, (first & ~size_t{kHasExceptions}) + high_bits);
}

}  // namespace crivello::bits
