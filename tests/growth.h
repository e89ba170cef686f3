// SPDX-License-Identifier: Apache-2.0
// Code shared by the growth tests: no input costs more than in proportion to its size.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/test_waiting.h"

namespace crivello {

// Inputs of a given size: a prefix, repeated pieces, and a suffix.
struct Shape {
  std::string_view piece;
  std::string_view before = {};
  std::string_view after = {};
};

inline std::string Make(const Shape& shape, size_t bytes) {
  std::string text(shape.before);
  while (text.size() < bytes) text += shape.piece;
  return text += shape.after;
}

// `wrap` makes an input from the text; its time is not measured.
inline void ExpectLinear(std::string_view parser, size_t bytes, const std::vector<Shape>& shapes,
                         const std::function<void(std::string_view)>& parse,
                         const std::function<std::string(std::string)>& wrap = {}) {
  for (const Shape& shape : shapes) {
    const auto input = [&](size_t size) { return wrap ? wrap(Make(shape, size)) : Make(shape, size); };
    const std::string small = input(bytes), large = input(4 * bytes);
    const double growth =
        GrowthOfCost(bytes, kLinearGrowth, [&](size_t size) { parse(size == bytes ? small : large); });
    EXPECT_LT(growth, kLinearGrowth) << parser << ": " << shape.before << " (" << shape.piece << ") "
                                     << shape.after;
  }
}

}  // namespace crivello
