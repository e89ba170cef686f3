// SPDX-License-Identifier: Apache-2.0
#include "succinct/compact_array.h"

namespace crivello::succinct {

void CompactArrayBuilder::Add(uint64_t value) {
  value &= PackedMask(width_);
  const uint64_t bit = size_++ * width_;
  const unsigned shift = bit & 63;
  if (shift == 0) {
    words_.push_back(value);
    return;
  }
  words_.back() |= value << shift;
  if (shift + width_ > 64) words_.push_back(value >> (64 - shift));
}

void CompactArrayBuilder::AppendTo(ImageWriter& image) const {
  image.Word(width_);
  image.Word(size_);
  image.Words(words_);
  image.Word(0);
}

Result<CompactArray> CompactArray::ReadFrom(ImageReader& reader) {
  CRV_ASSIGN(const uint64_t width, reader.WordAtMost(64, "width of packed values"));
  if (width == 0) return reader.Damaged("packed values of zero bits");
  // The limit makes bit positions fit into a word.
  CRV_ASSIGN(const uint64_t size, reader.WordAtMost((uint64_t{1} << 63) / width, "number of packed values"));
  CRV_ASSIGN(const auto words, reader.Words(PackedWords(size, static_cast<unsigned>(width)) + 1));
  return CompactArray(words, size, static_cast<unsigned>(width));
}

}  // namespace crivello::succinct
