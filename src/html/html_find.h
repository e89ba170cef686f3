// SPDX-License-Identifier: Apache-2.0
// The vector search shared by the HTML parts. It includes Highway's header, so only .cc files should include
// it.
//
// Uses Highway's static dispatch (the instruction set of the compilation), not the dynamic one: runs between
// matches are often shorter than a vector, so an indirect call would cost more than the search.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace crivello::html::internal {

namespace hn = hwy::HWY_NAMESPACE;

template <typename D, typename V>
HWY_INLINE auto EqualAny(D d, V v, char wanted) {
  return hn::Eq(v, hn::Set(d, static_cast<uint8_t>(wanted)));
}
template <typename D, typename V, typename... Chars>
HWY_INLINE auto EqualAny(D d, V v, char wanted, Chars... more) {
  return hn::Or(EqualAny(d, v, wanted), EqualAny(d, v, more...));
}

// The first byte in [p, end) that is one of `wanted`, or end. Reads nothing outside.
template <typename... Chars>
inline const char* FindAny(const char* p, const char* end, Chars... wanted) {
  const hn::CappedTag<uint8_t, 32> d;
  constexpr size_t kLanes = hn::MaxLanes(d);
  for (; static_cast<size_t>(end - p) >= kLanes; p += kLanes) {
    const auto v = hn::LoadU(d, reinterpret_cast<const uint8_t*>(p));
    const intptr_t first = hn::FindFirstTrue(d, EqualAny(d, v, wanted...));
    if (first >= 0) return p + first;
  }
  while (p < end && !((*p == wanted) || ...)) ++p;
  return p;
}

}  // namespace crivello::html::internal
