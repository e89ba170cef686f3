// SPDX-License-Identifier: Apache-2.0
#include "index/postings/positions_code.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "bits/codes.h"
#include "bits/interpolative.h"
#include "bits/strict_elias_fano.h"
#include "index/postings/classic_format.h"

namespace crivello::index {

using bits::BitReader;
using bits::BitWriter;
using bits::StrictEliasFano;

namespace {

BitReader ReaderAt(Bytes bytes, uint64_t bit) {
  BitReader reader(bytes);
  reader.SeekTo(bit);
  return reader;
}
uint64_t PositionOf(const BitReader& reader) { return reader.ok() ? reader.position() : kDamaged; }

void WriteEliasFano(BitWriter& writer, std::span<const uint32_t> positions, uint32_t length) {
  // A special case of the code for a single number, because half of the lists are such.
  if (positions.size() == 1) {
    return writer.WriteBits(positions[0], static_cast<unsigned>(std::bit_width(length - 1)));
  }
  StrictEliasFano(positions.size(), length).Write(writer, positions);
}

uint64_t ReadEliasFano(Bytes bytes, uint64_t bit, uint32_t length, std::span<uint32_t> out) {
  if (out.size() == 1 && bit / 8 + 8 <= bytes.size()) {
    const auto width = static_cast<unsigned>(std::bit_width(length - 1));
    out[0] = static_cast<uint32_t>(bits::internal::LoadBigEndian(bytes.data() + bit / 8) << bit % 8 >> 1 >>
                                   (63 - width));
    return out[0] < length ? bit + width : kDamaged;
  }
  const StrictEliasFano code(out.size(), length);
  const bool good = code.Read(bytes, bit, {.count = out.size()}, out.data());
  return good ? bit + code.bits() : kDamaged;
}

uint64_t SkipEliasFano(Bytes, uint64_t bit, std::span<const uint32_t> counts, const uint32_t* lengths) {
  for (size_t i = 0; i < counts.size(); i++) {
    if (counts[i] > lengths[i]) return kDamaged;
    bit += StrictEliasFano(counts[i], lengths[i]).bits();
  }
  return bit;
}

void WriteGolomb(BitWriter& writer, std::span<const uint32_t> positions, uint32_t length) {
  const auto count = static_cast<uint32_t>(positions.size());
  if (count == length) return;
  const bits::GolombCode code(BernoulliModulus(count, length));
  uint32_t next = 0;
  for (const uint32_t position : positions) {
    code.Write(writer, position - next);
    next = position + 1;
  }
}

uint64_t ReadGolomb(Bytes bytes, uint64_t bit, uint32_t length, std::span<uint32_t> out) {
  const auto count = static_cast<uint32_t>(out.size());
  if (count == length) {
    for (uint32_t i = 0; i < count; i++) out[i] = i;
    return bit;
  }
  BitReader reader = ReaderAt(bytes, bit);
  const bits::GolombCode code(BernoulliModulus(count, length));
  uint64_t next = 0;
  for (uint32_t& position : out) {
    next += code.Read(reader);
    if (next >= length) return kDamaged;
    position = static_cast<uint32_t>(next++);
  }
  return PositionOf(reader);
}

uint64_t SkipGolomb(Bytes bytes, uint64_t bit, std::span<const uint32_t> counts, const uint32_t* lengths) {
  BitReader reader = ReaderAt(bytes, bit);
  for (size_t i = 0; i < counts.size(); i++) {
    if (counts[i] > lengths[i]) return kDamaged;
    if (counts[i] == lengths[i]) continue;
    const bits::GolombCode code(BernoulliModulus(counts[i], lengths[i]));
    for (uint32_t j = 0; j < counts[i] && reader.ok(); j++) code.Skip(reader);
  }
  return PositionOf(reader);
}

void WriteDelta(BitWriter& writer, std::span<const uint32_t> positions, uint32_t /*length*/) {
  uint32_t next = 0;
  for (const uint32_t position : positions) {
    bits::DeltaCode::Write(writer, position - next);
    next = position + 1;
  }
}

uint64_t ReadDelta(Bytes bytes, uint64_t bit, uint32_t length, std::span<uint32_t> out) {
  BitReader reader = ReaderAt(bytes, bit);
  uint64_t next = 0;
  for (uint32_t& position : out) {
    const uint64_t gap = bits::DeltaCode::Read(reader);
    if (next + std::min<uint64_t>(gap, length) >= length) return kDamaged;
    position = static_cast<uint32_t>(next + gap);
    next = uint64_t{position} + 1;
  }
  return PositionOf(reader);
}

uint64_t SkipDelta(Bytes bytes, uint64_t bit, std::span<const uint32_t> counts, const uint32_t* lengths) {
  BitReader reader = ReaderAt(bytes, bit);
  for (size_t i = 0; i < counts.size(); i++) {
    if (counts[i] > lengths[i]) return kDamaged;
    for (uint32_t j = 0; j < counts[i] && reader.ok(); j++) bits::DeltaCode::Skip(reader);
  }
  return PositionOf(reader);
}

void WriteInterpolative(BitWriter& writer, std::span<const uint32_t> positions, uint32_t length) {
  bits::WriteInterpolative(writer, positions, 0, uint64_t{length} - 1).IgnoreError();
}

uint64_t ReadInterpolative(Bytes bytes, uint64_t bit, uint32_t length, std::span<uint32_t> out) {
  BitReader reader = ReaderAt(bytes, bit);
  if (!bits::ReadInterpolative(reader, 0, uint64_t{length} - 1, out).ok()) return kDamaged;
  return PositionOf(reader);
}

// The start of a part depends on the numbers before it, so they must be read.
uint64_t SkipInterpolative(Bytes bytes, uint64_t bit, std::span<const uint32_t> counts,
                           const uint32_t* lengths) {
  std::array<uint32_t, 64> few;
  std::vector<uint32_t> many;
  for (size_t i = 0; i < counts.size() && bit != kDamaged; i++) {
    if (counts[i] > lengths[i]) return kDamaged;
    if (counts[i] > few.size()) many.resize(std::max<size_t>(many.size(), counts[i]));
    const std::span<uint32_t> out(counts[i] > few.size() ? many.data() : few.data(), counts[i]);
    bit = ReadInterpolative(bytes, bit, lengths[i], out);
  }
  return bit;
}

}  // namespace

uint64_t BernoulliModulus(uint64_t f, uint64_t n) {
  constexpr uint64_t kLn2 = 1488522236;  // in units of 2^-31
  return (n * kLn2 >> 31) / f + 1;
}

const PositionsCode kEliasFanoPositions = {"elias-fano", &WriteEliasFano, &ReadEliasFano, &SkipEliasFano};
const PositionsCode kGolombPositions = {"golomb", &WriteGolomb, &ReadGolomb, &SkipGolomb};
const PositionsCode kDeltaPositions = {"delta", &WriteDelta, &ReadDelta, &SkipDelta};
const PositionsCode kInterpolativePositions = {"interpolative", &WriteInterpolative, &ReadInterpolative,
                                               &SkipInterpolative};

}  // namespace crivello::index
