// SPDX-License-Identifier: Apache-2.0
#include "text/terms/ascii_scan.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/terms/ascii_scan.cc"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h, which includes this file again for each instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace crivello::text::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Lower-cases `size` bytes, a multiple of 64, and writes one bit per byte to each of the four sets.
void Classify(uint8_t* bytes, size_t size, uint64_t* word, uint64_t* upper, uint64_t* underscore,
              uint64_t* high) {
  const hn::CappedTag<uint8_t, 64> d;
  const size_t lanes = hn::Lanes(d);
  const auto ten = hn::Set(d, uint8_t{10});
  const auto letters = hn::Set(d, uint8_t{26});
  for (size_t i = 0; i < size; i += lanes) {
    const auto v = hn::LoadU(d, bytes + i);
    const auto is_upper = hn::Lt(hn::Sub(v, hn::Set(d, uint8_t{'A'})), letters);
    const auto lower = hn::Or(v, hn::IfThenElseZero(is_upper, hn::Set(d, uint8_t{0x20})));
    const auto is_letter = hn::Lt(hn::Sub(lower, hn::Set(d, uint8_t{'a'})), letters);
    const auto is_digit = hn::Lt(hn::Sub(v, hn::Set(d, uint8_t{'0'})), ten);
    const auto is_underscore = hn::Eq(v, hn::Set(d, uint8_t{'_'}));
    const auto is_high = hn::Lt(hn::Set(d, uint8_t{0x7F}), v);
    hn::StoreU(lower, d, bytes + i);
    const auto store = [&](auto mask, uint64_t* bits)
                           HWY_ATTR { hn::StoreMaskBits(d, mask, reinterpret_cast<uint8_t*>(bits) + i / 8); };
    store(hn::Or(hn::Or(is_letter, is_digit), is_underscore), word);
    store(is_upper, upper);
    store(is_underscore, underscore);
    store(is_high, high);
  }
}

}  // namespace
}  // namespace crivello::text::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crivello::text {

HWY_EXPORT(Classify);

void AsciiWindow::Assign(std::string_view text) {
  size_ = text.size();
  const size_t padded = (size_ + 63) / 64 * 64;
  std::memcpy(lower_.data(), text.data(), size_);
  std::memset(lower_.data() + size_, 0, padded + 64 - size_);
  HWY_DYNAMIC_DISPATCH(Classify)
  (reinterpret_cast<uint8_t*>(lower_.data()), padded, word_.data(), upper_.data(), underscore_.data(),
   high_.data());
  for (size_t i = padded / 64; i < padded / 64 + 2; ++i) {
    word_[i] = upper_[i] = underscore_[i] = high_[i] = 0;
  }
}

}  // namespace crivello::text
#endif
