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

// How a block is written.
struct Shape {
  size_t bits = 0;        // b, of each integer
  size_t exceptions = 0;  // how many
  size_t high_bits = 0;   // of each exception; 0 if there are none

  size_t HeaderBytes() const { return exceptions == 0 ? 1 : 3; }
  // The last block, if it is short, is not laid out in lanes, which would fill it up to 128 integers.
  size_t PackedBytesOf(size_t count) const { return BytesOf(count * bits); }
  size_t ExceptionBytes() const { return BytesOf(exceptions * (kPositionBits + high_bits)); }
  size_t Bytes(size_t count) const { return HeaderBytes() + PackedBytesOf(count) + ExceptionBytes(); }
};
static_assert(PackedBytes(1) == kPackedBlock / 8);

Shape Choose(std::span<const uint32_t> block, PForRule rule) {
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

Status Damaged(size_t at, const std::string& why) {
  return Status::Corruption("pfor: block at byte " + std::to_string(at) + ": " + why);
}

// The shape of the block of `count` integers that begins `in`, all of whose bytes are then there.
Result<Shape> ReadShape(std::span<const uint8_t> in, size_t count, size_t at) {
  if (in.empty()) return Damaged(at, "the data ends before it");
  Shape shape = {.bits = in[0] & ~size_t{kHasExceptions}};
  if (in[0] & kHasExceptions) {
    if (in.size() < 3) return Damaged(at, "the data ends in its header");
    shape.exceptions = in[1];
    shape.high_bits = in[2];
    if (shape.exceptions == 0 || shape.exceptions > count || shape.high_bits == 0) {
      return Damaged(at, std::to_string(shape.exceptions) + " exceptions of " +
                             std::to_string(shape.high_bits) + " bits among " + std::to_string(count));
    }
  }
  if (shape.bits + shape.high_bits > kMaxPackedBits) {
    return Damaged(at, std::to_string(shape.bits + shape.high_bits) + " bits, more than 32");
  }
  if (in.size() < shape.Bytes(count)) {
    return Damaged(at, std::to_string(shape.Bytes(count)) + " bytes, of which " + std::to_string(in.size()) +
                           " are there");
  }
  return shape;
}

// Adds the high bits of the exceptions, which are at the start of `in`.  False if one is outside the block.
bool Patch(std::span<const uint8_t> in, const Shape& shape, std::span<uint32_t> block) {
  const size_t entry_bits = kPositionBits + shape.high_bits;
  size_t bit = 0;
  for (size_t i = 0; i < shape.exceptions; i++, bit += entry_bits) {
    const uint64_t entry = LowBits(FieldsAt(in, bit), entry_bits);
    const size_t position = LowBits(entry, kPositionBits);
    if (position >= block.size()) return false;
    block[position] |= static_cast<uint32_t>(entry >> kPositionBits << shape.bits);
  }
  return true;
}

template <bool kDeltas>
Result<size_t> Decode(Bytes bytes, uint32_t base, std::span<uint32_t> out) {
  const BitPackingKernels& kernels = VectorBitPacking();
  const std::span in(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  size_t at = 0;
  for (size_t done = 0; done < out.size(); done += kPackedBlock) {
    const std::span block = out.subspan(done, std::min(kPackedBlock, out.size() - done));
    const std::span rest = in.subspan(at);
    CRV_ASSIGN(const Shape shape, ReadShape(rest, block.size(), at));
    const std::span packed = rest.subspan(shape.HeaderBytes());
    const std::span exceptions = packed.subspan(shape.PackedBytesOf(block.size()));

    bool summed = false;
    if (block.size() < kPackedBlock) {
      for (size_t i = 0; i < block.size(); i++) {
        block[i] = static_cast<uint32_t>(LowBits(FieldsAt(packed, i * shape.bits), shape.bits));
      }
    } else if (kDeltas && shape.exceptions == 0) {
      kernels.unpack_deltas[shape.bits](packed.data(), base, block.data());
      summed = true;
    } else {
      kernels.unpack[shape.bits](packed.data(), block.data());
    }
    if (!Patch(exceptions, shape, block)) return Damaged(at, "an exception outside of it");
    if (kDeltas && !summed) {
      if (block.size() == kPackedBlock) {
        kernels.prefix_sum(base, block.data());
      } else {
        uint32_t sum = base;
        for (uint32_t& value : block) value = sum += value;
      }
    }
    if (kDeltas) base = block.back();
    at += shape.Bytes(block.size());
  }
  return at;
}

}  // namespace

void PForEncode(std::span<const uint32_t> in, std::vector<uint8_t>* out, PForRule rule) {
  const BitPackingKernels& kernels = VectorBitPacking();
  for (; !in.empty(); in = in.subspan(std::min(kPackedBlock, in.size()))) {
    const std::span block = in.first(std::min(kPackedBlock, in.size()));
    EncodeBlock(block, Choose(block, rule), kernels, out);
  }
}

Result<size_t> PForDecode(Bytes in, std::span<uint32_t> out) { return Decode<false>(in, 0, out); }
Result<size_t> PForDecodeDeltas(Bytes in, uint32_t base, std::span<uint32_t> out) {
  return Decode<true>(in, base, out);
}

}  // namespace crivello::bits
