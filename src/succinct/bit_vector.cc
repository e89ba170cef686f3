// SPDX-License-Identifier: Apache-2.0
#include "succinct/bit_vector.h"

namespace crivello::succinct {

Result<BitVector> BitVector::ReadFrom(ImageReader& reader) {
  BitVector bits;
  CRV_ASSIGN(bits.size_, reader.Word());
  CRV_ASSIGN(const auto words, reader.Words(WordsFor(bits.size_)));
  bits.words_ = words.data();
  return bits;
}

Result<BitVector> BitVector::FromImage(Bytes image) {
  ImageReader reader(image, "bit vector");
  CRV_ASSIGN(const BitVector bits, ReadFrom(reader));
  CRV_TRY(reader.Finish());
  return bits;
}

Description BitVector::Describe() const { return {{"bits", size_}}; }

void BitVectorBuilder::AppendBits(ImageWriter& image) const {
  image.Word(size_);
  image.Words(words_);
}

}  // namespace crivello::succinct
