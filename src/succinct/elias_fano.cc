// SPDX-License-Identifier: Apache-2.0
#include "succinct/elias_fano.h"

#include <fmt/format.h>

#include <algorithm>

namespace crivello::succinct {

EliasFano::Shape::Shape(uint64_t n, uint64_t u) : size(n), universe(u) {
  const uint64_t mean = u / std::max<uint64_t>(n, 1);
  lower_width = mean > 0 ? static_cast<unsigned>(std::bit_width(mean)) - 1 : 0;
  upper_bits = n + (u >> lower_width) + 1;
  wide = upper_bits > LowBits(32);
  // There are at most n / q + 2 n / q quanta, and l + 3 bits for each number where there are that many: as
  // dense as 5% of that allows, up to one in 256, beyond which nothing is gained.
  const unsigned least = 60 * (wide ? 64 : 32) / (lower_width + 3);
  log_quantum = static_cast<unsigned>(std::bit_width(std::max(least, 256u) - 1));
}

Result<EliasFano> EliasFano::ReadFrom(ImageReader& reader) {
  CRV_ASSIGN(const uint64_t n, reader.WordAtMost(Shape::kMaxSize, "number of elements"));
  CRV_ASSIGN(const uint64_t u, reader.Word());
  EliasFano sequence;
  sequence.shape_ = Shape(n, u);
  const Shape& shape = sequence.shape_;
  CRV_ASSIGN(const auto lower, reader.Words(shape.lower_words()));
  CRV_ASSIGN(const auto upper, reader.Words(shape.upper_words()));
  CRV_ASSIGN(const auto ones, reader.Words(shape.quanta_words(shape.one_quanta())));
  CRV_ASSIGN(const auto zeros, reader.Words(shape.quanta_words(shape.zero_quanta())));
  if (!lower.empty()) sequence.lower_ = lower.data();
  sequence.upper_ = upper.data();
  sequence.one_quanta_ = {ones.data(), shape.one_quanta(), shape.wide};
  sequence.zero_quanta_ = {zeros.data(), shape.zero_quanta(), shape.wide};
  return sequence;
}

Result<EliasFano> EliasFano::FromImage(Bytes image) {
  ImageReader reader(image, "Elias-Fano sequence");
  CRV_ASSIGN(const EliasFano sequence, ReadFrom(reader));
  CRV_TRY(reader.Finish());
  return sequence;
}

Description EliasFano::Describe() const {
  return {{"elements", size()},
          {"upper-bound", universe()},
          {"lower-bits", uint64_t{shape_.lower_width}},
          {"quantum", uint64_t{1} << shape_.log_quantum}};
}

// At a quantum of the other kind, its number and its position tell how many of ours precede it.
template <bool kBit>
uint64_t EliasFano::SelectAmongSparse(uint64_t r, uint64_t from) const {
  const Quanta& others = kBit ? zero_quanta_ : one_quanta_;
  const auto before = [&](uint64_t k) { return others[k] - ((k + 1) << shape_.log_quantum); };
  uint64_t low = 0, high = others.count;  // the quanta before `low` have at most r of ours before them
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (before(middle) <= r) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low > 0 && others[low - 1] > from) return SelectFrom<kBit>(r - before(low - 1), others[low - 1]);
  return SelectFrom<kBit>(r & LowBits(shape_.log_quantum), from);
}

template uint64_t EliasFano::SelectAmongSparse<true>(uint64_t, uint64_t) const;
template uint64_t EliasFano::SelectAmongSparse<false>(uint64_t, uint64_t) const;

EliasFano::Place EliasFano::Find(uint64_t x, uint64_t start) const {
  const uint64_t upper = x >> shape_.lower_width;
  if (start >= shape_.upper_bits || start < upper) return NoPlace();
  const uint64_t* const end = upper_ + shape_.upper_words();
  const uint64_t* at = upper_ + start / 64;
  uint64_t word = *at & ~LowBits(start % 64);
  constexpr uint64_t kScanned = 8;
  const uint64_t first = start - upper;
  for (uint64_t index = first; index < first + kScanned; index++) {
    if (index >= size()) return NoPlace();
    while (word == 0) {
      if (++at == end) return NoPlace();
      word = *at;
    }
    const uint64_t position =
        static_cast<uint64_t>(at - upper_) * 64 + static_cast<unsigned>(std::countr_zero(word));
    const uint64_t value = ValueAt(index, position);
    if (value >= x) return {index, position, value};
    word &= word - 1;
  }
  return FindInRun(x, first + kScanned);
}

// The elements from `index` up to the zero that ends this upper value have the upper bits of x, so their
// lower bits are in order, and their ones adjacent.
EliasFano::Place EliasFano::FindInRun(uint64_t x, uint64_t index) const {
  const uint64_t upper = x >> shape_.lower_width;
  const uint64_t run_end = Select<false>(upper);
  if (run_end < upper) return NoPlace();
  uint64_t high = std::min(run_end - upper, size());
  while (index < high) {
    const uint64_t middle = index + (high - index) / 2;
    if (Lower(middle) < (x & LowBits(shape_.lower_width))) {
      index = middle + 1;
    } else {
      high = middle;
    }
  }
  if (index >= size()) return NoPlace();
  const uint64_t position = SelectFrom<true>(0, index + upper);
  const uint64_t value = ValueAt(index, position);
  if (value < x) return NoPlace();  // damaged
  return {index, position, value};
}

void EliasFano::Cursor::SeekTo(uint64_t x) {
  if (value_ >= x || AtEnd()) return;
  const Shape& shape = sequence_.shape_;
  if (x > shape.universe) return End();
  // A near target is sought from the current element, which has as many zeros before it as its upper bits
  // say.
  const uint64_t upper = x >> shape.lower_width;
  const uint64_t zeros = upper - (position_ - index_);
  const uint64_t start = zeros == 0 ? position_ + 1
                         : zeros <= uint64_t{1} << shape.log_quantum
                             ? sequence_.SelectFrom<false>(zeros - 1, position_) + 1
                             : sequence_.StartOf(upper);
  const Place place = sequence_.Find(x, start);
  // A damaged sequence may lead back; a cursor never goes back, so that no merge of cursors goes on for ever.
  if (place.index <= index_ || place.index == sequence_.size()) return End();
  index_ = place.index;
  position_ = place.position;
  value_ = place.value;
  word_ = sequence_.upper_ + position_ / 64;
  window_ = *word_ & ~LowBits(position_ % 64 + 1);
}

EliasFano::Element EliasFano::Predecessor(uint64_t x) const {
  const uint64_t after = x < universe() ? SeekTo(x + 1).index : size();
  if (after == 0) return {size(), kEnd};
  return {after - 1, Access(after - 1)};
}

EliasFanoBuilder::EliasFanoBuilder(uint64_t n, uint64_t u)
    : shape_(n, u), lower_(shape_.lower_words() + 2), upper_(shape_.upper_words()) {}

void EliasFanoBuilder::Add(uint64_t x) {
  if (added_ == shape_.size || x > shape_.universe || x < last_) {
    valid_ = false;
    return;
  }
  const unsigned width = shape_.lower_width;
  const uint64_t lower = x & LowBits(width);
  const uint64_t bit = added_ * width;
  lower_[bit / 64] |= lower << (bit % 64);
  lower_[bit / 64 + 1] |= (lower >> 1) >> (63 - bit % 64);
  const uint64_t upper = x >> width;
  AddZeroQuanta(upper);
  const uint64_t position = added_ + upper;
  upper_[position / 64] |= uint64_t{1} << (position % 64);
  if (added_ > 0 && (added_ & LowBits(shape_.log_quantum)) == 0) one_quanta_.push_back(position);
  added_++;
  last_ = x;
}

// The zeros of smaller upper values are all there when the first element of `upper` comes.
void EliasFanoBuilder::AddZeroQuanta(uint64_t upper) {
  for (;;) {
    const uint64_t zero = (zero_quanta_.size() + 1) << shape_.log_quantum;
    if (zero >= upper) return;
    zero_quanta_.push_back(zero + added_);
  }
}

Status EliasFanoBuilder::AppendTo(ImageWriter& image) {
  if (!valid_)
    return Status::InvalidArgument(fmt::format(
        "Elias-Fano: numbers must not decrease, exceed {} or be more than {}", shape_.universe, shape_.size));
  if (added_ != shape_.size)
    return Status::InvalidArgument(
        fmt::format("Elias-Fano: {} numbers were added, {} were announced", added_, shape_.size));
  AddZeroQuanta((shape_.universe >> shape_.lower_width) + 1);
  image.Word(shape_.size);
  image.Word(shape_.universe);
  image.Words(std::span(lower_).first(shape_.lower_words()));
  image.Words(upper_);
  for (const auto* quanta : {&one_quanta_, &zero_quanta_}) {
    if (shape_.wide) {
      image.Words(*quanta);
      continue;
    }
    for (size_t k = 0; k < quanta->size(); k += 2)
      image.Word((*quanta)[k] | (k + 1 < quanta->size() ? (*quanta)[k + 1] << 32 : 0));
  }
  return Status::Ok();
}

}  // namespace crivello::succinct
