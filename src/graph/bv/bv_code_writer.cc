// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_code_writer.h"

#include "bits/codes.h"

namespace crivello::graph {
namespace {

using Kind = BvCode::Kind;

// Each nibble has three bits of x, the highest first; the last nibble begins with a one.  (The opposite of
// bits::NibbleCode.)
unsigned NibblesOf(uint64_t x) { return (static_cast<unsigned>(std::bit_width(x | 1)) + 2) / 3; }

void WriteNibbles(uint64_t x, bits::BitWriter& writer) {
  for (unsigned nibble = NibblesOf(x); nibble-- > 0;) {
    writer.WriteBits((nibble == 0 ? 8u : 0u) | (x >> (3 * nibble) & 7), 4);
  }
}

}  // namespace

BvCodeWriter::BvCodeWriter(BvCode code)
    : code_(code),
      by_log_(code.kind == Kind::kGamma || code.kind == Kind::kDelta || code.kind == Kind::kZeta) {
  for (unsigned log = 0; by_log_ && log < lengths_.size(); log++) {
    const uint64_t x = (uint64_t{1} << log) - 1;
    const uint64_t length = code.kind == Kind::kGamma   ? bits::GammaCode::Length(x)
                            : code.kind == Kind::kDelta ? bits::DeltaCode::Length(x)
                                                        : bits::ZetaCode(code.parameter).Length(x);
    lengths_[log] = static_cast<uint8_t>(length);
  }
}

uint64_t BvCodeWriter::OtherLength(uint64_t x) const {
  switch (code_.kind) {
    case Kind::kUnary:
      return x + 1;
    case Kind::kGolomb:
      return bits::GolombCode(code_.parameter).Length(x);
    default:
      return 4 * NibblesOf(x);
  }
}

uint64_t BvCodeWriter::Write(uint64_t x, bits::BitWriter& writer) const {
  switch (code_.kind) {
    case Kind::kGamma:
      bits::GammaCode::Write(writer, x);
      break;
    case Kind::kZeta:
      bits::ZetaCode(code_.parameter).Write(writer, x);
      break;
    case Kind::kUnary:
      bits::UnaryCode::Write(writer, x);
      break;
    case Kind::kDelta:
      bits::DeltaCode::Write(writer, x);
      break;
    case Kind::kGolomb:
      bits::GolombCode(code_.parameter).Write(writer, x);
      break;
    default:
      WriteNibbles(x, writer);
      break;
  }
  return Length(x);
}

}  // namespace crivello::graph
