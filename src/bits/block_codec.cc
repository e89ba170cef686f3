// SPDX-License-Identifier: Apache-2.0
#include "bits/block_codec.h"

#include <array>
#include <string>

#include "bits/pfor.h"
#include "bits/rans.h"
#include "bits/stream_vbyte.h"

namespace crivello::bits {
namespace {

template <PForRule kRule>
void EncodePFor(std::span<const uint32_t> in, std::vector<uint8_t>* out) {
  PForEncode(in, out, kRule);
}

constexpr std::array kCodecs = {
    BlockCodec{"stream-vbyte", "whole bytes, with the lengths stored separately", &StreamVByteEncode,
               &StreamVByteDecode},
    BlockCodec{"pfor", "blocks of 128 at the cheapest width, with exceptions", &EncodePFor<PForRule::kCost>,
               &PForDecode},
    BlockCodec{"pfor-90", "the same at the width of 90% of the block", &EncodePFor<PForRule::kNinetyPercent>,
               &PForDecode},
    BlockCodec{"rans", "asymmetric numeral system with a model of the sequence", &RansEncode, &RansDecode},
};

}  // namespace

std::span<const BlockCodec> AllBlockCodecs() { return kCodecs; }

Result<BlockCodec> FindBlockCodec(std::string_view name) {
  std::string names;
  for (const BlockCodec& codec : kCodecs) {
    if (codec.name == name) return codec;
    names += (names.empty() ? "" : ", ") + std::string(codec.name);
  }
  return Status::NotFound("unknown block codec " + std::string(name) + "; choose one of " + names);
}

}  // namespace crivello::bits
