// SPDX-License-Identifier: Apache-2.0
#include "succinct/elias_fano.h"

#include <fmt/format.h>

#include <algorithm>

namespace crivello::succinct {

EliasFano::Shape::Shape(uint64_t n, uint64_t u) : size(n), universe(u) {
  const uint64_t mean = u / std::max<uint64_t>(n, 1);
  lower_width = mean > 0 ? static_cast<unsigned>(std::bit_width(mean)) - 1 : 0;
  upper_bits = n + (u >> lower_width) + 1;
  // A quantum takes 16 bits, and 64 bits more every 2^kLogStart ones or zeros.  There are n ones and at most
  // 2 n zeros, and where there are so many l + 3 bits for each number: 5% of them allow
  //   3 (16 / q + 64 / 2^kLogStart) <= (l + 3) / 20.
  // Quanta closer than 64 would gain nothing: counting a word or two is not the bottleneck then.
  const unsigned least = 15360 / (16 * lower_width + 33);
  log_quantum = static_cast<unsigned>(std::bit_width(std::max(least, 128u) - 1));
}

Result<EliasFano::Quanta> EliasFano::Quanta::ReadFrom(ImageReader& reader, uint64_t quanta,
                                                      unsigned log_quantum) {
  Quanta result;
  const unsigned log_per_start = kLogStart - log_quantum;
  CRV_ASSIGN(result.starts, reader.Words((quanta + LowBits(log_per_start)) >> log_per_start));
  CRV_ASSIGN(const auto offsets, reader.Words((quanta + 3) / 4));
  result.offsets = offsets.data();
  return result;
}

Result<EliasFano> EliasFano::ReadFrom(ImageReader& reader) {
  CRV_ASSIGN(const uint64_t n, reader.WordAtMost(Shape::kMaxSize, "number of elements"));
  CRV_ASSIGN(const uint64_t u, reader.Word());
  EliasFano sequence;
  sequence.shape_ = Shape(n, u);
  const Shape& shape = sequence.shape_;
  CRV_ASSIGN(const auto lower, reader.Words(shape.lower_words()));
  CRV_ASSIGN(const auto upper, reader.Words(shape.upper_words()));
  if (!lower.empty()) sequence.lower_ = lower.data();
  sequence.upper_ = upper.data();
  CRV_ASSIGN(sequence.one_quanta_, Quanta::ReadFrom(reader, shape.quanta(n), shape.log_quantum));
  CRV_ASSIGN(sequence.zero_quanta_, Quanta::ReadFrom(reader, shape.quanta(shape.zeros()), shape.log_quantum));
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

// At a quantum of the other kind, its number and position give the number of ours before it. Where ours are
// sparse the others are not, so one of them is near: between this start and r there are at most 2^kLogStart
// bits of either kind.
template <bool kBit>
uint64_t EliasFano::SelectAmongSparse(uint64_t r) const {
  const uint64_t own = (kBit ? one_quanta_ : zero_quanta_).starts[r >> kLogStart];
  const Quanta& others = kBit ? zero_quanta_ : one_quanta_;
  const auto first_above =
      std::partition_point(others.starts.begin(), others.starts.end(), [&](const uint64_t& start) {
        return start - (static_cast<uint64_t>(&start - others.starts.data()) << kLogStart) <= r;
      });
  if (first_above != others.starts.begin()) {
    const auto s = static_cast<uint64_t>(first_above - others.starts.begin()) - 1;
    const uint64_t first = s << (kLogStart - shape_.log_quantum);
    const uint64_t count = shape_.quanta(kBit ? shape_.zeros() : size());
    uint64_t k = std::min(first + (uint64_t{1} << (kLogStart - shape_.log_quantum)), count);
    while (k-- > first) {
      const uint64_t offset = others.offset(k);
      const uint64_t position = others.starts[s] + offset;
      const uint64_t before = position - (k << shape_.log_quantum);
      if (offset == kFar || before > r) continue;
      if (position <= own) break;
      return SelectFrom<kBit>(r - before, position);
    }
  }
  return SelectFrom<kBit>(r & LowBits(kLogStart), own);
}

template uint64_t EliasFano::SelectAmongSparse<true>(uint64_t) const;
template uint64_t EliasFano::SelectAmongSparse<false>(uint64_t) const;

// The elements from `index` up to the zero that ends this upper value have the same upper bits as x, so their
// lower bits are sorted, and their ones adjacent.
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
  // A near target is searched from the current element; its upper bits give the number of zeros before
  // it.
  const uint64_t upper = x >> shape.lower_width;
  const uint64_t zeros = upper - (position_ - index_);
  const uint64_t start = zeros == 0 ? position_ + 1
                         : zeros <= uint64_t{1} << shape.log_quantum
                             ? sequence_.SelectFrom<false>(zeros - 1, position_) + 1
                             : sequence_.StartOf(upper);
  const Place place = sequence_.Find(x, start);
  // A damaged sequence may lead back. A cursor never moves back, so that merging cursors always ends.
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
  if ((added_ & LowBits(shape_.log_quantum)) == 0) one_quanta_.push_back(position);
  added_++;
  last_ = x;
}

// When the first element of `upper` comes, all zeros of smaller upper values are complete.
void EliasFanoBuilder::AddZeroQuanta(uint64_t upper) {
  for (;;) {
    const uint64_t zero = zero_quanta_.size() << shape_.log_quantum;
    if (zero >= upper) return;
    zero_quanta_.push_back(zero + added_);
  }
}

Status EliasFanoBuilder::AppendTo(ImageWriter& image) {
  if (!valid_)
    return Status::InvalidArgument(
        fmt::format("Elias-Fano: invalid input: numbers must not decrease, be greater than {}, or be more "
                    "than {} in number",
                    shape_.universe, shape_.size));
  if (added_ != shape_.size)
    return Status::InvalidArgument(
        fmt::format("Elias-Fano: {} numbers were added, but {} were announced", added_, shape_.size));
  AddZeroQuanta(shape_.zeros());
  image.Word(shape_.size);
  image.Word(shape_.universe);
  image.Words(std::span(lower_).first(shape_.lower_words()));
  image.Words(upper_);
  AppendQuanta(one_quanta_, shape_.size, image);
  AppendQuanta(zero_quanta_, shape_.zeros(), image);
  return Status::Ok();
}

void EliasFanoBuilder::AppendQuanta(const std::vector<uint64_t>& positions, uint64_t count,
                                    ImageWriter& image) const {
  const uint64_t quanta = shape_.quanta(count);
  const uint64_t per_start = uint64_t{1} << (EliasFano::kLogStart - shape_.log_quantum);
  for (uint64_t k = 0; k < quanta; k += per_start) image.Word(positions[k]);
  uint64_t word = 0;
  for (uint64_t k = 0; k < quanta; k++) {
    const uint64_t next = k + 1 < quanta ? positions[k + 1] : shape_.upper_bits;
    const uint64_t offset = positions[k] - positions[k / per_start * per_start];
    const bool far = offset >= EliasFano::kFar || next - positions[k] > EliasFano::kSparse
                                                                            << shape_.log_quantum;
    word |= (far ? EliasFano::kFar : offset) << (k % 4 * 16);
    if (k % 4 == 3 || k + 1 == quanta) {
      image.Word(word);
      word = 0;
    }
  }
}

}  // namespace crivello::succinct
